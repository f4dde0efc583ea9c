/// What is next for one hook, and its run.
struct HookLane {
  /// A run that has not ended.
  struct Run {
    var terminateAtMS: Int64?
    var killAtMS: Int64?
    /// The daemon's stop, not the hook's time-out, decides when it is terminated.
    var isStopping = false
    var isTimedOut = false
    /// Terminated by the daemon's stop.
    var isInterrupted = false
  }

  var hook: Hook
  /// Runs, or failed and waits for its next attempt.
  var current: HookDelivery?
  var run: Run?
  /// When one look found more expired than it was to settle, ms: the next is due at once.
  var moreExpiredAtMS: Int64?
  /// The hook is gone, its last run is not.
  var isRemoved = false

  init(_ hook: Hook) { self.hook = hook }

  var isRunning: Bool { run != nil }

  /// The order of the event that is next; the largest number where none is.
  var nextOrder: Int64 { current?.order ?? Int64.max }

  func isReady(_ now: Int64) -> Bool {
    guard !isRunning, !isRemoved, let current else { return false }
    return current.dueAtMS <= now && current.event.recordedAtMS != nil
  }

  /// Begins the run of what is next.
  mutating func startRun(terminateAtMS: Int64) -> HookDelivery? {
    guard let current else { return nil }
    run = Run(terminateAtMS: terminateAtMS)
    return current
  }

  mutating func endRun() -> Run {
    defer { run = nil }
    return run ?? Run()
  }

  func log(_ priority: Int, _ text: String, _ delivery: HookDelivery? = nil) -> HookAction {
    var fields = [LogEntry.Field("MILEPOST_HOOK", hook.name)]
    if let delivery { fields.append(.init("MILEPOST_EVENT_ID", delivery.event.id)) }
    return .log(
      LogEntry(priority: priority, message: "hook \(hook.name): \(text)", fields: fields))
  }
}
