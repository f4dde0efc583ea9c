import Glibc
import SystemdKit
import TestSupport

/// The real milepostd built beside the benchmark, in a scratch folder, on generated mileposts and a
/// FIFO.
final class DaemonUnderBench {
  let scratch: ScratchFolder
  var fifo: String { scratch("fixes") }
  private var configuration: String { scratch("milepostd.conf") }

  /// `database` is in the scratch folder unless it is named.
  init(markers: String, database: String? = nil) throws {
    scratch = try ScratchFolder()
    try scratch.write("markers.csv", markers)
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
      [Events]
      Database=\(database ?? scratch("events.db"))

      """)
    mkdir(scratch("hooks.d"), 0o755)
  }

  func addHook(_ name: String, _ script: String) throws {
    try scratch.write("hooks.d/\(name)", "#!/bin/sh\n\(script)\n", mode: 0o755)
  }

  /// Starts it and waits until it says READY; the time from before the exec, ns.
  func start() throws -> (daemon: RunningProgram, readyAfter: Int64) {
    let notifications = try NotificationSocket(path: scratch("notify"))
    let begin = Stopwatch.nanoseconds()
    let daemon = try RunningProgram(
      RunningProgram.product("milepostd"), ["--config", configuration],
      environment: [("NOTIFY_SOCKET", notifications.path)])
    try notifications.waitForReady()
    return (daemon, Stopwatch.nanoseconds() - begin)
  }

  func stop(_ daemon: RunningProgram) throws {
    daemon.signal(SIGTERM)
    try daemon.end()
  }
}

/// The service manager's end of sd_notify(3).
private final class NotificationSocket {
  let path: String
  private let socket: FileDescriptor

  init(path: String) throws {
    self.path = path
    unlink(path)
    let raw = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
    guard raw >= 0 else { throw SystemError(call: "socket", subject: path, errno: errno) }
    socket = FileDescriptor(owning: raw)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafeBytes(of: &address) { bytes in
      bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.map {
        bind(raw, $0, socklen_t(bytes.count))
      }
    }
    guard result == 0 else { throw SystemError(call: "bind", subject: path, errno: errno) }
  }

  func waitForReady() throws {
    var descriptor = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while poll(&descriptor, 1, Int32(RunningProgram.patience)) == 1 {
      let count = try buffer.withUnsafeMutableBytes { try socket.read(into: $0) } ?? 0
      if buffer.prefix(count).starts(with: "READY=1".utf8) { return }
    }
    throw RunningProgram.TimeOut(waitedFor: "READY", lines: [])
  }
}
