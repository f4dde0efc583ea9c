import Glibc
import TestSupport
import Testing

/// Where `milepostctl import` writes to, and what is left of an import that does not end.
@Suite("Targets of an import")
struct ImportTargetTests {
  private static let columns = "--road r --mileage m --lat a --lon o"
  private static let header =
    "road,mileage,latitude,longitude,category,section,carriageway,name,radius,kind,plate"
  private static let written = [header, "A,1K+000,50,8,,,,,,,1"]

  private struct Row {
    var name: String
    /// A shell's, with `$0` the program, `$in` a file to import, `$columns`, in the scratch folder.
    var script: String
    var code: Int32 = 0
    /// The file looked at afterwards, and its lines.
    var file = "out"
    var lines = ImportTargetTests.written
    /// On standard error.
    var says = "1 rows read"
    /// What the folder holds then.
    var entries = ["out"]
  }

  private func check(_ row: Row) throws {
    let folder = try ScratchFolder()
    let source = try folder.write("in/agency.csv", "r,m,a,o\nA,1,50,8\n")
    try folder.write("work/.keep", "")
    unlink(folder("work/.keep"))
    let run = try RunningProgram(
      "/bin/sh",
      [
        "-c", "cd '\(folder("work"))'; in='\(source)'; columns='\(Self.columns)'; \(row.script)",
        RunningProgram.product("milepostctl"),
      ])
    #expect(try run.end() == row.code, "\(row.name): \(run.lines)")
    #expect(run.lines.contains { $0.contains(row.says) }, "\(row.name): \(run.lines)")
    let entries = try Self.entries(folder("work"))
    #expect(entries == row.entries, "\(row.name)")
    guard entries.contains(row.file) else { return }
    #expect(try TestData.lines(of: folder("work/\(row.file)")) == row.lines, "\(row.name)")
  }

  private static func entries(_ folder: String) throws -> [String] {
    let list = try RunningProgram("/bin/ls", ["-A", folder])
    _ = try list.end()
    return list.lines
  }

  @Test("a file is replaced, a link kept, and all else written in place")
  func places() throws {
    let import_ = "$0 import $columns"
    for row in [
      Row(name: "a new file", script: "\(import_) -o out $in"),
      Row(name: "an old file", script: "echo old >out; \(import_) -o out $in"),
      Row(name: "standard output", script: "\(import_) -o - $in >out"),
      Row(
        name: "a link stays one", script: "echo old >out; ln -s out link; \(import_) -o link $in",
        entries: ["link", "out"]),
      Row(
        name: "a link to no file yet", script: "ln -s out link; \(import_) -o link $in",
        entries: ["link", "out"]),
      Row(
        name: "/dev/stdout that is a file", script: "(echo 1; \(import_) -o /dev/stdout $in) >out",
        lines: ["1"] + Self.written),
      Row(
        name: "/dev/stdout at a file's end",
        script: "echo 1 >out; \(import_) -o /dev/stdout $in >>out",
        lines: ["1"] + Self.written),
      Row(name: "/dev/stdout that is a pipe", script: "\(import_) -o /dev/stdout $in | cat >out"),
      Row(name: "another descriptor", script: "\(import_) -o /dev/fd/3 $in 3>out"),
      Row(
        name: "a FIFO",
        script: "mkfifo fifo; cat fifo >out & \(import_) -o fifo $in; c=$?; wait; exit $c",
        entries: ["fifo", "out"]),
      Row(name: "a device", script: "\(import_) -o /dev/null $in; [ -c /dev/null ]", entries: []),
    ] { try check(row) }
  }

  @Test("what cannot be written is told with exit status 74, and an old file stays whole")
  func failures() throws {
    let import_ = "$0 import $columns"
    for row in [
      Row(
        name: "a full device", script: "\(import_) -o /dev/full $in", code: 74,
        says: "/dev/full: cannot be written: No space left", entries: []),
      Row(
        name: "no folder", script: "\(import_) -o none/out $in", code: 74,
        says: "none/out: cannot be written: No such file", entries: []),
      Row(
        name: "standard output is closed", script: "\(import_) -o - $in >&-", code: 74,
        says: "standard output: cannot be written: Bad file", entries: []),
      Row(
        name: "standard error is closed", script: "\(import_) -o out $in 2>&-; echo 1 rows read"),
      Row(
        name: "a limit of file sizes",
        script: """
          echo old >out; echo r,m,a,o >big; seq 60 | sed 's/.*/A,&,50.&,8/' >>big
          ulimit -f 1; \(import_) -o out big; c=$?; rm big; exit $c
          """, code: 74, lines: ["old"], says: "out: cannot be written: File too large"),
    ] { try check(row) }
  }

