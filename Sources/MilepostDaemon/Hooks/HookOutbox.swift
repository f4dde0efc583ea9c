/// One event on its way to one hook.
package struct HookDelivery: Sendable {
  package let event: HookEvent
  /// The event's place in the order of recording.
  package let order: Int64
  /// Attempts that failed.
  package var failures: Int
  /// When the next attempt may be made, on CLOCK_BOOTTIME, ms.
  package var dueAtMS: Int64

  package init(event: HookEvent, order: Int64, failures: Int = 0, dueAtMS: Int64 = 0) {
    self.event = event
    self.order = order
    self.failures = failures
    self.dueAtMS = dueAtMS
  }

  /// `enter 國道5號/15K+200`.
  var summary: String { "\(event.kind.rawValue) \(event.fenceID)" }
}

/// How a delivery, or one attempt at it, ended.
package enum HookDeliveryEnd: Equatable, Sendable {
  case delivered
  /// To be tried again; all failed attempts so far, and the wait before the next, ms.
  case failed(attempts: Int, waitMS: Int64)
  case givenUp
  case expired
}

/// Keeps what waits for each hook, in the order of events, wherever that is.
package protocol HookOutbox: AnyObject {
  /// The hooks that there are: a new one begins with the next event. Returns how many events each hook
  /// that is gone was still to get, in name order.
  func setHooks(_ names: [String], now: Int64) -> [(hook: String, count: Int)]
  /// What this hook is to get next; the same until that has ended.
  func next(for hook: String, now: Int64) -> HookDelivery?
  func ended(_ delivery: HookDelivery, for hook: String, _ end: HookDeliveryEnd, now: Int64)
  /// How many events wait for this hook, the one under way among them.
  func waiting(for hook: String, now: Int64) -> Int
}
