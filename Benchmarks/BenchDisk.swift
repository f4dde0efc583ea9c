import Glibc
import TestSupport

/// Where a database lives while it is measured.
struct BenchDisk {
  let name: String
  let folder: String

  /// The package's own disk, and memory.
  static let all = [
    BenchDisk(name: "disk", folder: TestData.package + "/.build"),
    BenchDisk(name: "tmpfs", folder: "/dev/shm"),
  ]

  /// A database's path in there; its files go when the body ends.
  func withDatabase<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    let path = "\(folder)/milepost-bench-\(getpid()).db"
    defer { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) } }
    return try body(path)
  }
}

/// `p50 12 µs, p99 40 µs` of sorted nanoseconds.
func percentiles(_ sorted: [Int64]) -> String {
  func text(_ share: Double) -> String {
    let place = min(sorted.count - 1, Int(Double(sorted.count) * share))
    return place < 0 ? "-" : "\(sorted[place] / 1_000) µs"
  }
  return "p50 \(text(0.5)), p99 \(text(0.99))"
}

func padded(_ name: String) -> String {
  name + String(repeating: " ", count: max(1, 46 - name.utf8.count))
}
