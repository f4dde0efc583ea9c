import Glibc
import SystemdKit
import TestSupport

/// A folder with all that a real milepostd needs: configuration, mileposts, a hook, a FIFO that its
/// feeder keeps open, and a journal of its own.
final class DaemonHome {
  let scratch: ScratchFolder
  let journal: JournalTwin
  let database: String
  private let fifo: FileDescriptor
  private var configuration: String { scratch("milepostd.conf") }

  /// `hooks`: as many recording hooks; `more`: further lines of the section [Hooks].
  init(database: String? = nil, hooks: Int = 1, more: String = "") throws {
    scratch = try ScratchFolder()
    journal = try JournalTwin(in: scratch)
    self.database = database ?? scratch("events.db")
    try scratch.write("markers.csv", Drive.markers)
    try scratch.write(
      "milepostd.conf",
      """
      [Source]
      Type=fifo
      Path=\(scratch("fixes"))
      [Fences]
      Markers=
      Markers=\(scratch("markers.csv"))
      [Hooks]
      Directory=\(scratch("hooks.d"))
      RunOnInitial=yes
      \(more)
      [Events]
      Database=\(self.database)

      """)
    mkfifo(scratch("fixes"), 0o600)
    fifo = try FileDescriptor.open(scratch("fixes"), O_RDWR | O_NONBLOCK)
    // One write(2) with O_APPEND for each run; some take longer than the next commit.
    let script = """
      #!/bin/sh
      cat >/dev/null
      [ $((MILEPOST_SEQUENCE % 4)) -ne 0 ] || sleep 0.03
      printf '%s %s %s\\n' "$MILEPOST_EVENT_ID" "$1" "$2" >>'\(scratch.path)'/hooked-"${0##*/}"

      """
    for number in 0..<hooks {
      try scratch.write("hooks.d/hook\(number)", script, mode: 0o755)
    }
  }

  func start() throws -> Daemon {
    try Daemon(
      journal.command(
        RunningProgram.product("milepostd"), ["--config", configuration]),
      errors: scratch("stderr"))
  }

  // MARK: The feeder

  func feed(_ fixes: some Sequence<Int>) {
    feed(text: fixes.map { Drive.fixes[$0].line }.joined())
  }

  func feed(text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(fifo.rawValue, $0.baseAddress, $0.count) }
  }

  /// What the daemon has not read yet, bytes.
  var unread: Int32 {
    var count: Int32 = 0
    _ = ioctl(fifo.rawValue, UInt(FIONREAD), &count)
    return count
  }

  func drainFIFO() throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while try buffer.withUnsafeMutableBytes({ try fifo.read(into: $0) }) ?? 0 > 0 {}
  }

  // MARK: What was told

  /// `id event fence` of each run of the hook that came to its end.
  func hooked(_ number: Int = 0) -> [String] {
    (try? TestData.lines(of: scratch("hooked-hook\(number)"))) ?? []
  }

  func hookedIDs(_ number: Int = 0) -> [String] {
    hooked(number).map { String($0.prefix { $0 != " " }) }
  }

  /// `enter FENCE`, without ids.
  func hookedEvents() -> [String] {
    hooked().map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  func wait(forMessage text: String) throws {
    try wait(for: text) { journal.messages.contains { $0.contains(text) } }
  }

  /// Looks at the journal until a condition holds, at most so many milliseconds.
  func wait(
    for what: String, patience: Int64 = RunningProgram.patience, _ condition: () throws -> Bool
  ) throws {
    let deadline = Clock.bootTimeMS + patience
    while Clock.bootTimeMS < deadline {
      journal.drain()
      if try condition() { return }
      usleep(500)
    }
    throw RunningProgram.TimeOut(
      waitedFor: what,
      lines: journal.messages + ((try? TestData.lines(of: scratch("stderr"))) ?? []))
  }

  /// Waits until the daemon has dealt with all that it was fed, journal included.
  func settle(_ daemon: Daemon) throws {
    // A blank line; once it is read, signals are what the daemon makes of them.
    feed(text: "\n")
    try wait(for: "the FIFO to be read") { unread == 0 || daemon.hasEnded }
    let count = journal.messages.count { $0.contains("accepted") }
    daemon.signal(SIGUSR1)
    try wait(for: "the counters") { journal.messages.count { $0.contains("accepted") } > count }
  }

  /// Lets all hooks end, and the daemon too.
  func finish(_ daemon: Daemon) throws -> Int32 {
    try settle(daemon)
    try wait(for: "the hooks") {
      Set(hookedIDs()).isSuperset(of: StoredRows(database: database).ids)
    }
    daemon.signal(SIGTERM)
    try wait(for: "the end") { daemon.hasEnded }
    return daemon.reap()
  }
}
