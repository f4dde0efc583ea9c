import Glibc
import SystemdKit
import TestSupport

/// A running milepostd whose standard error counts as a stream to the journal.
final class Daemon {
  private let pid: Int32
  private let pidfd: FileDescriptor
  private var isReaped = false

  /// `command` becomes milepostd under the process id that it is started with.
  init(_ command: [String], errors: String) throws {
    let null = try FileDescriptor.open("/dev/null", O_RDWR)
    let errors = try FileDescriptor.open(errors, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    var status = stat()
    fstat(errors.rawValue, &status)
    let spawn = Spawn(
      executable: command[0], arguments: command,
      environment: [
        ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
        ("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino)"),
      ])
    let child = try spawn.start(input: null, output: null, error: errors)
    pid = child.pid
    pidfd = FileDescriptor(owning: dup(child.pidfd.rawValue))
  }

  deinit {
    signal(SIGKILL)
    if !isReaped { _ = reap() }
  }

  func signal(_ signal: Int32) {
    if !isReaped { kill(pid, signal) }
  }

  /// So many descriptors it may have open from now on, by prlimit(1); those that it has stay.
  func limitDescriptors(to count: String) throws {
    let limit = try RunningProgram(
      "/usr/bin/prlimit", ["--pid", "\(pid)", "--nofile=\(count)"])
    _ = try limit.end()
  }

  /// Until SIGCONT it does not move.
  func pause() {
    signal(SIGSTOP)
    var status: Int32 = 0
    waitpid(pid, &status, WUNTRACED)
  }

  /// What a power cut does: it and its hooks end at one instant, with no chance to say anything.
  /// - Returns: how many hooks were under way.
  @discardableResult
  func cutPower() -> Int {
    pause()
    let hooks = hooks
    for hook in hooks { kill(hook, SIGKILL) }
    signal(SIGKILL)
    return hooks.count
  }

  /// Its children, as long as it does not move: whose parent, the fourth word of their stat, it is.
  private var hooks: [Int32] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let other = Int32(name), let stat = try? TestData.lines(of: "/proc/\(name)/stat").first,
        let name = stat.lastIndex(of: ")")
      else { continue }
      let words = stat[name...].split(separator: " ")
      if words.count > 2, Int32(words[2]) == pid { found.append(other) }
    }
    return found
  }

  var hasEnded: Bool {
    var descriptor = pollfd(fd: pidfd.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) == 1
  }

  /// Whether the program that it was started with has become milepostd.
  var isMilepostd: Bool {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/\(pid)/exe", &buffer, buffer.count)
    let path = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    return path.ends(with: "/milepostd".utf8)
  }

  /// Waits for the end. The exit code, or minus the signal's number.
  func reap() -> Int32 {
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    isReaped = true
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }
}

extension Array where Element == UInt8 {
  fileprivate func ends(with other: some Collection<UInt8>) -> Bool {
    suffix(other.count).elementsEqual(other)
  }
}
