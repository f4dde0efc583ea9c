import FixFormats
import Glibc
import Milepost
import Testing
import TestSupport

@Suite(
  "Verdicts on real input", .disabled(if: !TestData.isThere, Comment(rawValue: TestData.absence)))
struct VerdictCountTests {
  /// All that real gpsds said, but for transcripts that hold only a summary.
  private static let reports =
    files(in: "gpsd/transcripts", ending: ".txt").filter { !$0.contains("/J-") }
    + files(in: "gpsd", ending: ".json") + files(in: "drives", ending: ".json")
  private static let sentences =
    files(in: "gpsd", ending: ".log") + files(in: "drives", ending: ".nmea")

  @Test("decoder and gate count as a script does that knows the rules alone", arguments: reports)
  func countsOfReports(_ name: String) throws {
    let path = TestData.path(name)
    let script = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    let python = try RunningProgram("/usr/bin/env", ["python3", "\(script)/verdicts.py", path])
    try #require(try python.end() == 0, "\(python.lines)")
    let counts = try Self.counts(of: path)
    let told = Verdict.allCases.filter { counts[$0] > 0 }.map { "\($0.name) \(counts[$0])" }
    #expect(told.sorted() == python.lines)
  }

  @Test("every log of NMEA sentences gives fixes", arguments: sentences)
  func logsOfSentences(_ name: String) throws {
    #expect(try Self.counts(of: TestData.path(name)).total > 0)
  }

  @Test("there is real input of each kind")
  func inputs() {
    #expect(Self.reports.filter { $0.hasSuffix(".txt") }.count >= 20)
    #expect(Self.reports.filter { $0.hasSuffix(".json") }.count >= 6)
    #expect(Self.sentences.count >= 6)
  }

  // MARK: What the middle says

  private struct Line {
    /// Milliseconds.
    var receipt: Int64
    var text: String
  }

  /// The default gate's counts. All lines of a log come in at once, those of a transcript at their
  /// times.
  private static func counts(of path: String) throws -> VerdictCounts {
    var decoder = FixDecoder()
    var gate = FixGate()
    for line in try lines(of: path) {
      let receipt = Receipt(
        wall: Timestamp(milliseconds: 1_796_000_000_000 + line.receipt), boot: line.receipt)
      Array(line.text.utf8).withUnsafeBytes { bytes in
        _ = decoder.decode(bytes) { _ = gate.judge($0, receipt: receipt) }
      }
    }
    decoder.finish {
      _ = gate.judge($0, receipt: Receipt(wall: Timestamp(milliseconds: 0), boot: 0))
    }
    #expect(gate.counts.total == UInt64(decoder.counters.fixes))
    return gate.counts
  }

  private static func lines(of path: String) throws -> [Line] {
    let lines = try TestData.lines(of: path)
    guard path.hasSuffix(".txt") else { return lines.map { Line(receipt: 0, text: $0) } }
    return lines.compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 2)
      guard parts.count == 3, parts[1] == "<", let seconds = Double(parts[0]) else { return nil }
      let text = parts[2].hasSuffix(#"\r"#) ? parts[2].dropLast(2) : parts[2]
      return Line(receipt: Int64((seconds * 1_000).rounded()), text: String(text))
    }
  }

  /// The files of a folder, by their names below the data's folder; none where that is absent.
  private static func files(in folder: String, ending: String) -> [String] {
    guard let directory = opendir(TestData.path(folder)) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(ending) { names.append("\(folder)/\(name)") }
    }
    return names.sorted()
  }
}
