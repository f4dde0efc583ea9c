internal import Glibc
package import SystemdKit

/// Runs hooks: does what ``HookQueue`` decides, on the loop.
package final class HookRunner {
  private var queue: HookQueue
  private let spawner: any HookSpawner
  private let now: () -> Int64
  private let log: (LogEntry) -> Void
  private var running: [String: any HookProcess] = [:]
  private var timer: TimerSource?
  private var stopped: (() -> Void)?
  /// A hook could not be started: looks at the directory, and says by ``setHooks(_:)`` or ``hold()``
  /// what is there.
  package var onStartFailure: (() -> Void)?

  /// - Throws: ``SystemError`` where the loop gives no timer.
  package init(
    loop: EventLoop, policy: HookPolicy, outbox: any HookOutbox, spawner: any HookSpawner,
    now: @escaping () -> Int64 = { Clock.bootTimeMS }, log: @escaping (LogEntry) -> Void
  ) throws(SystemError) {
    queue = HookQueue(policy: policy, outbox: outbox)
    self.spawner = spawner
    self.now = now
    self.log = log
    timer = try loop.addTimer { [unowned self] in perform(queue.tick(now: now())) }
  }

  /// A runner of real processes.
  package convenience init(
    loop: EventLoop, policy: HookPolicy, outbox: any HookOutbox,
    log: @escaping (LogEntry) -> Void
  ) throws(SystemError) {
    let spawner = HookProcessSpawner(loop: loop, policy: policy, log: log)
    try self.init(loop: loop, policy: policy, outbox: outbox, spawner: spawner, log: log)
  }

  package var counters: HookCounters { queue.counters }
  package var runningCount: Int { queue.runningCount }
  package var undeliveredCount: Int { queue.undeliveredCount(now: now()) }

  /// Other limits; runs under way keep the time-out that they began with.
  package func setPolicy(_ policy: HookPolicy) { queue.policy = policy }

  /// Takes a new set of hooks, as ``HookDirectory`` lists them.
  package func setHooks(_ hooks: [Hook]) { perform(queue.setHooks(hooks, now: now())) }

  /// Starts no hook until ``setHooks(_:)`` says again which there are.
  package func hold() { queue.hold() }

  /// Looks for what is new in the outbox.
  package func wake() { perform(queue.wake(now: now())) }

  /// Starts no more runs, gives the running ones their time, and calls `stopped` when none is left:
  /// at once where none runs.
  package func stop(_ stopped: @escaping () -> Void) {
    self.stopped = stopped
    perform(queue.stop(now: now()))
  }

  private func perform(_ actions: [HookAction]) {
    var actions = actions
    while !actions.isEmpty {
      var further: [HookAction] = []
      for action in actions {
        switch action {
        case .log(let entry): log(entry)
        case .terminate(let hook): running[hook]?.signalGroup(SIGTERM)
        case .kill(let hook): running[hook]?.signalGroup(SIGKILL)
        case .start(let run): further += start(run)
        }
      }
      actions = further
    }
    armTimer()
    if let stopped, queue.runningCount == 0 {
      self.stopped = nil
      spawner.closeOutput()
      stopped()
    }
  }

  private func start(_ run: HookRun) -> [HookAction] {
    let name = run.hook.name
    do {
      running[name] = try spawner.start(run) { [weak self] outcome in
        guard let self else { return }
        running[name] = nil
        perform(queue.ended(name, outcome, now: now()))
      }
      return []
    } catch {
      onStartFailure?()
      return queue.ended(name, .notStarted("did not start (\(error))"), now: now())
    }
  }

  private func armTimer() {
    guard let deadline = queue.nextDeadlineMS else {
      timer?.disarm()
      return
    }
    do {
      try timer?.arm(atMS: deadline)
    } catch {
      log(LogEntry(priority: 3, message: "hooks: \(error), time-outs are late"))
    }
  }
}
