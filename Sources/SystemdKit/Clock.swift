internal import Glibc

/// The two clocks of the daemon, read by clock_gettime(2), in whole milliseconds.
package enum Clock {
  /// Time since boot with suspend counted, ms: for durations, time-outs and ages.
  package static var bootTimeMS: Int64 { milliseconds(CLOCK_BOOTTIME) }

  /// Unix time, ms. It leaps when GPS or NTP sets the clock; never measure with it.
  package static var realTimeMS: Int64 { milliseconds(CLOCK_REALTIME) }

  /// Time since boot without suspend, µs: what RELOADING=1 asks for.
  static var monotonicUSec: UInt64 {
    let now = read(CLOCK_MONOTONIC)
    return UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    let now = read(clock)
    return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var now = timespec()
    let result = clock_gettime(clock, &now)
    precondition(result == 0, "clock_gettime fails for unknown clocks only")
    return now
  }
}
