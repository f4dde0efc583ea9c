import Glibc

/// Times repeated runs of one thing by CLOCK_MONOTONIC.
enum Stopwatch {
  static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The durations of `runs` runs in nanoseconds, sorted, after one that is not counted.
  static func runs(_ runs: Int, _ body: () -> Void) -> [Int64] {
    body()
    return (0..<runs).map { _ in
      let begin = nanoseconds()
      body()
      return nanoseconds() - begin
    }.sorted()
  }
}

/// One line of the benchmark: what, the median of several runs, the best and the worst.
/// With `each` a million, nanoseconds are counted in ms.
func report(
  _ name: String, _ sorted: [Int64], each count: Int, unit: String = "fix",
  in measure: String = "ns"
) {
  func text(_ value: Int64) -> String {
    let tenths = value * 10 / Int64(max(count, 1))
    return tenths < 1_000 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
  }
  let padded = name + String(repeating: " ", count: max(1, 46 - name.utf8.count))
  print(
    "\(padded)\(text(sorted[sorted.count / 2])) \(measure) a \(unit)"
      + "   (best \(text(sorted[0])), worst \(text(sorted[sorted.count - 1])))")
}

/// The resident set in MB.
func residentMegabytes() -> Int {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return usage.ru_maxrss / 1_024
}
