import Glibc
import SystemdKit
import TestSupport

/// From a fix written to the daemon's FIFO to its event's line, which follows the commit, and on to
/// the first word of a hook, a shell script.
enum HookLatencyBenchmark {
  private static let fixCount = 600

  static func run() throws {
    for disk in BenchDisk.all {
      try disk.withDatabase { try measure(disk.name, database: $0) }
    }
  }

  private static func measure(_ name: String, database: String) throws {
    let bench = try DaemonUnderBench(markers: GeneratedMarkers.csv(), database: database)
    let words = bench.scratch("words")
    mkfifo(words, 0o600)
    try bench.addHook("speaks", "echo started >'\(words)'")
    let heard = try FileDescriptor.open(words, O_RDWR)
    let (daemon, _) = try bench.start()
    let fifo = try FileDescriptor.open(bench.fifo, O_WRONLY)
    var told: [Int64] = []
    var started: [Int64] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    for number in 0..<fixCount {
      // Each fix is 50 m on, so that a milepost is entered or left by each.
      let place = GeneratedMarkers.place(along: Double(number) * 50)
      let line = Array("\(1_796_000_000 + number),\(place)\n".utf8)
      let seen = daemon.lines.count
      let begin = Stopwatch.nanoseconds()
      _ = line.withUnsafeBytes { write(fifo.rawValue, $0.baseAddress, $0.count) }
      try daemon.wait(for: "the event of fix \(number)", from: seen) {
        $0.hasPrefix("20") && ($0.contains("Z enter ") || $0.contains("Z exit "))
      }
      told.append(Stopwatch.nanoseconds() - begin)
      // The first event is there at the start and runs no hook.
      if number == 0 { continue }
      _ = try buffer.withUnsafeMutableBytes { try heard.read(into: $0) }
      started.append(Stopwatch.nanoseconds() - begin)
    }
    try bench.stop(daemon)
    print("\(padded("fix to commit and its line, \(name)"))\(percentiles(told.sorted()))")
    print("\(padded("fix to the hook's first word, \(name)"))\(percentiles(started.sorted()))")
  }
}
