/// One event on its way to one hook.
struct HookDelivery {
  let event: HookEvent
  /// Counts the events.
  let order: Int
  /// Attempts that failed.
  var failures = 0
  /// When the next attempt may be made, ms; nil is at once.
  var dueAtMS: Int64?

  init(event: HookEvent, order: Int) {
    self.event = event
    self.order = order
  }

  /// `enter 國道5號/15K+200`.
  var summary: String { "\(event.kind.rawValue) \(event.fenceID)" }
}

/// What waits for one hook, and its run.
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
  var backlog = HookBacklog<HookDelivery>()
  var droppedInBurst = 0
  /// The hook is gone, its last run is not.
  var isRemoved = false

  init(_ hook: Hook) { self.hook = hook }

  var isRunning: Bool { run != nil }

  /// The order of the event that is next; the largest number where none is.
  var nextOrder: Int { (current ?? backlog.first)?.order ?? Int.max }

  func isReady(_ now: Int64) -> Bool {
    guard !isRunning, !isRemoved else { return false }
    guard let current else { return !backlog.isEmpty }
    return current.dueAtMS.map { $0 <= now } ?? true
  }

  /// Begins the run of what is next.
  mutating func startRun(terminateAtMS: Int64) -> HookDelivery? {
    current = current ?? backlog.popFirst()
    guard let current else { return nil }
    run = Run(terminateAtMS: terminateAtMS)
    return current
  }

  mutating func endRun() -> Run {
    defer { run = nil }
    return run ?? Run()
  }

  /// The line that ends a burst of dropped events, where fewer than `limit` wait now.
  func endOfBurst(below limit: Int) -> HookAction? {
    guard droppedInBurst > 0, backlog.count < limit else { return nil }
    return log(4, "\(droppedInBurst) of its events were dropped")
  }

  func log(_ priority: Int, _ text: String, _ delivery: HookDelivery? = nil) -> HookAction {
    var fields = [LogEntry.Field("MILEPOST_HOOK", hook.name)]
    if let delivery { fields.append(.init("MILEPOST_EVENT_ID", delivery.event.id)) }
    return .log(
      LogEntry(priority: priority, message: "hook \(hook.name): \(text)", fields: fields))
  }
}
