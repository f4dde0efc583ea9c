import Glibc
import SystemdKit
import Testing

@testable import MilepostDaemon

/// Real processes. Serial: each has the machine to itself, so that short time-outs mean what they say.
@Suite(.serialized) struct HookRunnerTests {
  @Test func `a hook gets its arguments, the environment and the JSON as one line`() throws {
    let bench = try HookBench()
    let hook = try bench.scratch.script(
      "a.sh", #"echo "$0|$1|$2|$#"; tr '\0' '\n' </proc/$$/environ; cat; pwd"#)
    bench.runner.setHooks([hook])
    bench.deliver(
      hookEvent(1, kind: .exit, json: #"{"x":1}"#, recordedAtMS: Clock.bootTimeMS))
    try bench.runUntilDelivered()
    #expect(
      bench.output(of: "a.sh") == [
        "\(hook.path)|exit|F/1|2",
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "MILEPOST_EVENT=exit", "MILEPOST_FENCE=F/1", #"{"x":1}"#, "/",
      ])
    #expect(bench.log() == ["hook a.sh: done with exit F/1"])
    #expect(bench.entries.first?.fields.contains(.init("MILEPOST_EVENT_ID", "e1")) == true)
  }

  @Test func `a hook has descriptors 0 to 2 only, and no blocked signal`() throws {
    let bench = try HookBench()
    let extra = try FileDescriptor.open("/dev/null", O_RDONLY)
    _ = fcntl(extra.rawValue, F_SETFD, 0)
    bench.runner.setHooks([
      // 3 is what ls itself opened, to list the directory.
      try bench.scratch.script(
        "a", "ls /proc/self/fd | tr '\\n' ' '; grep SigBlk /proc/self/status")
    ])
    bench.deliver(1)
    try bench.runUntilDelivered()
    #expect(bench.output(of: "a") == ["0 1 2 3 SigBlk:\t0000000000000000"])
  }

  @Test func `a hook that sleeps for ever is terminated`() throws {
    var policy = HookPolicy()
    policy.timeoutMS = 50
    policy.attempts = 1
    let bench = try HookBench(policy)
    bench.runner.setHooks([try bench.scratch.script("a", "sleep 100000")])
    bench.deliver(1)
    try bench.runUntilDelivered()
    #expect(
      bench.log() == [
        "hook a: ran longer than 0.05 s, killed by signal 15 for enter F/1, attempt 1 of 1, giving up"
      ])
    #expect(bench.runner.counters.timeouts == 1)
  }

  @Test func `a hook that ignores SIGTERM is killed`() throws {
    var policy = HookPolicy()
    // Long enough for a busy machine to reach the trap.
    policy.timeoutMS = 1_000
    policy.killAfterMS = 50
    policy.attempts = 1
    let bench = try HookBench(policy)
    bench.runner.setHooks([
      try bench.scratch.script("a", "trap '' TERM; echo deaf; while :; do sleep 100000; done")
    ])
    bench.deliver(1)
    try bench.runUntilDelivered()
    #expect(bench.output(of: "a") == ["deaf"])
    #expect(bench.log().first?.contains("killed by signal 9") == true)
  }

  @Test func `a flood of 100 MB is read to its end and cut at 64 KiB, and others are served`()
    throws
  {
    let bench = try HookBench()
    // A million lines of 100 bytes; 655 of them and 36 bytes are 64 KiB.
    let line = String(repeating: "x", count: 99)
    bench.runner.setHooks([
      try bench.scratch.script("flood", "yes \(line) | head -c 100000000"),
      try bench.scratch.script("quick", "echo here"),
    ])
    bench.deliver(1)
    try bench.runUntilDelivered()
    let output = bench.output(of: "flood")
    #expect(output.count == 657)
    #expect(output.first == line)
    #expect(output[655] == String(repeating: "x", count: 36))
    #expect(output[656] == "999345 more lines (99934464 bytes) of output not logged")
    #expect(bench.log() == ["hook quick: done with enter F/1", "hook flood: done with enter F/1"])
  }

  @Test func `a child that a hook leaves behind lives on, and its pipe is closed`() throws {
    var policy = HookPolicy()
    policy.outputGraceMS = 100
    let bench = try HookBench(policy)
    let path = bench.scratch.path + "/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    let fifo = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
    // What is left behind writes until nobody listens, and then tells.
    let hook = try bench.scratch.script(
      "a",
      "echo left; (trap '' PIPE; while echo tick; do :; done 2>/dev/null; echo closed >\(path)) &")
    bench.runner.setHooks([hook])
    bench.deliver(1)
    try bench.runUntilDelivered()
    #expect(bench.log() == ["hook a: done with enter F/1"])
    var closed = false
    let source = try bench.loop.addIO(fifo.rawValue, .readable) { _ in closed = true }
    try bench.run { closed }
    source.cancel()
    #expect(bench.output(of: "a").first == "left")
  }

  @Test func `a hook that fails three times and then succeeds has delivered`() throws {
    var policy = HookPolicy()
    policy.firstBackoffMS = 2
    let bench = try HookBench(policy)
    bench.runner.setHooks([
      try bench.scratch.script(
        "a", "echo \"$2 ${MILEPOST_ATTEMPT-first}\"; [ $2 != F/1 ] || [ \"$MILEPOST_ATTEMPT\" = 4 ]"
      )
    ])
    bench.deliver(1)
    bench.deliver(2)
    try bench.runUntilDelivered()
    #expect(bench.output(of: "a") == ["F/1 first", "F/1 2", "F/1 3", "F/1 4", "F/2 first"])
    #expect(bench.runner.counters.failures == 3)
    #expect(bench.runner.counters.delivered == 2)
  }

  @Test func `an event of 1 MB holds up nothing, be it read or not`() throws {
    let bench = try HookBench()
    bench.runner.setHooks([
      try bench.scratch.script("closes", "exec <&-; echo closed"),
      try bench.scratch.script("ignores", "echo ignored"),
      try bench.scratch.script("reads", "wc -c"),
    ])
    let json = String(repeating: "j", count: 1_048_576)
    bench.deliver(hookEvent(1, json: json, recordedAtMS: Clock.bootTimeMS))
    try bench.runUntilDelivered()
    #expect(bench.output(of: "closes") == ["closed"])
    #expect(bench.output(of: "ignores") == ["ignored"])
    #expect(bench.output(of: "reads") == ["1048577"])
    #expect(bench.runner.counters.delivered == 3)
  }

  @Test func `a hook that waits holds up its own events, in order, and not those of others`() throws
  {
    let bench = try HookBench()
    let path = bench.scratch.path + "/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    let fifo = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
    bench.runner.setHooks([
      try bench.scratch.script("slow", "read -r word <\(path); echo \"$2 $word\""),
      try bench.scratch.script("quick", "echo $2"),
    ])
    for number in 1...3 { bench.deliver(number) }
    try bench.run { bench.output(of: "quick").count == 3 && bench.runner.runningCount == 1 }
    #expect(bench.output(of: "quick") == ["F/1", "F/2", "F/3"])
    #expect(bench.output(of: "slow").isEmpty)
    for number in 1...3 {
      _ = try Array("go\n".utf8).withUnsafeBytes { try fifo.write($0) }
      try bench.run { bench.output(of: "slow").count == number }
    }
    try bench.runUntilDelivered()
    #expect(bench.output(of: "slow") == ["F/1 go", "F/2 go", "F/3 go"])
  }

  @Test func `a hook that became writable by its group since it was listed is not run`() throws {
    var policy = HookPolicy()
    policy.attempts = 1
    let bench = try HookBench(policy)
    let hook = try bench.scratch.script("a", "echo ran")
    bench.runner.setHooks([hook])
    try #require(chmod(hook.path, 0o775) == 0)
    bench.deliver(1)
    #expect(bench.runner.undeliveredCount == 0)
    #expect(
      bench.log(upTo: 3) == [
        "hook a: did not start (\(hook.path): is writable by its group (chmod go-w)) "
          + "for enter F/1, attempt 1 of 1, giving up"
      ])
  }

