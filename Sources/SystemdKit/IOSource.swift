internal import CSystemd
internal import Glibc

/// What a descriptor is ready for, the bits of epoll_ctl(2).
package struct IOEvents: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let readable = IOEvents(rawValue: UInt32(shim_epoll_in))
  package static let writable = IOEvents(rawValue: UInt32(shim_epoll_out))
  /// An error on the descriptor; always reported.
  package static let error = IOEvents(rawValue: UInt32(shim_epoll_err))
  /// The other end is closed; always reported.
  package static let hangUp = IOEvents(rawValue: UInt32(shim_epoll_hup))
  /// The other end of a stream socket has stopped writing.
  package static let readHangUp = IOEvents(rawValue: UInt32(shim_epoll_rdhup))
}

/// Watches one descriptor, by sd_event_add_io(3). The descriptor must outlive it.
package final class IOSource {
  private var reference: SourceReference?
  private var handler: ((IOEvents) -> Void)?

  fileprivate init(
    _ loop: EventLoop, _ descriptor: Int32, _ events: IOEvents, _ priority: EventPriority,
    _ handler: @escaping (IOEvents) -> Void
  ) throws(SystemError) {
    self.handler = handler
    let me = Unmanaged.passUnretained(self).toOpaque()
    reference = try SourceReference("descriptor", "sd_event_add_io", priority: priority) {
      sd_event_add_io(loop.event, $0, descriptor, events.rawValue, Self.trampoline, me)
    }
  }

  /// Changes what is watched for; an empty set still reports errors and hang-ups.
  package func watch(_ events: IOEvents) throws(SystemError) {
    guard let pointer = reference?.pointer else { return }
    try check(
      sd_event_source_set_io_events(pointer, events.rawValue),
      "sd_event_source_set_io_events", on: "descriptor")
  }

  /// Stops for good; from within the handler too.
  package func cancel() {
    reference = nil
    handler = nil
  }

  private static let trampoline: sd_event_io_handler_t = { _, _, events, me in
    guard let me else { return 0 }
    let source = Unmanaged<IOSource>.fromOpaque(me).takeUnretainedValue()
    source.handler?(IOEvents(rawValue: events))
    return 0
  }
}

extension EventLoop {
  /// Calls `handler` whenever the descriptor is ready (level-triggered).
  package func addIO(
    _ descriptor: Int32, _ events: IOEvents, priority: EventPriority = .normal,
    handler: @escaping (IOEvents) -> Void
  ) throws(SystemError) -> IOSource {
    try IOSource(self, descriptor, events, priority, handler)
  }
}
