internal import CSystemd
internal import Glibc

/// One field of a journal entry. The value may hold any bytes, newlines too.
package struct JournalField: Equatable, Sendable {
  /// Upper-case letters, digits and `_`, for example `MILEPOST_EVENT`.
  package let name: String
  package let value: [UInt8]

  package init(_ name: String, _ value: [UInt8]) {
    self.name = name
    self.value = value
  }

  package init(_ name: String, _ text: String) {
    self.init(name, Array(text.utf8))
  }

  package static func message(_ text: String) -> JournalField { .init("MESSAGE", text) }
  /// The catalog's key, 32 hexadecimal digits.
  package static func messageID(_ id: String) -> JournalField { .init("MESSAGE_ID", id) }
  /// Syslog's level, 0 (emergency) to 7 (debug).
  package static func priority(_ level: Int) -> JournalField { .init("PRIORITY", "\(level)") }
  package static func identifier(_ name: String) -> JournalField {
    .init("SYSLOG_IDENTIFIER", name)
  }
}

/// The systemd journal.
package enum Journal {
  /// journald's socket.
  package static let socketPath = "/run/systemd/journal/socket"

  /// Writes one entry, by sd_journal_sendv(3).
  ///
  /// It succeeds and loses the entry where no journald is, and waits where journald reads nothing:
  /// ask ``takesEntries`` where that matters.
  package static func send(_ fields: [JournalField]) throws(SystemError) {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for field in fields {
      bytes += field.name.utf8
      bytes.append(UInt8(ascii: "="))
      bytes += field.value
      ends.append(bytes.count)
    }
    let result = bytes.withUnsafeMutableBytes { all -> Int32 in
      var start = 0
      let parts = ends.map { end in
        defer { start = end }
        return iovec(iov_base: all.baseAddress.map { $0 + start }, iov_len: end - start)
      }
      return sd_journal_sendv(parts, Int32(parts.count))
    }
    try check(result, "sd_journal_sendv", on: "journal")
  }

  /// Whether stderr is a stream to the journal: JOURNAL_STREAM names its device and inode.
  package static var isConnected: Bool {
    isStream(getenv("JOURNAL_STREAM").map { String(cString: $0) }, descriptor: 2)
  }

  /// Whether journald listens, and has room for an entry; connect(2) and poll(2), which tells of a
  /// connected datagram socket whether the queue of the other end is full.
  package static var takesEntries: Bool {
    guard probe >= 0 else { return access(socketPath, F_OK) == 0 }
    return connect(probe) && hasRoom(probe)
  }

  /// Kept open, so that it is there when descriptors have run out.
  private static let probe = socket(
    AF_UNIX,
    Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)

  /// Whether a write to the descriptor would not have to wait; poll(2).
  package static func hasRoom(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLOUT) != 0
  }

  private static func connect(_ probe: Int32) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// Whether `variable`, `device:inode` in decimal, names the file of `descriptor`.
  static func isStream(_ variable: String?, descriptor: Int32) -> Bool {
    guard let parts = variable?.split(separator: ":", omittingEmptySubsequences: false),
      parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1])
    else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }
}
