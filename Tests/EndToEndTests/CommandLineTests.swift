import Glibc
import Testing
import TestSupport

@Suite("Exit codes and complaints")
struct CommandLineTests {
  private struct Row {
    var name: String
    var program = "milepostd"
    var arguments: [String]
    var code: Int32
    var says: String
  }

  @Test("each kind of mistake has its code and a line that helps")
  func exitCodes() throws {
    let folder = try ScratchFolder()
    let bad = try folder.write("bad.conf", "[Filter]\nJitterThreshold=15 mm\nSpeed=1\n")
    let empty = try folder.write("empty.csv", "road,mileage,latitude,longitude\nA,1,999,0\n")
    let unusable = try folder.write("markers.conf", "[Fences]\nMarkers=\nMarkers=\(empty)\n")
    try folder.write("plain", "x")
    let notFIFO = try folder.write(
      "fifo.conf",
      "[Source]\nType=fifo\nPath=\(folder("plain"))\n[Fences]\nMarkers=\n[Events]\nDatabase=\(folder("events.db"))\n"
    )
    let noFix = try folder.write("nofix", "hello\n")
    let drive = TestData.package + "/Config/demo/drive.nmea"
    let rows = [
      Row(name: "help", arguments: ["--help"], code: 0, says: "usage: milepostd"),
      Row(name: "version", arguments: ["--version"], code: 0, says: "milepostd 0."),
      Row(name: "unknown option", arguments: ["--frob"], code: 64, says: "unknown option --frob"),
      Row(name: "operand", arguments: ["x"], code: 64, says: "unexpected x"),
      Row(
        name: "shipped configuration",
        arguments: ["--check", "--config", TestData.package + "/Config/milepostd.conf"], code: 0,
        says: "good"),
      Row(
        name: "bad value", arguments: ["--check", "--config", bad], code: 78,
        says: "bad.conf:2: JitterThreshold:"),
      Row(
        name: "unknown key", arguments: ["--check", "--config", bad], code: 78,
        says: "bad.conf:3: Speed:"),
      Row(
        name: "no usable row", arguments: ["--check", "--config", unusable], code: 78,
        says: "empty.csv:2:"),
      Row(
        name: "no configuration", arguments: ["--config", folder("none.conf")], code: 78,
        says: "none.conf"),
      Row(name: "not a FIFO", arguments: ["--config", notFIFO], code: 74, says: "plain"),
      Row(
        name: "replay of nothing", program: "milepostctl",
        arguments: ["replay", "--markers", empty, drive], code: 65, says: "empty.csv:2:"),
      Row(
        name: "no fix", program: "milepostctl",
        arguments: [
          "replay", "--markers", TestData.package + "/Config/markers.d/sample.csv", noFix,
        ], code: 65, says: "no fix in it"),
      Row(
        name: "no file", program: "milepostctl",
        arguments: [
          "replay", "--markers", TestData.package + "/Config/markers.d/sample.csv", "/none",
        ], code: 74, says: "/none: No such file"),
      Row(
        name: "bad radius", program: "milepostctl", arguments: ["replay", "--radius", "40kg"],
        code: 64, says: "--radius:"),
      Row(
        name: "roads on a full disk", program: "/bin/sh",
        arguments: [
          "-c", #""$0" roads --markers "$1" >/dev/full"#, RunningProgram.product("milepostctl"),
          TestData.package + "/Config/markers.d/sample.csv",
        ], code: 74, says: "standard output: No space left"),
      Row(name: "no command", program: "milepostctl", arguments: [], code: 64, says: "usage:"),
    ]
    for row in rows {
      let program = try RunningProgram(
        row.program.hasPrefix("/") ? row.program : RunningProgram.product(row.program),
        row.arguments)
      let code = try program.end()
      #expect(code == row.code, "\(row.name): \(program.lines)")
      #expect(program.lines.contains { $0.contains(row.says) }, "\(row.name): \(program.lines)")
    }
  }
}
