import Glibc
import SystemdKit
import TestSupport

/// journald's twin: its socket, where only the daemons started by ``command(_:_:)`` see it.
final class JournalTwin {
  /// One entry, by field; values that are no text are not of interest.
  typealias Entry = [String: String]

  private let folder: String
  private let namespace: MountNamespace
  private var descriptor: Int32 = -1
  private(set) var entries: [Entry] = []

  private var socketPath: String { folder + "/socket" }

  init(in scratch: ScratchFolder) throws {
    folder = scratch("journal")
    mkdir(folder, 0o755)
    namespace = try MountNamespace(
      """
      mount -t tmpfs tmpfs /run
      mkdir -p /run/systemd/journal
      mount --bind '\(folder)' /run/systemd/journal
      """)
    try listen()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func command(_ program: String, _ arguments: [String]) -> [String] {
    namespace.command(program, arguments)
  }

  /// Begins to listen, as journald does when it starts.
  func listen() throws {
    let raw = socket(
      AF_UNIX,
      Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      throw SystemError(call: "bind", subject: socketPath, errno: errno)
    }
    descriptor = raw
  }

  /// Is gone, socket and all.
  func disappear() {
    drain()
    close(descriptor)
    descriptor = -1
    unlink(socketPath)
  }

  /// Takes what has come. Unix datagrams arrive before their sending returns.
  func drain() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while descriptor >= 0 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      entries.append(Self.fields(buffer.prefix(count)))
    }
  }

  /// The events told so far, repeats too.
  var events: [Entry] { entries.filter { $0["MILEPOST_EVENT"] != nil } }

  var eventIDs: [String] { events.compactMap { $0["MILEPOST_EVENT_ID"] } }

  /// What happened, as ``StoredRows/Row/told`` has it.
  var told: [String] {
    events.map { entry in
      ["MILEPOST_EVENT", "MILEPOST_FENCE", "MILEPOST_TIME"].map { entry[$0] ?? "" }
        .joined(separator: " ")
    }
  }

  /// What the daemon said besides.
  var messages: [String] {
    entries.filter { $0["MILEPOST_EVENT"] == nil }.compactMap { $0["MESSAGE"] }
  }

  /// Source: systemd.io/JOURNAL_NATIVE_PROTOCOL: `NAME=value`, or NAME, a length of 64 bits, value.
  private static func fields(_ datagram: ArraySlice<UInt8>) -> Entry {
    var entry: Entry = [:]
    var rest = datagram
    while let end = rest.firstIndex(of: 0x0A) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
        entry[String(decoding: line[..<equals], as: UTF8.self)] =
          String(decoding: line[(equals + 1)...], as: UTF8.self)
      } else {
        let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(8 + count + 1)
      }
    }
    return entry
  }
}
