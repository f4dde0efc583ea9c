import Glibc
import TestSupport
import Testing

@Suite("Completions")
struct CompletionTests {
  private static let folder = "\(TestData.package)/Packaging/completions"
  private static let hasBash = access("/bin/bash", X_OK) == 0
  private static let zsh: String? = (["/usr/bin/zsh", "/bin/zsh"] as [String]).first {
    access($0, X_OK) == 0
  }

  /// What bash offers for the words, of which the last is being typed.
  private func offers(
    _ program: String, _ words: [String], environment: [(name: String, value: String)] = []
  ) throws -> Set<String> {
    let script = """
      set -u; source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
      COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
      "_${COMP_WORDS[0]##*/}" "$1" "${@: -1}" "${@: -2:1}"; ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"; true
      """
    let run = try RunningProgram(
      "/bin/bash", ["-c", script, "\(Self.folder)/\(program).bash"] + words,
      environment: environment)
    #expect(try run.end() == 0)
    return Set(run.lines)
  }

  /// The option specifications that a zsh function gives to `_arguments`.
  private func specifications(_ zsh: String, _ program: String, _ command: String?) throws
    -> Set<String>
  {
    let script = """
      _arguments() {
        [[ $1 == -C ]] && { state=argument; words=(\(command ?? "")); return 1 }
        print -l -- "$@"
      }
      words=(\(program)); source "$1"
      """
    let run = try RunningProgram(
      zsh, ["-f", "-c", script, "zsh", "\(Self.folder)/_\(program)"])
    #expect(try run.end() == 0)
    let names = run.lines.compactMap { line -> Substring? in
      guard let end = line.firstIndex(of: "["), let start = line[..<end].firstRange(of: "--") else {
        return nil
      }
      // `(-o --output)--output[…`: the exclusions stand before the name.
      let name = line[..<end].split(separator: ")").last ?? line[start.lowerBound..<end]
      return name.hasPrefix("--") || name.hasPrefix("*--") ? name.drop { $0 == "*" } : nil
    }
    return Set(names.map { $0.last == "=" ? String($0.dropLast()) : String($0) })
  }

  private static func programs() throws -> [(program: String, command: String?)] {
    try [("milepostd", nil)] + ProgramHelp.commands().map { ("milepostctl", $0) }
  }

  @Test(
    "bash offers every option of --help and no other",
    .enabled(if: hasBash, "bash is not installed"))
  func bashOptions() throws {
    for (program, command) in try Self.programs() {
      let help = try ProgramHelp(program, command).options
      let words = [program] + (command.map { [$0] } ?? []) + ["--"]
      #expect(try offers(program, words) == help, "\(program) \(command ?? "")")
    }
  }

  @Test(
    "zsh offers every option of --help and no other",
    .enabled(if: zsh != nil, "zsh is not installed (make deps)"))
  func zshOptions() throws {
    let zsh = try #require(Self.zsh)
    for (program, command) in try Self.programs() {
      let help = try ProgramHelp(program, command).options
      #expect(
        try specifications(zsh, program, command) == help, "\(program) \(command ?? "")")
    }
  }

  @Test("bash offers the commands", .enabled(if: hasBash, "bash is not installed"))
  func bashCommands() throws {
    let expected = Set(try ProgramHelp.commands() + ["--help", "--version"])
    #expect(try offers("milepostctl", ["milepostctl", ""]) == expected)
    let zsh = try readText("\(Self.folder)/_milepostctl")
    for command in try ProgramHelp.commands() {
      #expect(zsh.contains("'\(command):") || zsh.contains("\"\(command):"))
      #expect(zsh.contains("\n  \(command))\n"))
    }
  }

  @Test("bash offers presets by name", .enabled(if: hasBash, "bash is not installed"))
  func bashPresets() throws {
    let offered = try offers(
      "milepostctl", ["milepostctl", "import", "--preset", "tw-f"],
      environment: [("MILEPOST_PRESETS", "\(TestData.package)/Config/presets")])
    #expect(offered == ["tw-freeway-plates", "tw-freeway-posts"])
  }

  @Test(
    "bash offers the roads of the marker files, quoted where they have blanks",
    .enabled(if: hasBash, "bash is not installed"))
  func bashRoads() throws {
    let folder = try ScratchFolder()
    let markers = try folder.write(
      "markers.csv",
      """
      road,mileage,latitude,longitude
      A1,0K+000,1,1
      Ring road,0K+100,1,2
      Ring road,0K+200,1,3
      國道5號,15K+200,24.8581,121.7714

      """)
    let words = [RunningProgram.product("milepostctl"), "find", "--markers", markers]
    let all = try offers("milepostctl", words + [""], environment: [("LC_ALL", "C.UTF-8")])
    #expect(all == ["A1", "Ring\\ road", "國道5號"])
    #expect(try offers("milepostctl", words + ["R"]) == ["Ring\\ road"])
  }
}
