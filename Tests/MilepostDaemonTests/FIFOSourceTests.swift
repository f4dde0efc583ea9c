import Glibc
import Milepost
import TestSupport
import Testing

@testable import MilepostDaemon
@testable import SystemdKit

struct FIFOSourceTests {
  /// Writes as any other process would, and closes.
  private static func write(_ text: String, to path: String) throws {
    let writer = try FileDescriptor.open(path, O_WRONLY | O_NONBLOCK)
    let raw = writer.rawValue
    let bytes = Array(text.utf8)
    let count = try retryingInterrupts("write", on: path) {
      bytes.withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) }
    }
    try #require(count == bytes.count)
  }

  private static func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode
  }

  @Test func `a FIFO is made where there is none, for owner and group, and stays after the end`()
    throws
  {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    let source = FIFOSource(loop: test.loop, path: path)
    try source.start()
    #expect(try Self.mode(of: path) == S_IFIFO | 0o660)
    #expect(source.state == .noFix)
    source.stop()
    #expect(try Self.mode(of: path) == S_IFIFO | 0o660)
  }

  @Test func `a FIFO that exists keeps its mode, also behind a symbolic link`() throws {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(symlink(path, scratch.path + "/link") == 0)
    let source = FIFOSource(loop: test.loop, path: scratch.path + "/link")
    let record = SourceRecord(source)
    try source.start()
    try Self.write("2026-11-30T09:06:40Z,48.5,11.5\n", to: path)
    try test.wait(for: "a fix") { record.fixes.count == 1 }
    #expect(try Self.mode(of: path) == S_IFIFO | 0o600)
    source.stop()
  }

  @Test func `writers come and go`() throws {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    let source = FIFOSource(loop: test.loop, path: path)
    let record = SourceRecord(source)
    try source.start()
    for second in 1...3 {
      try Self.write(Line.fix(second: second) + "\n", to: path)
      try test.wait(for: "fix \(second)") { record.fixes.count == second }
    }
    #expect(record.states == [.fix])
    #expect(record.fixes.last?.device == source.deviceID(named: "/dev/ttyGPS0"))
    #expect(source.counters.description == "lines 3, fixes 3")
    source.stop()
  }

  @Test func `each line tells its format, and what is none is counted`() throws {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    let source = FIFOSource(loop: test.loop, path: path)
    let record = SourceRecord(source)
    try source.start()
    // A torn first line, a blank one, binary, CSV, TPV, NMEA (RMC by hand: checksum in Python).
    let lines = [
      #"0Z","lat":48.5,"lon":11.5}"#, "", "\u{1}\u{2}\u{7f}", "2026-11-30T09:06:40Z,48.5,11.5",
      Line.fix(second: 41),
      "$GPRMC,090642.00,A,4830.0000,N,01130.0000,E,010.0,090.0,301126,,,A*54",
    ]
    try Self.write(lines.map { $0 + "\n" }.joined(), to: path)
    try test.wait(for: "three fixes") { record.fixes.count == 3 }
    #expect(record.fixes.compactMap(\.time?.components.second) == [40, 41, 42])
    #expect(source.counters.malformed == 2)
    #expect(source.counters.lines == 6)
    source.stop()
  }

  @Test func `a writer of one byte at a time is read as well, and a long line is dropped`() throws {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    let source = FIFOSource(loop: test.loop, path: path)
    let record = SourceRecord(source)
    try source.start()
    for byte in (Line.fix() + "\n") {
      try Self.write(String(byte), to: path)
      try test.loop.runOnce(timeoutMS: 0)
    }
    try test.wait(for: "a fix") { record.fixes.count == 1 }
    for _ in 0..<3 {
      try Self.write(String(repeating: "x", count: 30_000), to: path)
      try test.loop.runOnce(timeoutMS: 0)
    }
    try Self.write("\n" + Line.fix(second: 1) + "\n", to: path)
    try test.wait(for: "another fix") { record.fixes.count == 2 }
    #expect(source.counters.overlong == 1)
    #expect(source.counters.malformed == 0)
    source.stop()
  }

  @Test func `a fix is lost where nothing usable comes for MaxGap, and told of once`() throws {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    let source = FIFOSource(loop: test.loop, path: path, maxGap: 100)
    let record = SourceRecord(source)
    try source.start()
    try Self.write(Line.fix() + "\n", to: path)
    try test.wait(for: "the loss") { record.states == [.fix, .stale] }
    try Self.write(Line.fix(second: 1) + "\n", to: path)
    try test.wait(for: "the return") { record.states.count == 3 }
    #expect(record.changes[2].message.hasPrefix("fix restored after 0 s from FIFO "))
    source.stop()
  }

  @Test func `a FIFO that is removed is made anew, and what was written before is read`() throws {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    let source = FIFOSource(loop: test.loop, path: path, lookEvery: 20)
    let record = SourceRecord(source)
    try source.start()
    try Self.write(Line.fix() + "\n", to: path)
    try #require(unlink(path) == 0)
    try test.wait(for: "another FIFO") { access(path, F_OK) == 0 }
    #expect(try Self.mode(of: path) == S_IFIFO | 0o660)
    try Self.write(Line.fix(second: 1) + "\n", to: path)
    try test.wait(for: "both fixes") { record.fixes.count == 2 }
    #expect(source.state == .fix)
    source.stop()
  }

  @Test func `what stands in the FIFO's place is told of, and read again once it is a FIFO`() throws
  {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    let source = FIFOSource(loop: test.loop, path: path, lookEvery: 20)
    let record = SourceRecord(source)
    try source.start()
    try Self.write(Line.fix() + "\n", to: path)
    try test.wait(for: "a fix") { record.fixes.count == 1 }
    try #require(unlink(path) == 0 && creat(path, 0o600) >= 0)
    try test.wait(for: "the loss") { record.states.last == .unreachable }
    #expect(
      record.changes.last?.message.hasSuffix(
        "is a regular file, not a FIFO: remove it, or set Path= to a FIFO") == true)
    try #require(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    try test.wait(for: "the return") { source.state != .unreachable }
    try Self.write(Line.fix(second: 1) + "\n", to: path)
    try test.wait(for: "another fix") { record.fixes.count == 2 }
    source.stop()
  }

  @Test func `another MaxGap counts from now on`() {
    var session = FIFOSession(name: "FIFO f", maxGap: 10_000)
    _ = session.usableFix(at: 0)
    _ = session.setMaxGap(60_000, at: 1_000)
    #expect(session.state(at: 59_000) == .fix)
    #expect(session.state(at: 61_000) == .stale)
  }

  @Test func `reports without a fix are the state no-fix`() {
    var session = FIFOSession(name: "FIFO f", maxGap: 10_000)
    #expect(session.tick(at: 0) == nil)
    #expect(session.tick(at: 2_000)?.message == "FIFO f is open, waiting for a usable fix")
    #expect(session.usableFix(at: 3_000)?.message == "fix from FIFO f")
    #expect(session.withoutFix(at: 4_000) == nil)
    #expect(session.nextDeadline(after: 4_000) == 6_000)
    #expect(session.tick(at: 6_000) == nil)
    #expect(session.state(at: 6_000) == .noFix)
    #expect(
      session.tick(at: 8_000)?.message == "fix lost: what is written to FIFO f has no position")
  }

  struct Row: CustomTestStringConvertible {
    var name: String
    var make: @Sendable (String) -> Int32
    var message: String
    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "a regular file", make: { creat($0, 0o600) },
      message: "PATH is a regular file, not a FIFO: remove it, or set Path= to a FIFO"),
    Row(
      name: "a directory", make: { mkdir($0, 0o700) },
      message: "PATH is a directory, not a FIFO: remove it, or set Path= to a FIFO"),
    Row(
      name: "a socket", make: { mknod($0, S_IFSOCK | 0o600, 0) },
      message: "PATH is a socket, not a FIFO: remove it, or set Path= to a FIFO"),
    Row(
      name: "a device", make: { symlink("/dev/null", $0) },
      message: "PATH is a device, not a FIFO: remove it, or set Path= to a FIFO"),
    Row(
      name: "a link to nothing", make: { symlink("/nowhere/at/all", $0) },
      message: "PATH is a symbolic link to nothing: remove it, or set Path= to a FIFO"),
  ]

  @Test("what is no FIFO is an error that says what it is", arguments: rows)
  func refuses(_ row: Row) throws {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    try #require(row.make(path) >= 0)
    let source = FIFOSource(loop: test.loop, path: path)
    let message = row.message.replacing("PATH", with: path)
    #expect(throws: SourceError(message)) { try source.start() }
  }

  @Test func `a missing directory is an error that says so`() throws {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let source = FIFOSource(loop: test.loop, path: scratch.path + "/run/fixes")
    let message =
      "\(scratch.path)/run/fixes: its directory does not exist: make it, or set Path= to another place"
    #expect(throws: SourceError(message)) { try source.start() }
  }

  @Test func `a FIFO passed for reading only is kept open all the same`() throws {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    #expect(mkfifo(path, 0o600) == 0)
    let raw = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(raw >= 0)
    let passed = ListenDescriptor(rawValue: raw, name: "fixes")
    #expect(FIFOSource.choose(from: [passed]) == passed)
    let source = try FIFOSource(loop: test.loop, passed: passed)
    let record = SourceRecord(source)
    #expect(source.name == "FIFO fixes (from systemd)")
    try source.start()
    for second in 1...2 {
      try Self.write(Line.fix(second: second) + "\n", to: path)
      try test.wait(for: "fix \(second)") { record.fixes.count == second }
    }
    #expect(source.state == .fix)
    source.stop()
  }

  @Test func `a FIFO of systemd's that is removed is told, until one who has it open writes`()
    throws
  {
    let test = try SourceLoop()
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fixes"
    #expect(mkfifo(path, 0o600) == 0)
    let passed = ListenDescriptor(rawValue: open(path, O_RDWR | O_CLOEXEC), name: "fixes")
    let writer = try FileDescriptor.open(path, O_WRONLY | O_NONBLOCK)
    var patience = StateAnnouncer.Patience()
    (patience.change, patience.betweenTroubles) = (0, 0)
    let source = try FIFOSource(
      loop: test.loop, passed: passed, patience: patience, lookEvery: 20)
    let record = SourceRecord(source)
    try source.start()
    unlink(path)
    try test.wait(for: "it is told") { source.state == .unreachable }
    #expect(
      record.changes.last?.message
        == "FIFO fixes (from systemd) lost: it is removed (systemctl restart milepostd makes a new one)"
    )
    let line = Line.fix(second: 1) + "\n"
    #expect(Glibc.write(writer.rawValue, line, line.utf8.count) == line.utf8.count)
    try test.wait(for: "its fix") { source.state == .fix }
    source.stop()
  }

  @Test func `of what systemd passes the FIFO named fixes is read, or the only one`() throws {
    let scratch = try ScratchFolder()
    func fifo(_ name: String) throws -> ListenDescriptor {
      try #require(mkfifo("\(scratch.path)/\(name)", 0o600) == 0)
      let raw = open("\(scratch.path)/\(name)", O_RDWR | O_NONBLOCK | O_CLOEXEC)
      return ListenDescriptor(rawValue: raw, name: name)
    }
    let (one, fixes, two) = (try fifo("one"), try fifo("fixes"), try fifo("two"))
    let file = ListenDescriptor(
      rawValue: open("/dev/null", O_RDWR | O_CLOEXEC), name: "fixes")
    defer { for it in [one, fixes, two, file] { close(it.rawValue) } }
    #expect(FIFOSource.choose(from: [one, fixes, two]) == fixes)
    #expect(FIFOSource.choose(from: [file, one]) == one)
    #expect(FIFOSource.choose(from: [one, two]) == nil)
    #expect(FIFOSource.choose(from: []) == nil)
  }
}
