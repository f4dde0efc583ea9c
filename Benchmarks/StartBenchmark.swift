import Glibc
import TestSupport

/// How long the daemon takes from its exec to READY on 100,000 mileposts, and how much memory it
/// then has.
enum StartBenchmark {
  static func run() throws {
    let bench = try DaemonUnderBench(markers: GeneratedMarkers.csv())
    var times: [Int64] = []
    var memory = ""
    for _ in 0..<5 {
      let (daemon, readyAfter) = try bench.start()
      times.append(readyAfter)
      // What reading took is given back just after READY.
      usleep(200_000)
      memory = try residentMemory(of: daemon)
      try bench.stop(daemon)
    }
    report(
      "milepostd, exec to READY, 100,000 mileposts", times.sorted(), each: 1_000_000, unit: "start",
      in: "ms")
    print("  then resident: \(memory)")
  }

  /// `29,312 kB`; proc(5).
  private static func residentMemory(of daemon: RunningProgram) throws -> String {
    let lines = try TestData.lines(of: "/proc/\(daemon.pid)/status")
    let line = lines.first { $0.hasPrefix("VmRSS:") } ?? ""
    return line.dropFirst(6).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