  @Test func `a hook whose interpreter is missing fails and does not stop the others`() throws {
    var policy = HookPolicy()
    policy.firstBackoffMS = 1
    policy.attempts = 2
    let bench = try HookBench(policy)
    let broken = try bench.scratch.script("broken", "")
    try bench.scratch.replace(broken, with: "#!/no/such/interpreter\n")
    bench.runner.setHooks([broken, try bench.scratch.script("fine", "echo fine")])
    bench.deliver(1)
    try bench.runUntilDelivered()
    #expect(bench.output(of: "fine") == ["fine"])
    #expect(bench.log(upTo: 3).first?.contains("posix_spawn: No such file or directory") == true)
  }

  @Test func `at the stop a running hook is terminated, which is no attempt`() throws {
    var policy = HookPolicy()
    policy.stopTerminateAfterMS = 20
    policy.stopKillAfterMS = 30_000
    let bench = try HookBench(policy)
    bench.runner.setHooks([
      try bench.scratch.script("a", "trap 'echo bye; exit 0' TERM; echo ready; sleep 100000 & wait")
    ])
    bench.deliver(1)
    bench.deliver(2)
    try bench.run { bench.output(of: "a") == ["ready"] }
    var stopped = false
    bench.runner.stop { stopped = true }
    try bench.run { stopped }
    #expect(bench.output(of: "a") == ["ready", "bye"])
    #expect(bench.log() == ["hook a: ended by the stop, enter F/1 is not delivered"])
    #expect(bench.runner.counters.interrupted == 1)
    #expect(bench.runner.undeliveredCount == 2)
  }

