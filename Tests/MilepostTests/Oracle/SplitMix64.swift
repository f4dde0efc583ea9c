import Glibc

/// A small generator of numbers that a seed determines for ever (Steele, Lea, Flood 2014).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// From 0 up to 1, without 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func uniform(_ low: Double, _ high: Double) -> Double { low + unit() * (high - low) }

  mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Mean 0, deviation 1 (Box and Muller).
  mutating func normal() -> Double {
    (-2 * log(1 - unit())).squareRoot() * cos(2 * Double.pi * unit())
  }

  /// As many per octave everywhere between `low` and `high`.
  mutating func logarithmic(_ low: Double, _ high: Double) -> Double {
    exp(uniform(log(low), log(high)))
  }

  mutating func pick<Element>(_ choices: [Element], else fallback: Element) -> Element {
    choices.isEmpty ? fallback : choices[whole(0...(choices.count - 1))]
  }
}
