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
    var text: [UInt8] = []
    write(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Metres as an exact decimal: `15200`, `41842.944`, `-300`.
  package var metresText: String {
    var text: [UInt8] = []
    if micrometres < 0 { text.append(UInt8(ascii: "-")) }
    let metre = Self.micrometresPerMetre
    Self.write(micrometres.magnitude / metre, width: 1, to: &text)
    Self.writeFraction(micrometres.magnitude % metre, digits: 6, atLeast: 0, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the canonical text.
  func write(to text: inout [UInt8]) {
    if notation == .miles { text.append(contentsOf: [0x4D, 0x50, 0x20]) }
    if micrometres < 0 { text.append(UInt8(ascii: "-")) }
    switch notation {
    case .kilometres: writeKilometres(to: &text)
    case .miles: writeMiles(to: &text)
    }
  }

  private func writeKilometres(to text: inout [UInt8]) {
    let (metres, rest) = micrometres.magnitude.quotientAndRemainder(
      dividingBy: Self.micrometresPerMetre)
    Self.write(metres / 1_000, width: 1, to: &text)
    text.append(UInt8(ascii: "K"))
    text.append(UInt8(ascii: "+"))
    Self.write(metres % 1_000, width: 3, to: &text)
    Self.writeFraction(rest, digits: 6, atLeast: 0, to: &text)
  }

  /// A mileage written in decimals of a mile has at most 10 of them (1 mile is 2¹⁰·5³·12,573 µm) and
  /// comes back exactly; another (made from micrometres) is rounded to 10, which still tells
  /// micrometres apart.
  private func writeMiles(to text: inout [UInt8]) {
    let mile = Self.micrometresPerMile
    let (miles, rest) = micrometres.magnitude.quotientAndRemainder(dividingBy: mile)
    Self.write(miles, width: 1, to: &text)
    let tenBillionths = (rest * 10_000_000_000 + mile / 2) / mile
    Self.writeFraction(tenBillionths, digits: 10, atLeast: 2, to: &text)
  }

  static let micrometresPerMetre: UInt64 = 1_000_000
  static let micrometresPerMile: UInt64 = 1_609_344_000

  /// A decimal point and `value` as `digits` digits without trailing zeros beyond `atLeast`; nothing
  /// where no digit is left.
  private static func writeFraction(
    _ value: UInt64, digits: Int, atLeast: Int, to text: inout [UInt8]
  ) {
    if value == 0, atLeast == 0 { return }
    var (value, digits) = (value, digits)
    while digits > atLeast, value % 10 == 0 { (value, digits) = (value / 10, digits - 1) }
    text.append(UInt8(ascii: "."))
    write(value, width: digits, to: &text)
  }

  /// At least `width` digits, zeros in front.
  private static func write(_ value: UInt64, width: Int, to text: inout [UInt8]) {
    let start = text.count
    var rest = value
    repeat {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0 || text.count - start < width
    text[start...].reverse()
  }
}

extension Mileage {
  /// True where this is a whole multiple of `step` micrometres, as `Every=1km` asks.
  package func isMultiple(of step: Int64) -> Bool { step > 0 && micrometres % step == 0 }
}
