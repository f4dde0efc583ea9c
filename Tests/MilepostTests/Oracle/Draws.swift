import Glibc
import TestSupport

/// What drives and fences are drawn by.
extension SeededRandom {
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
