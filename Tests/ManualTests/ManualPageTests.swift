import Configuration
import Milepost
import MilepostDaemon
import TestSupport
import Testing

@Suite("Man pages")
struct ManualPageTests {
  /// A minimised system has a man that shows nothing.
  private static let hasMan: Bool = {
    guard let run = try? RunningProgram("/usr/bin/man", ["--version"]) else { return false }
    return (try? run.end()) == 0 && run.lines.first?.hasPrefix("man 2") == true
  }()

  @Test(
    "man has no warnings", .enabled(if: hasMan, "man is not installed (make deps)"),
    arguments: ManualPage.all)
  func warnings(name: String) throws {
    let page = try ManualPage(name)
    let run = try RunningProgram(
      "/bin/sh",
      ["-c", "man --warnings -E UTF-8 -l -Tutf8 -Z \"$1\" 2>&1 >/dev/null", "sh", page.path],
      environment: [("LC_ALL", "C.UTF-8"), ("MANROFFSEQ", ""), ("MANWIDTH", "80")])
    #expect(try run.end() == 0)
    #expect(run.lines.isEmpty, "\(run.lines)")
  }

  @Test("milepostd's options are in --help and in its page")
  func daemonOptions() throws {
    let help = try ProgramHelp("milepostd").options
    #expect(help.count >= 4)
    #expect(try ManualPage("milepostd.8").options == help)
  }

  @Test("each command's options are in its --help and in its part of the page")
  func commandOptions() throws {
    let page = try ManualPage("milepostctl.1")
    let commands = try ProgramHelp.commands()
    #expect(commands.count >= 4)
    for command in commands {
      let help = try ProgramHelp("milepostctl", command).options
      #expect(help.contains("--help"), "\(command)")
      #expect(page.section(command).options == help, "\(command)")
    }
    let sections = page.lines.filter { $0.hasPrefix(".Ss ") }.map { String($0.dropFirst(4)) }
    #expect(Set(sections) == Set(commands))
  }

  @Test("every setting is in its section of the page with its default, and no other")
  func settings() throws {
    let page = try ManualPage("milepostd.conf.5")
    for section in SettingKey.Section.allCases {
      let items = page.section("[\(section.rawValue)]").lines.filter { $0.hasPrefix(".It Va ") }
      let keys = SettingKey.all.filter { $0.section == section }
      #expect(items == keys.map { ".It Va \($0.name)=\($0.defaultText)" })
    }
  }

  @Test("the page says of each setting whether it needs a restart")
  func restarts() throws {
    let lines = try ManualPage("milepostd.conf.5").lines
    for key in SettingKey.all {
      let text = lines.drop { $0 != ".It Va \(key.name)=\(key.defaultText)" }.dropFirst()
        .prefix { !$0.hasPrefix(".It") && !$0.hasPrefix(".El") }
      #expect(text.contains("Needs a restart.") == key.needsRestart, "\(key.name)")
    }
  }
}
