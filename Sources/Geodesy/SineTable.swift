import Glibc

/// The multiples of 1/512 rad from -π to π with their sines and cosines.
///
/// A coordinate takes a sine and a cosine of two angles to become a point, at every fix and for every
/// fence of a cube; the table and a short series give them without libm, to 3 nm on Earth.
struct SineTable: Sendable {
  static let steps = 1_609  // ⌈π · 512⌉
  let entries: [SIMD2<Double>]

  init() {
    entries = (-Self.steps...Self.steps).map { step in
      SIMD2(sin(Double(step) / 512), cos(Double(step) / 512))
    }
  }

  static let shared = SineTable()
}

/// 1.5 · 2⁵²: beyond it a Double holds whole numbers only, so that adding it rounds.
private let wholeNumbers = 6_755_399_441_055_744.0

/// Sine and cosine of an angle in degrees.
///
/// The angle is split into a multiple of 1/512 rad and a rest of at most 1/1024 rad, and the sum
/// formulae join them. The series' first omitted terms, r⁷/5040 and r⁸/40320, are below 1e-24.
package func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  let angle = degrees * (Double.pi / 180)
  // To the nearest whole number, without a call of libm, which `rounded` is on some processors.
  let step = (angle * 512 + wholeNumbers) - wholeNumbers
  guard abs(step) <= Double(SineTable.steps) else { return (sin(angle), cos(angle)) }
  let entry = SineTable.shared.entries[Int(step) + SineTable.steps]
  let r = angle - step * (1.0 / 512)
  let r2 = r * r
  let sine = r * (1 - r2 * (1.0 / 6) * (1 - r2 * (1.0 / 20)))
  let cosineLessOne = -0.5 * r2 * (1 - r2 * (1.0 / 12) * (1 - r2 * (1.0 / 30)))
  return (
    entry.x + (entry.x * cosineLessOne + entry.y * sine),
    entry.y + (entry.y * cosineLessOne - entry.x * sine)
  )
}
