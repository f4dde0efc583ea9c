import TestSupport
import Testing

@testable import MilepostDaemon

/// A queue and what it wanted done, as lines such as `0.0 start a e1 #1`.
private struct Timeline {
  var queue: HookQueue
  let outbox = MemoryOutbox()
  var lines: [String] = []

  init(_ hooks: String..., policy: HookPolicy = HookPolicy()) {
    queue = HookQueue(policy: policy, outbox: outbox)
    setHooks(at: 0, hooks)
  }

  mutating func setHooks(at ms: Int64, _ hooks: [String]) {
    take(ms, queue.setHooks(hooks.map { Hook(name: $0, path: "/h/\($0)") }, now: ms))
  }

  mutating func event(_ number: Int, at ms: Int64) {
    outbox.append(hookEvent(number, recordedAtMS: ms))
    take(ms, queue.wake(now: ms))
  }

  mutating func ends(_ hook: String, _ code: Int = 0, at ms: Int64) {
    let outcome = code == 0 ? HookOutcome.success : .failure("exited with code \(code)")
    take(ms, queue.ended(hook, outcome, now: ms))
  }

  mutating func doesNotStart(_ hook: String, at ms: Int64) {
    take(ms, queue.ended(hook, .notStarted("did not start"), now: ms))
  }

  mutating func hold() { queue.hold() }

  mutating func tick(_ ms: Int64) { take(ms, queue.tick(now: ms)) }

  mutating func stop(at ms: Int64) { take(ms, queue.stop(now: ms)) }

  /// Ticks at each deadline up to and including `ms`.
  mutating func run(to ms: Int64) {
    while let deadline = queue.nextDeadlineMS, deadline <= ms { tick(deadline) }
  }

  /// The lines since the last call, without the log's.
  mutating func actions() -> [String] { taken { !$0.contains(" log") } }

  /// The log lines since the last call.
  mutating func log() -> [String] { taken { $0.contains(" log") } }

  private mutating func taken(_ isWanted: (String) -> Bool) -> [String] {
    defer { lines.removeAll(where: isWanted) }
    return lines.filter(isWanted)
  }

  private mutating func take(_ ms: Int64, _ actions: [HookAction]) {
    for action in actions {
      let text =
        switch action {
        case .start(let run): "start \(run.hook.name) \(run.event.id) #\(run.attempt)"
        case .terminate(let hook): "TERM \(hook)"
        case .kill(let hook): "KILL \(hook)"
        case .log(let entry): "log\(entry.priority) \(entry.message)"
        }
      lines.append("\(ms) \(text)")
    }
  }
}

