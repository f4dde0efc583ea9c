/// How long to wait before trying again: twice as long after each failure, up to a limit, with jitter.
package struct Backoff {
  /// Milliseconds.
  private let first: Int64
  private let limit: Int64
  private var failures = 0
  private var random: UInt64

  /// Times in milliseconds; of the same seed of the jitter come the same delays.
  package init(first: Int64 = 500, limit: Int64 = 30_000, seed: UInt64) {
    self.first = max(1, first)
    self.limit = max(1, limit)
    random = seed
  }

  /// The next delay in milliseconds: between three quarters and the whole of 0.5, 1, 2 … 30 s.
  package mutating func next() -> Int64 {
    let whole = min(limit, first << min(failures, 16))
    failures += 1
    return max(1, whole - Int64(nextRandom() % UInt64(whole / 4 + 1)))
  }

  package mutating func reset() { failures = 0 }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  private mutating func nextRandom() -> UInt64 {
    random &+= 0x9E37_79B9_7F4A_7C15
    var z = random
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
