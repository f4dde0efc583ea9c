/// The number on a milepost's plate, exact.
///
/// Held as whole micrometres: kilometres, thousandths of a mile (1,609.344 m), hundredths of a
/// foot and chains are whole numbers of them, so that no comparison ever rounds.
package struct Mileage: Hashable, Sendable {
  /// The notation in which a road counts.
  package enum Notation: UInt8, Sendable {
    /// `15K+200`
    case kilometres
    /// `MP 26.00`
    case miles
  }

  package let micrometres: Int64
  package let notation: Notation

  package init(micrometres: Int64, notation: Notation = .kilometres) {
    self.micrometres = micrometres
    self.notation = notation
  }
}

extension Mileage: Comparable {
  /// By place along the road; of two equal ones, the one in kilometres first, so that `<` agrees
  /// with `==`.
  package static func < (a: Mileage, b: Mileage) -> Bool {
    a.micrometres == b.micrometres
      ? a.notation.rawValue < b.notation.rawValue : a.micrometres < b.micrometres
  }

  /// Micrometres from `other` to this, negative where this is lower; clamped to Int64.
  package func micrometres(since other: Mileage) -> Int64 {
    let (difference, overflow) = micrometres.subtractingReportingOverflow(other.micrometres)
    return overflow ? (micrometres < 0 ? .min : .max) : difference
  }
}

/// Canonical: `15K+200`, `0K+000`, `-0K+300`, `15K+200.5`; `MP 26.00`, `MP 26.125`.
extension Mileage: CustomStringConvertible {
  package var description: String {
    switch notation {
    case .kilometres: kilometresText
    case .miles: milesText
    }
  }

  /// Metres as an exact decimal: `15200`, `41842.944`, `-300`.
  package var metresText: String {
    let metre = Self.micrometresPerMetre
    return sign + String(micrometres.magnitude / metre)
      + Self.fraction(micrometres.magnitude % metre, digits: 6, atLeast: 0)
  }

  private var kilometresText: String {
    let metre = Self.micrometresPerMetre
    let metres = micrometres.magnitude / metre
    return sign + String(metres / 1_000) + "K+" + Self.padded(metres % 1_000, width: 3)
      + Self.fraction(micrometres.magnitude % metre, digits: 6, atLeast: 0)
  }

  /// A mileage written in decimals of a mile has at most 10 of them (1 mile is 2¹⁰·5³·12,573 µm) and
  /// comes back exactly; another (made from micrometres) is rounded to 10, which still tells
  /// micrometres apart.
  private var milesText: String {
    let mile = Self.micrometresPerMile
    let remainder = micrometres.magnitude % mile
    let tenBillionths = (remainder * 10_000_000_000 + mile / 2) / mile
    return "MP " + sign + String(micrometres.magnitude / mile)
      + Self.fraction(tenBillionths, digits: 10, atLeast: 2)
  }

  private var sign: String { micrometres < 0 ? "-" : "" }

  static let micrometresPerMetre: UInt64 = 1_000_000
  static let micrometresPerMile: UInt64 = 1_609_344_000

  /// A decimal point and `value` as `digits` digits without trailing zeros beyond `atLeast`; nothing
  /// where no digit is left.
  private static func fraction(_ value: UInt64, digits: Int, atLeast: Int) -> String {
    var (value, digits) = (value, digits)
    while digits > atLeast, value % 10 == 0 { (value, digits) = (value / 10, digits - 1) }
    return digits == 0 ? "" : "." + padded(value, width: digits)
  }

  private static func padded(_ value: UInt64, width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