@Suite struct HookQueueTests {
  @Test func `hooks start in name order and each takes its events one at a time, in order`() {
    var time = Timeline("a", "b")
    time.event(1, at: 0)
    time.event(2, at: 5)
    time.ends("b", at: 10)
    time.ends("a", at: 20)
    time.ends("a", at: 30)
    time.ends("b", at: 40)
    #expect(
      time.actions() == [
        "0 start a e1 #1", "0 start b e1 #1", "10 start b e2 #1", "20 start a e2 #1",
      ])
    #expect(time.queue.counters.delivered == 4)
    #expect(time.queue.undeliveredCount(now: 0) == 0)
  }

  @Test func `at most MaxRunning run, and the hook with the oldest event goes first`() {
    var policy = HookPolicy()
    policy.maxRunning = 2
    var time = Timeline("a", "b", "c", policy: policy)
    time.event(1, at: 0)
    time.event(2, at: 0)
    time.ends("a", at: 10)
    time.ends("b", at: 20)
    time.ends("c", at: 30)
    #expect(
      time.actions() == [
        "0 start a e1 #1", "0 start b e1 #1", "10 start c e1 #1", "20 start a e2 #1",
        "30 start b e2 #1",
      ])
  }

  @Test func `the default is four at a time`() {
    var time = Timeline("a", "b", "c", "d", "e")
    time.event(1, at: 0)
    #expect(time.actions().count == 4)
  }

  @Test func `a failure is tried again after 1, 2, 4 and 8 s, and after five attempts given up`() {
    var time = Timeline("a")
    time.event(1, at: 0)
    time.event(2, at: 0)
    for ms: Int64 in [0, 1_000, 3_000, 7_000, 15_000] {
      time.run(to: ms)
      time.ends("a", 3, at: ms)
    }
    #expect(
      time.actions() == [
        "0 start a e1 #1", "1000 start a e1 #2", "3000 start a e1 #3", "7000 start a e1 #4",
        "15000 start a e1 #5", "15000 start a e2 #1",
      ])
    #expect(
      time.log() == [
        "0 log4 hook a: exited with code 3 for enter F/1, attempt 1 of 5, again in 1 s",
        "1000 log4 hook a: exited with code 3 for enter F/1, attempt 2 of 5, again in 2 s",
        "3000 log4 hook a: exited with code 3 for enter F/1, attempt 3 of 5, again in 4 s",
        "7000 log4 hook a: exited with code 3 for enter F/1, attempt 4 of 5, again in 8 s",
        "15000 log3 hook a: exited with code 3 for enter F/1, attempt 5 of 5, giving up",
      ])
    #expect(time.queue.counters.givenUp == 1)
    #expect(time.queue.counters.failures == 5)
  }

  @Test func `while the hooks cannot be looked at none starts, and no attempt is used up`() {
    var time = Timeline("a", "b")
    time.event(1, at: 0)
    #expect(time.actions() == ["0 start a e1 #1", "0 start b e1 #1"])
    time.hold()
    time.doesNotStart("a", at: 0)
    time.ends("b", 3, at: 0)
    time.event(2, at: 500)
    #expect(time.queue.nextDeadlineMS == nil)
    time.tick(60_000)
    #expect(time.actions().isEmpty)
    #expect(
      time.log() == [
        "0 log4 hook b: exited with code 3 for enter F/1, attempt 1 of 5, again in 1 s"
      ])
    time.setHooks(at: 60_000, ["a", "b"])
    #expect(time.actions() == ["60000 start a e1 #1", "60000 start b e1 #2"])
    time.doesNotStart("a", at: 60_000)
    #expect(
      time.log() == [
        "60000 log4 hook a: did not start for enter F/1, attempt 1 of 5, again in 1 s"
      ])
  }

  @Test func `what waits while the hooks cannot be looked at still grows too old`() {
    var time = Timeline("a")
    time.hold()
    time.event(1, at: 0)
    time.tick(600_001)
    #expect(time.log().count == 1)
    time.setHooks(at: 600_002, ["a"])
    #expect(time.actions().isEmpty)
  }

  @Test func `the slot of a hook that waits for its next attempt serves others`() {
    var policy = HookPolicy()
    policy.maxRunning = 1
    var time = Timeline("a", "b", policy: policy)
    time.event(1, at: 0)
    time.ends("a", 1, at: 100)
    time.run(to: 1_100)
    // Due, but b has the slot: no deadline that would spin.
    #expect(time.queue.nextDeadlineMS == 30_100)
    time.ends("b", at: 2_000)
    #expect(
      time.actions() == ["0 start a e1 #1", "100 start b e1 #1", "2000 start a e1 #2"])
  }

  @Test func `a run over 30 s gets TERM and 5 s later KILL, and counts as a failure`() {
    var time = Timeline("a")
    time.event(1, at: 0)
    time.run(to: 29_999)
    #expect(time.actions() == ["0 start a e1 #1"])
    time.run(to: 100_000)
    #expect(time.actions() == ["30000 TERM a", "35000 KILL a"])
    time.ends("a", 9, at: 35_001)
    #expect(time.queue.nextDeadlineMS == 36_001)
    #expect(time.queue.counters.timeouts == 1)
    #expect(
      time.log() == [
        "35001 log4 hook a: ran longer than 30 s, exited with code 9 for enter F/1, "
          + "attempt 1 of 5, again in 1 s"
      ])
  }

  @Test func `a hook that exits with 0 after its time-out has failed`() {
    var time = Timeline("a")
    time.event(1, at: 0)
    time.run(to: 30_000)
    time.ends("a", 0, at: 30_010)
    #expect(time.queue.counters.delivered == 0)
    #expect(time.queue.counters.failures == 1)
  }

  @Test func `an event older than MaxAge is not delivered, one exactly as old is`() {
    for (age, isDelivered) in [(Int64(600_000), true), (600_001, false)] {
      var time = Timeline("a")
      time.event(1, at: 0)
      time.event(2, at: 0)
      _ = time.actions()
      time.ends("a", at: age)
      #expect(time.actions() == (isDelivered ? ["\(age) start a e2 #1"] : []))
      #expect(time.queue.counters.expired == (isDelivered ? 0 : 1))
      #expect(time.queue.undeliveredCount(now: 0) == (isDelivered ? 1 : 0))
    }
  }

  @Test func `a backlog that expires is logged in one line, and so is a retry`() {
    var time = Timeline("a")
    for number in 1...5 { time.event(number, at: 0) }
    time.ends("a", 1, at: 600_001)
    #expect(time.queue.counters.expired == 5)
    #expect(
      time.log().last
        == "600001 log4 hook a: enter F/1 and 4 more older than 600 s, not delivered")
  }

  @Test func `an event of another boot waits until its age can be told`() {
    var time = Timeline("a")
    time.outbox.append(hookEvent(1, recordedAtMS: nil))
    time.run(to: 100_000)
    #expect(time.actions() == [])
    #expect(time.queue.nextDeadlineMS == nil)
    #expect(time.queue.undeliveredCount(now: 0) == 1)
  }

  @Test func `a large backlog expires in pieces, and what is young enough is delivered`() {
    var time = Timeline("a")
    for number in 1...1_000 { time.outbox.append(hookEvent(number, recordedAtMS: 0)) }
    time.outbox.append(hookEvent(1_001, recordedAtMS: 700_000))
    time.tick(700_000)
    time.run(to: 700_000)
    #expect(time.queue.counters.expired == 1_000)
    #expect(time.actions() == ["700000 start a e1001 #1"])
  }

  @Test func `at the stop nothing starts; what runs gets 5 s, TERM, 1 s, KILL, and no attempt`() {
    var time = Timeline("a", "b")
    time.event(1, at: 0)
    time.event(2, at: 0)
    time.stop(at: 1_000)
    time.ends("b", at: 2_000)
    time.run(to: 100_000)
    time.ends("a", 9, at: 7_001)
    #expect(
      time.actions() == ["0 start a e1 #1", "0 start b e1 #1", "6000 TERM a", "7000 KILL a"])
    #expect(time.queue.counters.interrupted == 1)
    #expect(time.queue.counters.failures == 0)
    // a's two and b's second.
    #expect(time.queue.undeliveredCount(now: 0) == 3)
    #expect(time.queue.nextDeadlineMS == nil)
  }

  @Test func `a run that times out during the stop is gone at the same time as the others`() {
    var time = Timeline("a")
    time.event(1, at: 0)
    time.stop(at: 27_000)
    time.run(to: 100_000)
    #expect(time.actions() == ["0 start a e1 #1", "30000 TERM a", "33000 KILL a"])
    time.ends("a", 9, at: 33_001)
    #expect(time.queue.counters.failures == 1)
  }

  @Test func `a hook that is gone ends its run and loses what waits, a new one starts empty`() {
    var time = Timeline("a", "b")
    time.event(1, at: 0)
    time.event(2, at: 0)
    time.setHooks(at: 10, ["b", "c"])
    time.ends("a", at: 20)
    time.ends("b", at: 20)
    time.event(3, at: 30)
    #expect(
      time.actions() == [
        "0 start a e1 #1", "0 start b e1 #1", "20 start b e2 #1", "30 start c e3 #1",
      ])
    #expect(time.queue.counters.dropped == 1)
    #expect(time.queue.counters.delivered == 2)
  }

  @Test(arguments: 1...20)
  func `whatever happens each delivery is settled once, in order, within the limits`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let names = ["a", "b", "c", "d", "e", "f"]
    var policy = HookPolicy()
    policy.maxAgeMS = 60_000
    let outbox = MemoryOutbox()
    var queue = HookQueue(policy: policy, outbox: outbox)
    _ = queue.setHooks(names.map { Hook(name: $0, path: $0) }, now: 0)
    var running: [String: HookRun] = [:]
    var lastStarted: [String: Int] = [:]
    var now: Int64 = 0
    func apply(_ actions: [HookAction]) {
      for case .start(let run) in actions {
        #expect(running[run.hook.name] == nil)
        running[run.hook.name] = run
        #expect(running.count <= 4)
        let number = Int(run.event.id.dropFirst()) ?? 0
        let last = lastStarted[run.hook.name] ?? 0
        #expect(run.attempt == 1 ? number > last : number == last)
        lastStarted[run.hook.name] = number
      }
    }
    for step in 1...400 {
      now += Int64(random.next() % 3_000)
      if step <= 200, random.next() % 2 == 0 {
        outbox.append(hookEvent(step, recordedAtMS: now))
        apply(queue.wake(now: now))
      }
      for name in running.keys.sorted() where random.next() % 3 == 0 {
        running[name] = nil
        let outcome = random.next() % 2 == 0 ? HookOutcome.success : .failure("x")
        apply(queue.ended(name, outcome, now: now))
      }
      apply(queue.tick(now: now))
    }
    while let deadline = queue.nextDeadlineMS, queue.undeliveredCount(now: now) > 0 {
      now = max(now, deadline)
      apply(queue.tick(now: now))
      for name in running.keys.sorted() {
        running[name] = nil
        apply(queue.ended(name, .success, now: now))
      }
    }
    let counters = queue.counters
    let events = outbox.eventCount
    #expect(queue.undeliveredCount(now: now) == 0)
    #expect(
      counters.delivered + counters.givenUp + counters.expired + counters.dropped
        == events * names.count)
    #expect(counters.runs == counters.delivered + counters.failures)
  }
}