  @Test("a dry run says what writing would fail at, and writes nothing")
  func dry() throws {
    let dry = "$0 import --dry-run $columns"
    let conf = "printf '[Fences]\\nMarkers=\\nMarkers=%s\\n' \"$PWD/$1\" >"
    for row in [
      Row(name: "a file that can be", script: "\(dry) -o out $in", entries: []),
      Row(
        name: "no folder", script: "\(dry) -o none/out $in", code: 74,
        says: "none/out: cannot be written: No such file", entries: []),
      Row(
        name: "the report comes all the same", script: "\(dry) -o none/out $in", code: 74,
        entries: []
      ),
      Row(
        name: "a directory", script: "mkdir d; \(dry) -o d $in; c=$?; rmdir d; exit $c", code: 74,
        says: "d: is a directory", entries: []),
      Row(
        name: "standard output is closed", script: "\(dry) -o - $in >&-", code: 74,
        says: "standard output: cannot be written", entries: []),
      Row(
        name: "the configured folder is not there",
        script: "set -- 'none/*.csv'; \(conf)c; \(dry) --config c $in", code: 74,
        says: "none/agency.csv: cannot be written: No such file", entries: ["c"]),
      Row(
        name: "a bad configuration", script: "echo x >c; \(dry) --config c $in", code: 78,
        says: "c:1:", entries: ["c"]),
      Row(
        name: "standard input has no name", script: "\(dry) - <$in", code: 64,
        says: "name the marker file with -o", entries: []),
    ] { try check(row) }
  }

  @Test(
    "a full disk leaves the old file and no other",
    .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.absence)"))
  func fullDisk() throws {
    let disk = try SmallDisk(kilobytes: 64)
    let folder = try ScratchFolder()
    let rows = (0..<3_000).map { "A,\($0),\(Double($0) / 100),8\n" }.joined()
    let source = try folder.write("agency.csv", "r,m,a,o\n" + rows)
    let target = disk.path + "/markers.csv"
    let copy = try RunningProgram("/bin/sh", ["-c", "echo old >\(target)"])
    _ = try copy.end()
    let run = try RunningProgram(
      RunningProgram.product("milepostctl"),
      ["import"] + Self.columns.split(separator: " ").map(String.init) + ["-o", target, source])
    #expect(try run.end() == 74)
    #expect(run.lines.last?.contains("markers.csv: cannot be written: No space left") ?? false)
    #expect(try Self.entries(disk.path) == ["markers.csv"])
    #expect(try TestData.lines(of: target) == ["old"])
  }

  @Test(
    "an import that is ended while it writes leaves nothing",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGKILL])
  func ended(signal: Int32) throws {
    let folder = try ScratchFolder()
    // The report is longer than a pipe holds, and nobody reads it: it cannot come to the end.
    let rows = (0..<3_000).map { "A road called \($0),1,50,8\n" }.joined()
    let source = try folder.write("in/agency.csv", "r,m,a,o\n" + rows)
    let target = try folder.write("work/markers.csv", "old\n")
    let run = try RunningProgram(
      RunningProgram.product("milepostctl"),
      ["import"] + Self.columns.split(separator: " ").map(String.init) + ["-o", target, source])
    try Self.waitUntilOpen(in: folder("work"), of: run)
    run.signal(signal)
    #expect(try run.end() == -signal)
    #expect(try Self.entries(folder("work")) == ["markers.csv"])
    #expect(try TestData.lines(of: target) == ["old"])
  }

  /// Waits until the program has a file open in the folder, named or not.
  private static func waitUntilOpen(in folder: String, of run: RunningProgram) throws {
    while access("/proc/\(run.pid)/exe", F_OK) == 0 {
      for number in 3...9 {
        let link = link("/proc/\(run.pid)/fd/\(number)")
        if link?.hasPrefix(folder + "/") ?? false { return }
      }
    }
    throw RunningProgram.TimeOut(waitedFor: "a file in \(folder)", lines: run.lines)
  }

  private static func link(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 512)
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
