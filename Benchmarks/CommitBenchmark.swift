import EventStore

/// Commits of one event each, as an accepted fix makes them.
enum CommitBenchmark {
  private static let count = 3_000

  static func run() throws {
    for disk in BenchDisk.all {
      try disk.withDatabase { path in
        let store = try StoreEvents.open(path)
        for number in 0..<100 { StoreEvents.commit(number, to: store) }
        let begin = Stopwatch.nanoseconds()
        let times = (0..<count).map { number in
          let begin = Stopwatch.nanoseconds()
          StoreEvents.commit(100 + number, to: store)
          return Stopwatch.nanoseconds() - begin
        }
        let rate = Int64(count) * 1_000_000_000 / max(1, Stopwatch.nanoseconds() - begin)
        print(
          "\(padded("commits, \(disk.name)"))\(rate) a second   (\(percentiles(times.sorted())))")
        _ = store.end(held: nil, lastFix: nil, now: 0)
      }
    }
  }
}
