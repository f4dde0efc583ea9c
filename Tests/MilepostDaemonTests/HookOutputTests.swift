import Testing

@testable import MilepostDaemon

@Suite struct HookOutputTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let chunks: [String]
    let lines: [String]
    var notice: String?
    var testDescription: String { name }
  }

  /// With room for 3 lines and 20 bytes.
  @Test(arguments: [
    Row(name: "nothing", chunks: [], lines: []),
    Row(name: "a line", chunks: ["one\n"], lines: ["one"]),
    Row(name: "a line in pieces", chunks: ["o", "n", "e\ntw", "o\n"], lines: ["one", "two"]),
    Row(name: "no newline at the end", chunks: ["one\ntwo"], lines: ["one", "two"]),
    Row(name: "empty lines are left out", chunks: ["\n\none\n\n"], lines: ["one"]),
    Row(name: "three lines fit", chunks: ["1\n2\n3\n"], lines: ["1", "2", "3"]),
    Row(
      name: "the fourth does not", chunks: ["1\n2\n3\n4"], lines: ["1", "2", "3"],
      notice: "1 more lines (1 bytes) of output not logged"),
    Row(
      name: "many more, in chunks", chunks: ["1\n2\n3\n4\n5", "5\n\n", "6"],
      lines: ["1", "2", "3"], notice: "4 more lines (7 bytes) of output not logged"),
    Row(
      name: "20 bytes fit, newlines counted", chunks: ["123456789\n123456789\n"],
      lines: ["123456789", "123456789"]),
    Row(
      name: "a line is cut at the 20th byte", chunks: ["123456789\n1234567890abc\nx\n"],
      lines: ["123456789", "1234567890"], notice: "2 more lines (6 bytes) of output not logged"),
    Row(
      name: "a line without end is cut", chunks: ["123456789", "123456789", "123456789"],
      lines: ["12345678912345678912"], notice: "1 more lines (7 bytes) of output not logged"),
  ])
  func `lines are given whole, and what is over the limits is counted`(row: Row) {
    var output = HookOutput(lineLimit: 3, byteLimit: 20)
    var lines: [String] = []
    for chunk in row.chunks {
      lines += Array(chunk.utf8).withUnsafeBytes { output.take($0) }
    }
    let (last, notice) = output.finish()
    #expect(lines + (last.map { [$0] } ?? []) == row.lines)
    #expect(notice == row.notice)
  }

  @Test func `bytes that are no UTF-8 are repaired, not lost`() {
    var output = HookOutput(lineLimit: 3, byteLimit: 20)
    let lines = [UInt8]([0x61, 0xFF, 0x62, 10]).withUnsafeBytes { output.take($0) }
    #expect(lines == ["a\u{FFFD}b"])
  }
}
