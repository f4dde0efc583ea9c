import TestSupport

/// What `--help` says.
struct ProgramHelp {
  /// Commands of milepostctl, as its help lists them.
  static func commands() throws -> [String] {
    try ProgramHelp("milepostctl").lines
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { $0 != "milepostctl" }
  }

  let lines: [String]

  init(_ program: String, _ command: String? = nil) throws {
    let run = try RunningProgram(
      RunningProgram.product(program), (command.map { [$0] } ?? []) + ["--help"])
    try run.end()
    lines = run.lines
  }

  /// Every word that looks like `--decimal-comma`.
  var options: Set<String> {
    let words = lines.flatMap { $0.split { !($0.isASCII && $0.isLetter || $0 == "-") } }
    return Set(words.filter { $0.hasPrefix("--") }.map(String.init))
  }
}
