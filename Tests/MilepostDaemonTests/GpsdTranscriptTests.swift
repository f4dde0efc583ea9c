import FoundationEssentials
import TestSupport
import Testing

@testable import MilepostDaemon

/// What clients saw of real gpsds 3.22 and 3.27, with the states read off by hand.
struct GpsdTranscriptTests {
  struct Row: CustomTestStringConvertible {
    var file: String
    /// For each connection of the file, the states told: milliseconds and name.
    var expected: [[String]]
    var testDescription: String { file }
  }

  static let rows = [
    Row(file: "A-nodev-322", expected: [["2501 noDevice"]]),
    Row(file: "A-nodev-327", expected: [["2501 noDevice"]]),
    Row(file: "B-pty-322", expected: [["4204 fix"]]),
    Row(file: "B-pty-327", expected: [["3611 noFix", "4205 fix"]]),
    Row(file: "C-unplug-322", expected: [["2002 noFix", "3489 fix", "14490 stale"]]),
    Row(file: "C-unplug-327", expected: [["1576 fix", "14580 stale"]]),
    Row(file: "D-hotplug-322", expected: [["2101 noDevice", "4141 fix", "21001 noDevice"]]),
    Row(file: "D-hotplug-327", expected: [["2101 noDevice", "4103 fix", "21001 noDevice"]]),
    Row(file: "G-multi-322", expected: [["497 fix", "8678 unreachable"]]),
    Row(file: "G-multi-327", expected: [["482 fix", "8786 unreachable"]]),
    Row(file: "H-tcp-322", expected: [["581 fix", "12583 stale"]]),
    Row(file: "H-tcp-327", expected: [["569 fix", "12568 stale"]]),
    Row(file: "I-fifo600-322", expected: [["1634 fix"]]),
    Row(file: "I-fifo600-327", expected: [["872 fix"]]),
    Row(file: "I-fifo666-322", expected: [["817 fix"]]),
    Row(file: "I-fifo666-327", expected: [["807 fix"]]),
    Row(file: "K-lazy600-322", expected: [["2101 noDevice"], ["2101 noDevice"]]),
    Row(file: "K-lazy600-327", expected: [["2101 noDevice"], ["2101 noDevice"]]),
    Row(file: "K-lazy666-322", expected: [["902 fix"], ["294 fix"]]),
    Row(file: "K-lazy666-327", expected: [["602 fix"], ["435 fix"]]),
  ]

  @Test(
    "a real gpsd's words make these states",
    .enabled(if: TestData.isThere, "\(TestData.absence)"),
    arguments: rows)
  func states(_ row: Row) throws {
    let data = try #require(
      FileManager.default.contents(atPath: TestData.path("gpsd/transcripts/\(row.file).txt")))
    let connections = Self.connections(in: String(decoding: data, as: UTF8.self))
    #expect(connections.map(Self.states) == row.expected)
  }

  private struct Entry {
    var milliseconds: Int64
    var kind: Substring
    var text: Substring
  }

  /// The entries of each connection: lines are `+SECONDS KIND TEXT`, and time starts anew with each.
  private static func connections(in transcript: String) -> [[Entry]] {
    var connections: [[Entry]] = []
    for line in transcript.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, parts[0].hasPrefix("+"), let seconds = Double(parts[0].dropFirst())
      else { continue }
      let entry = Entry(
        milliseconds: Int64((seconds * 1_000).rounded()), kind: parts[1], text: parts[2])
      if let last = connections.last?.last, last.milliseconds <= entry.milliseconds {
        connections[connections.count - 1].append(entry)
      } else {
        connections.append([entry])
      }
    }
    return connections.filter { $0.contains { $0.kind == "<" } }
  }

  private static func states(of connection: [Entry]) -> [String] {
    var run = GpsdSessionRun()
    for entry in connection {
      if entry.kind == "<" {
        run.receive(String(entry.text.replacing("\\r", with: "")), at: entry.milliseconds)
      } else if entry.text.hasPrefix("EOF") {
        run.close(at: entry.milliseconds)
      } else {
        run.pass(until: entry.milliseconds)
      }
    }
    return run.states
  }
}
