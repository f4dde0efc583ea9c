/// What ``HookQueue`` wants done.
package enum HookAction: Equatable, Sendable {
  case start(HookRun)
  /// SIGTERM to the process group of the hook's run.
  case terminate(hook: String)
  /// SIGKILL to the process group of the hook's run.
  case kill(hook: String)
  case log(LogEntry)
}

/// Which hook runs when for which event: a state machine over an outbox, times are on CLOCK_BOOTTIME,
/// ms.
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
  private let outbox: any HookOutbox
  /// The hooks cannot be looked at: none is started until they can.
  private var isHeld = false
  /// The last time that a run may see, once ``stop(now:)`` was called.
  private var stopKillAtMS: Int64?

  /// So many expired deliveries are settled at a time.
  private static let expiredAtOnce = 200

  package init(policy: HookPolicy, outbox: any HookOutbox) {
    self.policy = policy
    self.outbox = outbox
  }

  /// Runs that have not ended.
  package var runningCount: Int { lanes.count { $0.isRunning } }

  /// Deliveries that are not settled, the running ones among them.
  package func undeliveredCount(now: Int64) -> Int {
    lanes.reduce(0) { $0 + ($1.isRemoved ? 0 : outbox.waiting(for: $1.hook.name, now: now)) }
  }

  /// Takes a new set of hooks, in name order. Those that stay keep what waits for them; of those that
  /// are gone it is dropped, and a run of theirs is let end.
  package mutating func setHooks(_ hooks: [Hook], now: Int64) -> [HookAction] {
    isHeld = false
    var actions: [HookAction] = []
    for (name, count) in outbox.setHooks(hooks.map(\.name), now: now) {
      let lane = lanes.first { $0.hook.name == name }
      let waiting = count - (lane?.isRunning == true ? 1 : 0)
      guard waiting > 0 else { continue }
      counters.dropped += waiting
      let text = "is gone, dropping \(counted(waiting, "event")) for it"
      actions.append((lane ?? HookLane(Hook(name: name, path: ""))).log(4, text))
    }
    var old: [String: HookLane] = [:]
    for lane in lanes { old[lane.hook.name] = lane }
    var fresh: [HookLane] = []
    for hook in hooks {
      var lane = old.removeValue(forKey: hook.name) ?? HookLane(hook)
      // One that was gone for a moment is new to the outbox, whatever still runs.
      if lane.isRemoved, !lane.isRunning { lane.current = nil }
      lane.hook = hook
      lane.isRemoved = false
      fresh.append(lane)
    }
    for var lane in old.values.sorted(by: { $0.hook.name < $1.hook.name }) where lane.isRunning {
      lane.isRemoved = true
      fresh.append(lane)
    }
    lanes = fresh
    return actions + dispatch(now)
  }

  /// Starts no hook until ``setHooks(_:now:)`` says again which there are. What waits goes on waiting,
  /// and takes no harm but its age.
  package mutating func hold() { isHeld = true }

  /// Looks for what is new in the outbox.
  package mutating func wake(now: Int64) -> [HookAction] {
    for index in lanes.indices where !lanes[index].isRunning { lanes[index].current = nil }
    return dispatch(now)
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
      settle(index, delivery, .delivered, now)
      actions.append(lanes[index].log(7, "done with \(delivery.summary)", delivery))
    case .success:
      actions.append(failed(index, delivery, timeoutReason("exited with code 0"), now))
    case .notStarted where isHeld: break
    case .failure(let reason), .notStarted(let reason):
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
    return []
  }

  /// When ``tick(now:)`` is to be called next; nil where nothing waits for its time.
  package var nextDeadlineMS: Int64? {
    let hasSlot = !isStopping && !isHeld && runningCount < policy.maxRunning
    return lanes.compactMap { lane -> Int64? in
      if let run = lane.run { return run.terminateAtMS ?? run.killAtMS }
      if let time = lane.moreExpiredAtMS { return time }
      guard hasSlot, let current = lane.current, current.event.recordedAtMS != nil else {
        return nil
      }
      return current.dueAtMS
    }.min()
  }

  private var isStopping: Bool { stopKillAtMS != nil }
  private var killAtStopMS: Int64 { stopKillAtMS ?? Int64.max }

  private func timeoutReason(_ end: String) -> String {
    "ran longer than \(seconds(policy.timeoutMS)), \(end)"
  }

  private mutating func settle(
    _ index: Int, _ delivery: HookDelivery, _ end: HookDeliveryEnd, _ now: Int64
  ) {
    lanes[index].current = nil
    if !lanes[index].isRemoved {
      outbox.ended(delivery, for: lanes[index].hook.name, end, now: now)
    }
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
      settle(index, delivery, .givenUp, now)
      return lanes[index].log(3, "\(what), \(attempt), giving up", delivery)
    }
    let wait = policy.backoffMS(afterFailure: delivery.failures)
    let end = HookDeliveryEnd.failed(attempts: delivery.failures, waitMS: wait)
    settle(index, delivery, end, now)
    delivery.dueAtMS = now + wait
    lanes[index].current = delivery
    return lanes[index].log(4, "\(what), \(attempt), again in \(seconds(wait))", delivery)
  }

  /// Starts what may start.
  private mutating func dispatch(_ now: Int64) -> [HookAction] {
    guard !isStopping else { return [] }
    var actions: [HookAction] = []
    for index in lanes.indices where !lanes[index].isRunning && !lanes[index].isRemoved {
      actions += lookForNext(index, now)
    }
    while !isHeld, runningCount < policy.maxRunning {
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

  /// Takes what is next from the outbox; what is too old is settled on the way, with one line for all
  /// of it.
  private mutating func lookForNext(_ index: Int, _ now: Int64) -> [HookAction] {
    let name = lanes[index].hook.name
    lanes[index].moreExpiredAtMS = nil
    var expired: (first: HookDelivery, count: Int)?
    while true {
      lanes[index].current = lanes[index].current ?? outbox.next(for: name, now: now)
      guard let current = lanes[index].current, isExpired(current, now) else { break }
      if let count = expired?.count, count >= Self.expiredAtOnce {
        lanes[index].moreExpiredAtMS = now
        lanes[index].current = nil
        break
      }
      settle(index, current, .expired, now)
      expired = (expired?.first ?? current, (expired?.count ?? 0) + 1)
    }
    guard let expired else { return [] }
    counters.expired += expired.count
    let rest = expired.count == 1 ? "" : " and \(expired.count - 1) more"
    let text =
      "\(expired.first.summary)\(rest) older than \(seconds(policy.maxAgeMS)), not delivered"
    return [lanes[index].log(4, text, expired.first)]
  }

  private func isExpired(_ delivery: HookDelivery, _ now: Int64) -> Bool {
    delivery.event.recordedAtMS.map { now - $0 > policy.maxAgeMS } ?? false
  }
}

private func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

/// `30 s`, `1.5 s`.
private func seconds(_ milliseconds: Int64) -> String {
  milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(Double(milliseconds) / 1_000) s"
}
