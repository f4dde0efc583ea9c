internal import CSystemd
internal import Glibc

/// The daemon's one loop, sd-event(3). Not to be shared between threads.
///
/// A source lives as long as its object: keep it, or it is gone. Handlers do not throw; each
/// deals with its own failures, so that none ends the loop by accident.
package final class EventLoop {
  let event: OpaquePointer

  /// A new loop, by sd_event_new(3).
  package init() throws(SystemError) {
    var event: OpaquePointer?
    try check(sd_event_new(&event), "sd_event_new", on: "event loop")
    guard let event else {
      throw SystemError(call: "sd_event_new", subject: "event loop", errno: ENOMEM)
    }
    self.event = event
  }

  deinit { sd_event_unref(event) }

  /// Blocks signals that the loop is to handle, by pthread_sigmask(3): the first statement of `main`.
  ///
  /// SIGCHLD, which sd_event_add_child_pidfd(3) demands, and SIGPIPE, so that a reader who has gone
  /// away is a failed write, are always added. Threads made later inherit the mask; children of
  /// ``Spawn`` do not.
  package static func blockSignals(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals + [SIGCHLD, SIGPIPE] {
      let result = sigaddset(&set, signal)
      precondition(result == 0, "no such signal: \(signal)")
    }
    let result = pthread_sigmask(SIG_BLOCK, &set, nil)
    precondition(result == 0, "pthread_sigmask fails for an unknown operation only")
  }

  /// Runs until ``exit(_:)``, by sd_event_loop(3).
  /// - Returns: the code given to ``exit(_:)``.
  package func run() throws(SystemError) -> Int32 {
    try check(sd_event_loop(event), "sd_event_loop", on: "event loop")
  }

  /// Waits for one event at most and handles it, by sd_event_run(3).
  /// - Parameter timeoutMS: longest wait, ms; nil waits for ever.
  /// - Returns: whether there was one.
  /// - Throws: ``SystemError`` of the loop.
  @discardableResult
  package func runOnce(timeoutMS: Int64?) throws(SystemError) -> Bool {
    let timeout = timeoutMS.map { microseconds(fromMS: $0) } ?? UInt64.max
    return try check(sd_event_run(event, timeout), "sd_event_run", on: "event loop") > 0
  }

  /// Ends ``run()`` after the running handler, by sd_event_exit(3).
  /// - Parameter code: the program's exit code, 0 to 255.
  package func exit(_ code: UInt8) {
    // The one failure is a loop that has already ended.
    _ = sd_event_exit(event, Int32(code))
  }

  /// Answers systemd's watchdog from the loop, by sd_event_set_watchdog(3).
  /// - Returns: whether the unit asks for it.
  @discardableResult
  package func enableWatchdog() throws(SystemError) -> Bool {
    try check(sd_event_set_watchdog(event, 1), "sd_event_set_watchdog", on: "watchdog") > 0
  }
}

/// The order in which ready sources are served: fixes before the chatter of hooks.
package enum EventPriority: Int64 {
  case important = -100
  case normal = 0
  case idle = 100
}

/// A reference to an sd_event_source; disabled and dropped when it goes away.
struct SourceReference: ~Copyable {
  let pointer: OpaquePointer

  /// Takes over what an `sd_event_add_…` call gave.
  init(
    _ subject: String, _ call: String, priority: EventPriority = .normal,
    add: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  ) throws(SystemError) {
    var pointer: OpaquePointer?
    try check(add(&pointer), call, on: subject)
    guard let pointer else { throw SystemError(call: call, subject: subject, errno: ENOMEM) }
    sd_event_source_set_priority(pointer, priority.rawValue)
    self.pointer = pointer
  }

  deinit { sd_event_source_disable_unref(pointer) }
}

/// Milliseconds as unsigned microseconds; negative ones are 0.
func microseconds(fromMS milliseconds: Int64) -> UInt64 {
  let (product, overflow) = UInt64(max(0, milliseconds)).multipliedReportingOverflow(by: 1_000)
  return overflow ? UInt64.max - 1 : product
}
