/// What ``HookQueue`` wants done.
package enum HookAction: Equatable, Sendable {
  case start(HookRun)
  /// SIGTERM to the process group of the hook's run.
  case terminate(hook: String)
  /// SIGKILL to the process group of the hook's run.
  case kill(hook: String)
  case log(LogEntry)
}

/// Which hook runs when for which event: a pure state machine, times are on CLOCK_BOOTTIME, ms.
///
/// A hook has one run at a time, in the order of events. Hooks do not wait for one another; where more
/// could run than may, the one with the oldest event goes first, at equal events the first by name,
/// so that no backlog starves another hook.
package struct HookQueue {
  /// A change counts for runs and events to come.
  package var policy: HookPolicy
  package private(set) var counters = HookCounters()
  /// In name order.
  private var lanes: [HookLane] = []
  private(set) var eventCount = 0
  /// The last time that a run may see, once ``stop(now:)`` was called.
  private var stopKillAtMS: Int64?

  package init(policy: HookPolicy) { self.policy = policy }

  /// Runs that have not ended.
  package var runningCount: Int { lanes.count { $0.isRunning } }

  /// Deliveries that are not settled, the running ones among them.
  package var undeliveredCount: Int {
    lanes.reduce(0) { $0 + $1.backlog.count + ($1.current == nil ? 0 : 1) }
  }

  /// Takes a new set of hooks, in name order. Those that stay keep what waits for them; of those that
  /// are gone it is dropped, and a run of theirs is let end.
  package mutating func setHooks(_ hooks: [Hook], now: Int64) -> [HookAction] {
    var old: [String: HookLane] = [:]
    for lane in lanes { old[lane.hook.name] = lane }
    var fresh: [HookLane] = []
    for hook in hooks {
      var lane = old.removeValue(forKey: hook.name) ?? HookLane(hook)
      lane.hook = hook
      lane.isRemoved = false
      fresh.append(lane)
    }
    var actions: [HookAction] = []
    for var lane in old.values.sorted(by: { $0.hook.name < $1.hook.name }) {
      let waiting = lane.backlog.count + (lane.current != nil && !lane.isRunning ? 1 : 0)
      if waiting > 0 {
        counters.dropped += waiting
        actions.append(lane.log(4, "is gone, dropping \(counted(waiting, "event")) for it"))
      }
      lane.backlog.removeAll()
      lane.isRemoved = true
      if lane.isRunning { fresh.append(lane) }
    }
    lanes = fresh
    return actions + dispatch(now)
  }

  /// Takes an event for every hook.
  package mutating func enqueue(_ event: HookEvent, now: Int64) -> [HookAction] {
    eventCount += 1
    var actions: [HookAction] = []
    for index in lanes.indices where !lanes[index].isRemoved {
      if lanes[index].backlog.count >= max(1, policy.capacity) {
        _ = lanes[index].backlog.popFirst()
        counters.dropped += 1
        lanes[index].droppedInBurst += 1
        if lanes[index].droppedInBurst == 1 {
          let text = "\(counted(policy.capacity, "event")) wait, dropping the oldest"
          actions.append(lanes[index].log(4, text))
        }
      }
      lanes[index].backlog.append(HookDelivery(event: event, order: eventCount))
    }
    return actions + dispatch(now)
  }

  /// Takes the end of a hook's run, or that it could not start.
  package mutating func ended(_ name: String, _ outcome: HookOutcome, now: Int64) -> [HookAction] {
    guard let index = lanes.firstIndex(where: { $0.hook.name == name && $0.isRunning }),
      let delivery = lanes[index].current
    else { return [] }
    let run = lanes[index].endRun()
    var actions: [HookAction] = []
    switch outcome {
    case _ where run.isInterrupted:
      // Whatever its exit code: a trap for SIGTERM that exits with 0 has delivered nothing.
      counters.interrupted += 1
      let text = "ended by the stop, \(delivery.summary) is not delivered"
      actions.append(lanes[index].log(4, text, delivery))
    case .success where !run.isTimedOut:
      counters.delivered += 1
      lanes[index].current = nil
      actions.append(lanes[index].log(7, "done with \(delivery.summary)", delivery))
    case .success:
      actions.append(failed(index, delivery, timeoutReason("exited with code 0"), now))
    case .failure(let reason):
      let reason = run.isTimedOut ? timeoutReason(reason) : reason
      actions.append(failed(index, delivery, reason, now))
    }
    if lanes[index].isRemoved { lanes.remove(at: index) }
    return actions + dispatch(now)
  }

  /// Does what is due.
  package mutating func tick(now: Int64) -> [HookAction] {
    var actions: [HookAction] = []
    for index in lanes.indices {
      guard var run = lanes[index].run else { continue }
      let name = lanes[index].hook.name
      if let time = run.killAtMS, time <= now {
        run.killAtMS = nil
        actions.append(.kill(hook: name))
      }
      if let time = run.terminateAtMS, time <= now {
        run.terminateAtMS = nil
        run.killAtMS = run.isStopping ? killAtStopMS : min(now + policy.killAfterMS, killAtStopMS)
        if run.isStopping {
          run.isInterrupted = true
        } else {
          run.isTimedOut = true
          counters.timeouts += 1
        }
        actions.append(.terminate(hook: name))
      }
      lanes[index].run = run
    }
    return actions + dispatch(now)
  }

  /// Starts no more runs and gives the running ones their time.
  package mutating func stop(now: Int64) -> [HookAction] {
    guard !isStopping else { return [] }
    let deadline = now + policy.stopTerminateAfterMS
    stopKillAtMS = deadline + policy.stopKillAfterMS
    for index in lanes.indices {
      guard var run = lanes[index].run else { continue }
      if let time = run.terminateAtMS {
        run.isStopping = time > deadline
        run.terminateAtMS = min(time, deadline)
      } else if let time = run.killAtMS {
        run.killAtMS = min(time, killAtStopMS)
      }
      lanes[index].run = run
    }
    return lanes.compactMap { $0.endOfBurst(below: Int.max) }
  }

  /// When ``tick(now:)`` is to be called next; nil where nothing waits for its time.
  package var nextDeadlineMS: Int64? {
    let hasSlot = !isStopping && runningCount < policy.maxRunning
    return lanes.compactMap { lane -> Int64? in
      if let run = lane.run { return run.terminateAtMS ?? run.killAtMS }
      return hasSlot ? lane.current?.dueAtMS : nil
    }.min()
  }

  private var isStopping: Bool { stopKillAtMS != nil }
  private var killAtStopMS: Int64 { stopKillAtMS ?? Int64.max }

  private func timeoutReason(_ end: String) -> String {
    "ran longer than \(seconds(policy.timeoutMS)), \(end)"
  }

  /// Counts a failed attempt: another one later, or none.
  private mutating func failed(
    _ index: Int, _ delivery: HookDelivery, _ reason: String, _ now: Int64
  ) -> HookAction {
    counters.failures += 1
    var delivery = delivery
    delivery.failures += 1
    let what = "\(reason) for \(delivery.summary)"
    let attempt = "attempt \(delivery.failures) of \(policy.attempts)"
    if delivery.failures >= policy.attempts {
      counters.givenUp += 1
      lanes[index].current = nil
      return lanes[index].log(3, "\(what), \(attempt), giving up", delivery)
    }
    let wait = policy.backoffMS(afterFailure: delivery.failures)
    delivery.dueAtMS = now + wait
    lanes[index].current = delivery
    return lanes[index].log(4, "\(what), \(attempt), again in \(seconds(wait))", delivery)
  }

  /// Starts what may start.
  private mutating func dispatch(_ now: Int64) -> [HookAction] {
    guard !isStopping else { return [] }
    var actions: [HookAction] = []
    for index in lanes.indices where !lanes[index].isRunning {
      actions += expire(index, now)
      if let action = lanes[index].endOfBurst(below: max(1, policy.capacity / 2)) {
        actions.append(action)
        lanes[index].droppedInBurst = 0
      }
    }
    while runningCount < policy.maxRunning {
      let ready = lanes.indices.filter { lanes[$0].isReady(now) }
      guard let index = ready.min(by: { lanes[$0].nextOrder < lanes[$1].nextOrder }),
        let delivery = lanes[index].startRun(terminateAtMS: now + policy.timeoutMS)
      else { break }
      counters.runs += 1
      let attempt = delivery.failures + 1
      actions.append(
        .start(HookRun(hook: lanes[index].hook, event: delivery.event, attempt: attempt)))
    }
    return actions
  }

  /// Drops what waits in a lane that does not run and is too old, with one line for all of it.
  private mutating func expire(_ index: Int, _ now: Int64) -> [HookAction] {
    var expired: [HookDelivery] = []
    let isOld = { [policy] (delivery: HookDelivery) in
      now - delivery.event.recordedAtMS > policy.maxAgeMS
    }
    if let current = lanes[index].current, isOld(current) {
      expired.append(current)
      lanes[index].current = nil
    }
    while lanes[index].current == nil, let first = lanes[index].backlog.first, isOld(first) {
      expired.append(first)
      _ = lanes[index].backlog.popFirst()
    }
    guard let first = expired.first else { return [] }
    counters.expired += expired.count
    let rest = expired.count == 1 ? "" : " and \(expired.count - 1) more"
    let text = "\(first.summary)\(rest) older than \(seconds(policy.maxAgeMS)), not delivered"
    return [lanes[index].log(4, text, first)]
  }
}

private func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

/// `30 s`, `1.5 s`.
private func seconds(_ milliseconds: Int64) -> String {
  milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(Double(milliseconds) / 1_000) s"
}
