import Options
import Testing

struct OptionParserTests {
  static let options = [
    CommandOption("radius", .required), CommandOption("check", letter: "c"),
    CommandOption("output", .required, letter: "o"), CommandOption("markers", .required),
    CommandOption("mark"),
  ]

  struct Row: CustomTestStringConvertible {
    let name: String
    var arguments: [String]
    var stops = false
    var options: [String] = []
    var operands: [String] = []
    var error: String?
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "nothing", arguments: []),
    Row(
      name: "values by space and by equals sign", arguments: ["--radius", "40m", "--radius=50m"],
      options: ["radius=40m", "radius=50m"]),
    Row(
      name: "options and operands mixed", arguments: ["a", "--check", "b"], options: ["check"],
      operands: ["a", "b"]),
    Row(
      name: "the first operand ends the options where asked", arguments: ["-c", "台9", "-0K+300"],
      stops: true, options: ["check"], operands: ["台9", "-0K+300"]),
    Row(
      name: "two dashes end the options", arguments: ["--", "--check"], operands: ["--check"]),
    Row(
      name: "letters", arguments: ["-ofile", "-c", "-o", "-"],
      options: ["output=file", "check", "output=-"]),
    Row(name: "a unique beginning is enough", arguments: ["--rad=1"], options: ["radius=1"]),
    Row(name: "an exact name is not ambiguous", arguments: ["--mark"], options: ["mark"]),
    Row(name: "empty value", arguments: ["--output="], options: ["output="]),
    Row(name: "unknown", arguments: ["--what=1"], error: "unknown option --what"),
    Row(name: "unknown letter", arguments: ["-cx"], error: "unknown option -x"),
    Row(name: "ambiguous", arguments: ["--mar"], error: "--mar may be --markers or --mark"),
    Row(name: "value missing", arguments: ["--radius"], error: "--radius needs a value"),
    Row(name: "letter's value missing", arguments: ["-o"], error: "--output needs a value"),
    Row(name: "value not wanted", arguments: ["--check=1"], error: "--check takes no value"),
  ]

  @Test("a command line is read as getopt_long reads it", arguments: rows)
  func commandLine(row: Row) throws {
    let parser = OptionParser(Self.options, stopsAtFirstOperand: row.stops)
    do throws(UsageError) {
      let parsed = try parser.parse(row.arguments)
      #expect(row.error == nil)
      #expect(parsed.options.map { $0.name + ($0.value.map { "=" + $0 } ?? "") } == row.options)
      #expect(parsed.operands == row.operands)
    } catch {
      #expect(error.description == row.error)
    }
  }

  @Test("the last value counts, all can be had")
  func values() throws {
    let parsed = try OptionParser(Self.options).parse(["--markers=a", "--markers=b"])
    #expect(parsed.value("markers") == "b")
    #expect(parsed.values("markers") == ["a", "b"])
    #expect(parsed.has("markers") && !parsed.has("check"))
  }
}
