import Glibc
import TestSupport

/// From a fix written to the daemon's FIFO to the line that tells its event: with no hooks, and with
/// the worst of them all at once.
enum LatencyBenchmark {
  private static let fixCount = 600
  /// Between an event's line and the next fix, µs: the hooks run all the while.
  private static let pause: UInt32 = 5_000

  private static let nastyHooks = [
    (name: "sleeps", script: "exec sleep 600"),
    (name: "floods", script: "yes 'a line of a hook that says too much' | head -c 100000000"),
    (name: "forks", script: "sleep 3 & exit 0"),
    (name: "fails", script: "exit 1"),
  ]

  static func run() throws {
    try measure("fix to event, no hooks", hooks: [])
    try measure("fix to event, four nasty hooks", hooks: nastyHooks)
  }

  private static func measure(_ name: String, hooks: [(name: String, script: String)]) throws {
    let bench = try DaemonUnderBench(markers: GeneratedMarkers.csv())
    for hook in hooks { try bench.addHook(hook.name, hook.script) }
    let (daemon, _) = try bench.start()
    let fifo = open(bench.fifo, O_WRONLY | O_CLOEXEC)
    guard fifo >= 0 else { throw RunningProgram.TimeOut(waitedFor: bench.fifo, lines: []) }
    defer { close(fifo) }
    var times: [Int64] = []
    for number in 0..<fixCount {
      times.append(try time(ofFix: number, to: fifo, daemon))
      usleep(pause)
    }
    try bench.stop(daemon)
    show(name, times.dropFirst(10).sorted())
  }

  /// Each fix is 50 m on, so that a milepost is entered or left by each.
  private static func time(
    ofFix number: Int, to fifo: Int32, _ daemon: RunningProgram
  ) throws -> Int64 {
    let place = GeneratedMarkers.place(along: Double(number) * 50)
    var line = Array("\(1_796_000_000 + number),\(place)\n".utf8)
    let seen = daemon.lines.count
    let begin = Stopwatch.nanoseconds()
    write(fifo, &line, line.count)
    try daemon.wait(for: "the event of fix \(number)", from: seen) {
      $0.hasPrefix("20") && ($0.contains("Z enter ") || $0.contains("Z exit "))
    }
    return Stopwatch.nanoseconds() - begin
  }

  private static func show(_ name: String, _ sorted: [Int64]) {
    func text(_ share: Double) -> String {
      let place = min(sorted.count - 1, Int(Double(sorted.count) * share))
      return "\(sorted[place] / 1_000) µs"
    }
    let padded = name + String(repeating: " ", count: max(1, 46 - name.utf8.count))
    print("\(padded)p50 \(text(0.5)), p99 \(text(0.99)), max \(text(1))")
  }
}
