import Glibc

/// A random series that a printed seed brings back.
///
/// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014): SplitMix64.
package struct SeededRandom: RandomNumberGenerator {
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The seed of `MILEPOST_TEST_SEED`, else a new one; printed, so that a failure can be repeated.
  package static func fresh(for test: String) -> SeededRandom {
    let given = getenv("MILEPOST_TEST_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? .random(in: 0 ... .max)
    print("\(test): MILEPOST_TEST_SEED=\(seed)")
    return SeededRandom(seed: seed)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Normally distributed round 0 (Box and Muller).
  package mutating func gaussian(sigma: Double) -> Double {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
    return sigma * radius * cos(Double.random(in: 0..<2 * .pi, using: &self))
  }
}
