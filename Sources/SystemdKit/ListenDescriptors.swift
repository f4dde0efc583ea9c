internal import CSystemd
internal import Glibc

/// A descriptor that systemd opened for us: a socket unit's FIFO or socket.
package struct ListenDescriptor: Equatable, Sendable {
  /// Close-on-exec; wrap it in ``FileDescriptor/init(owning:)`` once.
  package let rawValue: Int32
  /// `FileDescriptorName=` of the socket unit, by default the unit's name.
  package let name: String

  /// Whether it is a FIFO, by sd_is_fifo(3).
  package func isFIFO() throws(SystemError) -> Bool {
    try check(sd_is_fifo(rawValue, nil), "sd_is_fifo", on: name) > 0
  }
}

/// The descriptors passed by systemd.
package enum ListenDescriptors {
  /// Takes them all, by sd_listen_fds_with_names(3), and unsets LISTEN_FDS, LISTEN_PID and
  /// LISTEN_FDNAMES: a second call gives none.
  package static func take() throws(SystemError) -> [ListenDescriptor] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let result = sd_listen_fds_with_names(1, &names)
    let count = try check(result, "sd_listen_fds_with_names", on: "LISTEN_FDS")
    defer {
      for index in 0..<Int(count) { free(names?[index]) }
      free(names)
    }
    return (0..<count).map { index in
      let name = names?[Int(index)].map { String(cString: $0) }
      return ListenDescriptor(rawValue: firstDescriptor + index, name: name ?? "unknown")
    }
  }

  /// Before an end that the next start will share: where systemd passed a socket or FIFO, it would
  /// start the program again at once, 20 times in 2 s, and then give the socket up. Waits 5 s, or
  /// for one of these blocked signals; sigtimedwait(2).
  package static func holdTrigger(until signals: [Int32]) {
    guard let passed = try? take(), !passed.isEmpty else { return }
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    var patience = timespec(tv_sec: 5, tv_nsec: 0)
    sigtimedwait(&set, nil, &patience)
  }

  /// SD_LISTEN_FDS_START.
  private static let firstDescriptor: Int32 = 3
}
