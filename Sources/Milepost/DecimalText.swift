/// A number with at most `places` decimals, 0 to 9, and none that is a trailing zero; never an
/// exponent below 1e9.
package func decimalText(_ value: Double, places: Int) -> String {
  text { $0.append(value, places: places) }
}

/// Milliseconds as seconds: 1500 is `1.5`.
package func secondsText(milliseconds: Int64) -> String {
  text { $0.append(fraction: milliseconds, divisor: 1_000) }
}

private func text(_ write: (inout [UInt8]) -> Void) -> String {
  var bytes: [UInt8] = []
  write(&bytes)
  return String(decoding: bytes, as: UTF8.self)
}

extension [UInt8] {
  private static let powers: [Int64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  /// Appends what ``decimalText(_:places:)`` says.
  mutating func append(_ value: Double, places: Int) {
    let divisor = Self.powers[Swift.min(Swift.max(places, 0), 9)]
    if abs(value) < 1e9, let scaled = Int64(exactly: (value * Double(divisor)).rounded()) {
      append(fraction: scaled, divisor: divisor)
    } else {
      append(contentsOf: "\(value)".utf8)
    }
  }

  /// Appends `numerator / divisor` in decimals without trailing zeros; the divisor is a power of ten
  /// up to 10⁹.
  mutating func append(fraction numerator: Int64, divisor: Int64) {
    var (whole, rest) = numerator.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
    if numerator < 0 { append(UInt8(ascii: "-")) }
    append(decimal: whole)
    guard rest > 0 else { return }
    append(UInt8(ascii: "."))
    var width = Self.powers.firstIndex(of: divisor) ?? 0
    while rest % 10 == 0 { (rest, width) = (rest / 10, width - 1) }
    append(decimal: rest, width: width)
  }

  /// Appends a number in decimals, with zeros before it up to `width` digits.
  mutating func append(decimal value: UInt64, width: Int = 1) {
    var digits = 1
    var shorter = value
    while shorter >= 10 { (shorter, digits) = (shorter / 10, digits + 1) }
    digits = Swift.max(digits, width)
    var place = count + digits
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
    var rest = value
    while rest > 0 {
      place -= 1
      self[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// Appends what ``Timestamp/description`` says.
  mutating func append(_ time: Timestamp) {
    let c = time.components
    func padded(_ value: Int, _ width: Int, _ bytes: inout [UInt8]) {
      bytes.append(decimal: UInt64(Swift.max(value, 0)), width: width)
    }
    padded(c.year, 4, &self)
    append(UInt8(ascii: "-"))
    padded(c.month, 2, &self)
    append(UInt8(ascii: "-"))
    padded(c.day, 2, &self)
    append(UInt8(ascii: "T"))
    padded(c.hour, 2, &self)
    append(UInt8(ascii: ":"))
    padded(c.minute, 2, &self)
    append(UInt8(ascii: ":"))
    padded(c.second, 2, &self)
    if c.millisecond > 0 {
      append(UInt8(ascii: "."))
      padded(c.millisecond, 3, &self)
    }
    append(UInt8(ascii: "Z"))
  }
}
