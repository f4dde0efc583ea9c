import Glibc
import TestSupport
import Testing

/// The exit status is that of the manual page, whatever the command.
@Suite("Exit status of milepostctl")
struct ExitStatusTests {
  /// A mistake in the marker files, and the exit status of all who read them.
  private struct Markers {
    var name: String
    var text: String?
    var code: Int32
    var says: String
  }

  @Test("marker files that cannot be read are 74, those that cannot be used 65")
  func markerFiles() throws {
    let header = "road,mileage,latitude,longitude\n"
    let folder = try ScratchFolder()
    let drive = TestData.package + "/Config/demo/drive.nmea"
    for row in [
      Markers(name: "none", text: nil, code: 74, says: "none: does not exist"),
      Markers(name: "folder/x", text: "", code: 74, says: "folder: is a directory"),
      Markers(name: "empty", text: "", code: 65, says: "empty: is empty"),
      Markers(name: "columns", text: "road\nA\n", code: 65, says: "columns mileage"),
      Markers(name: "rows", text: header + "A,x,50,8\n", code: 65, says: "no usable row"),
      Markers(name: "encoding", text: header + "A\u{1}", code: 65, says: "no usable row"),
    ] {
      if let text = row.text { try folder.write(row.name, text) }
      let path = folder(row.name.split(separator: "/").first.map(String.init) ?? "")
      for command in [["roads"], ["find"], ["replay"]] {
        let operands = command == ["find"] ? ["A", "1"] : command == ["replay"] ? [drive] : []
        let run = try RunningProgram(
          RunningProgram.product("milepostctl"), command + ["--markers", path] + operands)
        #expect(try run.end() == row.code, "\(command) \(row.name): \(run.lines)")
        #expect(
          run.lines.contains { $0.contains(row.says) }, "\(command) \(row.name): \(run.lines)")
      }
    }
  }

  private struct Row {
    /// A shell's, with `$0` the program, in a folder with the files `markers`, `agency` and `bad`.
    var script: String
    var code: Int32
    var says: String
  }

  private static let rows = [
    Row(script: "roads --markers markers", code: 0, says: "A\t-\t1\t1K+000\t1K+000"),
    Row(
      script: "roads --markers markers --category x", code: 1, says: "no road is in the category x"),
    Row(script: "roads --markers 'no*'", code: 1, says: "no mileposts in no*"),
    Row(script: "roads --markers", code: 64, says: "--markers needs a value"),
    Row(script: "roads --frob", code: 64, says: "unknown option --frob"),
    Row(script: "roads --config none", code: 78, says: "none"),
    Row(script: "roads --markers none --markers no", code: 74, says: "none: does not exist"),
    Row(script: "roads --markers none --markers no", code: 74, says: "no: does not exist"),
    Row(script: "roads --markers markers >/dev/full", code: 74, says: "standard output: No space"),
    Row(script: "roads --help >/dev/full", code: 74, says: "standard output: No space"),
    Row(script: "find --markers markers A 1", code: 0, says: "A 1K+000  50 8"),
    Row(script: "find --markers markers A 9", code: 1, says: "no milepost within 2 km"),
    Row(script: "find --markers markers B 9", code: 1, says: "road B is unknown"),
    Row(script: "find --markers markers A", code: 64, says: "ROAD and MILEAGE"),
    Row(script: "find --config none A 1", code: 78, says: "none"),
    Row(
      script: "find --markers markers A 1 >/dev/full", code: 74, says: "standard output: No space"),
    Row(script: "find --help >/dev/full", code: 74, says: "standard output: No space"),
    Row(script: "import agency", code: 64, says: "where is the mileage?"),
    Row(script: "import --preset none agency", code: 64, says: "no preset \"none\""),
    Row(script: "import --preset ./none agency", code: 74, says: "./none: No such file"),
    Row(script: "import --preset ./folder agency", code: 74, says: "./folder: is a directory"),
    Row(script: "import --preset ./bad agency", code: 64, says: "./bad:1:"),
    Row(script: "import --preset ./ok -o x none", code: 74, says: "none: No such file"),
    Row(script: "import --preset ./ok -o x folder", code: 74, says: "folder: is a directory"),
    Row(script: "import --preset ./ok -o x bad", code: 65, says: "no column"),
    Row(script: "import --preset ./ok -o x /dev/null", code: 65, says: "/dev/null: is empty"),
    Row(script: "import --preset ./ok --strict -o x torn", code: 65, says: "--strict"),
    Row(script: "import --preset ./ok -o none/x agency", code: 74, says: "cannot be written"),
    Row(script: "import --preset ./ok --config none agency", code: 78, says: "none"),
    Row(script: "import --preset ./ok -o - agency >/dev/full", code: 74, says: "No space left"),
    Row(
      script: "import --preset ./ok --merge --keep-duplicates -o x agency", code: 64,
      says: "--merge and --keep-duplicates say the opposite"),
    Row(
      script: "import --preset ./ok --config c -o x agency", code: 64,
      says: "--output and --config both say where to write"),
    Row(script: "import --preset ./ok -o x agency agency", code: 64, says: "agency is named twice"),
    Row(script: "import --preset ./ok -o x --quote , agency", code: 64, says: "--quote"),
    Row(script: "import --preset ./ok -o x --lat o agency", code: 64, says: "column o is both"),
    Row(script: "import --preset ./ok --merge --dry-run -o x agency", code: 0, says: "1 rows read"),
    Row(
      script: "roads --markers markers --config c", code: 64,
      says: "--markers and --config both say"
    ),
    Row(
      script: "find --markers markers --config c A 1", code: 64,
      says: "--markers and --config both say"),
    Row(script: "import --help >/dev/full", code: 74, says: "standard output: No space"),
    Row(script: "replay --help >/dev/full", code: 74, says: "standard output: No space"),
    Row(script: "--help >/dev/full", code: 74, says: "standard output: No space"),
    Row(script: "--version >/dev/full", code: 74, says: "standard output: No space"),
  ]

  @Test("each kind of mistake has the exit status of the manual page")
  func statuses() throws {
    let folder = try ScratchFolder()
    try folder.write("markers", "road,mileage,latitude,longitude\nA,1,50,8\n")
    try folder.write("agency", "r,m,a,o\nA,1,50,8\n")
    try folder.write("torn", "r,m,a,o\nA,1,50,8\nA\n")
    try folder.write("bad", "nothing\n")
    try folder.write("ok", "[Import]\nRoad=r\nMileage=m\nLatitude=a\nLongitude=o\n")
    try folder.write("folder/x", "")
    for row in Self.rows {
      let run = try RunningProgram(
        "/bin/sh",
        ["-c", "cd '\(folder.path)'; $0 \(row.script)", RunningProgram.product("milepostctl")])
      #expect(try run.end() == row.code, "\(row.script): \(run.lines)")
      #expect(run.lines.contains { $0.contains(row.says) }, "\(row.script): \(run.lines)")
    }
  }
}
