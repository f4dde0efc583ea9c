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
  /// It succeeds and loses the entry where no journald is: ask ``socketExists`` where that matters.
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

  /// Whether journald listens, or at least did.
  package static var socketExists: Bool { access(socketPath, F_OK) == 0 }

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
