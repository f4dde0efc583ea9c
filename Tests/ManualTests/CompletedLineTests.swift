import Glibc
import TestSupport
import Testing

/// What bash and zsh on a terminal make of a line when the tab key is pressed at its end.
@Suite("Completed lines", .enabled(if: Python.isThere, "python3 is not there (make deps)"))
struct CompletedLineTests {
  struct Row {
    var typed: String
    /// What bash makes of it.
    var completed: String
    /// What zsh makes of it, if that is not the same.
    var zsh: String?

    init(_ typed: String, _ completed: String, zsh: String? = nil) {
      self.typed = typed
      self.completed = completed
      self.zsh = zsh
    }
  }

  private static let package = TestData.package
  private static let rows = [
    Row("milepostctl import --preset=tw-f", "milepostctl import --preset=tw-freeway-p"),
    Row("milepostctl import --preset tw-f", "milepostctl import --preset tw-freeway-p"),
    Row("milepostctl import --format=c", "milepostctl import --format=csv "),
    Row("milepostctl import --unit=h", "milepostctl import --unit=hm "),
    Row("milepostctl find --tie=s", "milepostctl find --tie=smaller "),
    Row("milepostctl import --output=f/o", #"milepostctl import --output=f/one\ two.csv "#),
    Row("milepostctl import -of/o", #"milepostctl import -of/one\ two.csv "#),
    Row("milepostctl import --output f/o", #"milepostctl import --output f/one\ two.csv "#),
    Row(#"milepostctl find --markers=f/one\ "#, #"milepostctl find --markers=f/one\ two.csv "#),
    Row(#"milepostctl find --markers f/one\ "#, #"milepostctl find --markers f/one\ two.csv "#),
    Row(
      #"milepostctl replay --config="f/o"#, #"milepostctl replay --config="f/one two.csv" "#,
      zsh: #"milepostctl replay --config=f/one\ two.csv "#),
    Row(
      "milepostctl roads --config=f/x=", #"milepostctl roads --config=f/x=y\:z.conf "#,
      zsh: "milepostctl roads --config=f/x=y:z.conf "),
    Row("milepostctl roads --config=f/x=y:", "milepostctl roads --config=f/x=y:z.conf "),
    Row("milepostd --config=f/o", #"milepostd --config=f/one\ two.csv "#),
    Row(#"milepostd --config f/one\ "#, #"milepostd --config f/one\ two.csv "#),
    Row("milepostd --config=f/x=y:", "milepostd --config=f/x=y:z.conf "),

    Row("milepostctl find --config=c.conf C", "milepostctl find --config=c.conf C9 "),
    Row("milepostctl find --config c.conf C", "milepostctl find --config c.conf C9 "),
    Row("milepostctl find --markers=m.csv A", "milepostctl find --markers=m.csv A1 "),
    Row("milepostctl find --markers ~/m.csv A", "milepostctl find --markers ~/m.csv A1 "),
    Row(
      "milepostctl find --markers=m.csv --category=y E",
      "milepostctl find --markers=m.csv --category=y E:2 "),
    Row(
      "milepostctl find --markers=m.csv --markers=c.csv C",
      "milepostctl find --markers=m.csv --markers=c.csv C9 "),
    Row(
      "milepostctl find --markers m.csv Ex", #"milepostctl find --markers m.csv Example\ road "#),
    Row(
      #"milepostctl find --markers m.csv Example\ "#,
      #"milepostctl find --markers m.csv Example\ road "#),
    Row(
      #"milepostctl find --markers m.csv "Example ro"#,
      #"milepostctl find --markers m.csv "Example road" "#),
    Row(
      "milepostctl find --markers m.csv 'Example ro",
      "milepostctl find --markers m.csv 'Example road' "),
    Row("milepostctl find --markers m.csv E:", "milepostctl find --markers m.csv E:2 "),
  ]

  /// A folder with the files that the rows name.
  private static func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try folder.write("f/one two.csv", "")
    try folder.write("f/x=y:z.conf", "")
    try folder.write(
      "m.csv",
      """
      road,mileage,latitude,longitude,category
      A1,0K+000,1,1,x
      Example road,0K+100,1,2,x
      E:2,0K+100,1,3,y

      """)
    try folder.write("c.csv", "road,mileage,latitude,longitude\nC9,0K+000,1,1\n")
    try folder.write("c.conf", "[Fences]\nMarkers=\(folder.path)/c.csv\n")
    return folder
  }

  private func expectLines(_ shell: String, _ expected: (Row) -> String) throws {
    let folder = try Self.folder()
    let products = RunningProgram.product("milepostctl").dropLast("/milepostctl".count)
    let run = try RunningProgram(
      "/usr/bin/env",
      [
        "-C", folder.path, "HOME=\(folder.path)", "LC_ALL=C.UTF-8",
        "PATH=\(products):/usr/bin:/bin", "MILEPOST_PRESETS=\(Self.package)/Config/presets",
        "python3", "\(Self.package)/Tests/ManualTests/complete.py", shell,
        "\(Self.package)/Packaging/completions",
      ] + Self.rows.map(\.typed))
    #expect(try run.end() == 0, "\(run.lines)")
    try #require(run.lines.count == Self.rows.count)
    for (row, line) in zip(Self.rows, run.lines) {
      #expect(line == expected(row), "\(shell): \(row.typed)")
    }
  }

  @Test(
    "bash completes a line as it stands",
    .enabled(if: access("/bin/bash", X_OK) == 0, "bash is not installed"))
  func bash() throws {
    try expectLines("bash", \.completed)
  }

  @Test(
    "zsh completes a line as it stands",
    .enabled(if: access("/usr/bin/zsh", X_OK) == 0, "zsh is not installed (make deps)"))
  func zsh() throws {
    try expectLines("zsh") { $0.zsh ?? $0.completed }
  }
}
