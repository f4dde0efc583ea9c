import FixFormats
import Testing

@Suite struct LineFramerTests {
  private func lines(
    of input: String, chunk: Int, maximumLength: Int = 65_536, skipFirstPartial: Bool = false
  ) -> (lines: [String], framer: LineFramer) {
    var framer = LineFramer(maximumLength: maximumLength, skipFirstPartial: skipFirstPartial)
    var lines: [String] = []
    let bytes = Array(input.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      bytes[start..<min(start + chunk, bytes.count)].withUnsafeBytes {
        framer.append($0) { lines.append(String(decoding: $0, as: UTF8.self)) }
      }
    }
    framer.finish { lines.append(String(decoding: $0, as: UTF8.self)) }
    return (lines, framer)
  }

  struct Row: CustomTestStringConvertible {
    var name: String
    var input: String
    var expected: [String]
    var overlong = 0
    var testDescription: String { name }
  }

  @Test(
    "lines are the same whatever the chunks",
    arguments: [
      Row(name: "LF", input: "a\nbc\n", expected: ["a", "bc"]),
      Row(name: "CRLF", input: "a\r\nbc\r\n", expected: ["a", "bc"]),
      Row(name: "two CRs", input: "a\r\r\nb\n", expected: ["a", "b"]),
      Row(name: "a CR within stays", input: "a\rb\n", expected: ["a\rb"]),
      Row(name: "blank lines", input: "\n\r\n\na\n", expected: ["", "", "", "a"]),
      Row(name: "no LF at the end", input: "a\nlast\r", expected: ["a", "last"]),
      Row(name: "nothing", input: "", expected: []),
      Row(name: "NUL and high bytes", input: "\0x\0\né\n", expected: ["\0x\0", "é"]),
      Row(name: "exactly the cap", input: "12345678\na\n", expected: ["12345678", "a"]),
      Row(name: "one over the cap", input: "123456789\na\n", expected: ["a"], overlong: 1),
      Row(
        name: "far over the cap", input: "0123456789012345678901\na\n", expected: ["a"],
        overlong: 1),
      Row(
        name: "two over the cap", input: "123456789\n1234567890\nb", expected: ["b"], overlong: 2),
      Row(name: "over the cap to the end", input: "a\n1234567890", expected: ["a"], overlong: 1),
    ])
  func anyChunking(row: Row) {
    for chunk in 1...max(1, row.input.utf8.count) {
      let result = lines(of: row.input, chunk: chunk, maximumLength: 8)
      #expect(result.lines == row.expected, "chunks of \(chunk)")
      #expect(result.framer.overlong == row.overlong, "chunks of \(chunk)")
    }
  }

  @Test("what comes before the first LF is dropped where the source is joined midway")
  func joinedMidway() {
    for chunk in 1...9 {
      let result = lines(of: "torn\nb\nc\n", chunk: chunk, skipFirstPartial: true)
      #expect(result.lines == ["b", "c"])
      #expect(result.framer.droppedPartial)
    }
  }

  @Test("the cap is 64 KiB by default")
  func defaultCap() {
    let fits = String(repeating: "x", count: 65_536)
    #expect(lines(of: fits + "\n", chunk: 4_096).lines == [fits])
    #expect(lines(of: fits + "y\nb\n", chunk: 4_096).lines == ["b"])
  }

  @Test("a line begun is forgotten at a reset")
  func reset() {
    var framer = LineFramer()
    var lines: [String] = []
    "begun".withBytes { framer.append($0) { _ in } }
    framer.reset()
    "new\n".withBytes { framer.append($0) { lines.append(String(decoding: $0, as: UTF8.self)) } }
    #expect(lines == ["new"])
  }
}
