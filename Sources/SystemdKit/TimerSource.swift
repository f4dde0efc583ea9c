internal import CSystemd
internal import Glibc

/// A timer on CLOCK_BOOTTIME, by sd_event_add_time(3): idle until armed, fires once, can be armed anew.
package final class TimerSource {
  private var reference: SourceReference?
  private var handler: (() -> Void)?

  fileprivate init(
    _ loop: EventLoop, _ priority: EventPriority, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    self.handler = handler
    let me = Unmanaged.passUnretained(self).toOpaque()
    reference = try SourceReference("timer", "sd_event_add_time", priority: priority) {
      sd_event_add_time(
        loop.event, $0, CLOCK_BOOTTIME, UInt64.max, Self.accuracyUSec, Self.trampoline, me)
    }
    disarm()
  }

  /// Fires once, `milliseconds` from now.
  package func arm(afterMS milliseconds: Int64) throws(SystemError) {
    let (time, overflow) = Clock.bootTimeMS.addingReportingOverflow(max(0, milliseconds))
    try arm(atMS: overflow ? Int64.max : time)
  }

  /// Fires once, when ``Clock/bootTimeMS`` reaches `time`; at once if it has.
  package func arm(atMS time: Int64) throws(SystemError) {
    guard let pointer = reference?.pointer else { return }
    try check(
      sd_event_source_set_time(pointer, microseconds(fromMS: time)),
      "sd_event_source_set_time", on: "timer")
    try check(
      sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT)),
      "sd_event_source_set_enabled", on: "timer")
  }

  /// Does not fire until armed anew.
  package func disarm() {
    guard let pointer = reference?.pointer else { return }
    sd_event_source_set_enabled(pointer, Int32(SD_EVENT_OFF))
  }

  /// Stops for good; from within the handler too.
  package func cancel() {
    reference = nil
    handler = nil
  }

  /// 1 ms: sd-event's default of 250 ms would be seen in the time-outs.
  private static let accuracyUSec: UInt64 = 1_000

  private static let trampoline: sd_event_time_handler_t = { _, _, me in
    guard let me else { return 0 }
    let source = Unmanaged<TimerSource>.fromOpaque(me).takeUnretainedValue()
    source.handler?()
    return 0
  }
}

extension EventLoop {
  /// A timer that is not armed yet.
  package func addTimer(
    priority: EventPriority = .normal, handler: @escaping () -> Void
  ) throws(SystemError) -> TimerSource {
    try TimerSource(self, priority, handler)
  }
}