  @Test func `a stop with nothing running is done at once`() throws {
    let bench = try HookBench()
    var stopped = false
    bench.runner.stop { stopped = true }
    #expect(stopped)
    bench.runner.setHooks([try bench.scratch.script("a", "echo ran")])
    bench.deliver(1)
    #expect(bench.runner.runningCount == 0)
  }
}

/// The twin of real processes: runs that end when the test says so.
private final class TwinSpawner: HookSpawner {
  final class Process: HookProcess {
    var signals: [Int32] = []
    func signalGroup(_ signal: Int32) { signals.append(signal) }
  }

  var failuresToCome = 0
  private(set) var started: [HookRun] = []
  private(set) var processes: [Process] = []
  private(set) var ends: [(HookOutcome) -> Void] = []

  func start(_ run: HookRun, ended: @escaping (HookOutcome) -> Void) throws -> any HookProcess {
    if failuresToCome > 0 {
      failuresToCome -= 1
      throw SystemError(call: "posix_spawn", subject: run.hook.path, errno: EAGAIN)
    }
    started.append(run)
    ends.append(ended)
    let process = Process()
    processes.append(process)
    return process
  }

  func closeOutput() {}
}

@Suite struct HookRunnerTwinTests {
  @Test func `a start that fails twice is tried again by the timer`() throws {
    var policy = HookPolicy()
    policy.firstBackoffMS = 1
    let loop = try EventLoop()
    let twin = TwinSpawner()
    twin.failuresToCome = 2
    let outbox = MemoryOutbox()
    let runner = try HookRunner(loop: loop, policy: policy, outbox: outbox, spawner: twin) { _ in }
    runner.setHooks([Hook(name: "a", path: "/h/a")])
    outbox.append(hookEvent(1, recordedAtMS: Clock.bootTimeMS))
    runner.wake()
    while twin.started.isEmpty {
      try #require(try loop.runOnce(timeoutMS: 30_000))
    }
    #expect(twin.started.map(\.attempt) == [3])
    twin.ends[0](.success)
    #expect(runner.counters.delivered == 1)
    #expect(runner.undeliveredCount == 0)
  }

  @Test func `signals go to the run of the hook that is late`() throws {
    let loop = try EventLoop()
    let twin = TwinSpawner()
    var now: Int64 = 0
    let outbox = MemoryOutbox()
    let runner = try HookRunner(
      loop: loop, policy: HookPolicy(), outbox: outbox, spawner: twin, now: { now }
    ) { _ in }
    runner.setHooks([Hook(name: "a", path: "/h/a"), Hook(name: "b", path: "/h/b")])
    outbox.append(hookEvent(1))
    runner.wake()
    twin.ends[0](.success)
    now = 30_000
    outbox.append(hookEvent(2))
    runner.wake()
    // The timer's time is long past on the real clock.
    try loop.runOnce(timeoutMS: 30_000)
    #expect(twin.processes.map(\.signals) == [[], [SIGTERM], []])
  }
}
