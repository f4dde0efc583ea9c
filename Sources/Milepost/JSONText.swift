/// Writes one JSON object in a line, keys in the order of the calls.
package struct JSONText {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() { bytes.reserveCapacity(512) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func object(_ key: String? = nil, _ members: (inout JSONText) -> Void) {
    if let key { begin(key) }
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    members(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  package mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    begin(key)
    quote(value)
  }

  package mutating func member(_ key: String, _ value: Bool) { raw(key, value ? "true" : "false") }

  package mutating func member(_ key: String, _ value: Int64) { raw(key, String(value)) }

  /// Rounded to `places` decimals; absent where nil or not finite.
  package mutating func member(_ key: String, _ value: Double?, places: Int) {
    guard let value, value.isFinite else { return }
    raw(key, decimalText(value, places: places))
  }

  /// Milliseconds as seconds, exact.
  package mutating func member(_ key: String, milliseconds: Int64?) {
    guard let milliseconds else { return }
    raw(key, secondsText(milliseconds: milliseconds))
  }

  /// A value that is JSON already.
  package mutating func raw(_ key: String, _ value: String) {
    begin(key)
    bytes.append(contentsOf: value.utf8)
  }

  private mutating func begin(_ key: String) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    quote(key)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Source: RFC 8259, section 7.
  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: "\\u00".utf8)
        if digits.utf8.count == 1 { bytes.append(UInt8(ascii: "0")) }
        bytes.append(contentsOf: digits.utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// A number with at most `places` decimals, 0 to 9, and none that is a trailing zero; never an
/// exponent below 1e9.
package func decimalText(_ value: Double, places: Int) -> String {
  let powers: [Double] = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
  let scale = powers[min(max(places, 0), 9)]
  guard let scaled = Int64(exactly: (value * scale).rounded()), abs(value) < 1e9 else {
    return "\(value)"
  }
  let divisor = Int64(scale)
  return fractionText(scaled, divisor: divisor)
}

/// Milliseconds as seconds: 1500 is `1.5`.
package func secondsText(milliseconds: Int64) -> String {
  fractionText(milliseconds, divisor: 1_000)
}

/// `numerator / divisor` in decimals; the divisor is a power of ten.
private func fractionText(_ numerator: Int64, divisor: Int64) -> String {
  let sign = numerator < 0 ? "-" : ""
  let (whole, rest) = numerator.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
  guard rest > 0 else { return whole == 0 ? "0" : "\(sign)\(whole)" }
  var digits = String(rest + divisor.magnitude).dropFirst()
  while digits.last == "0" { digits.removeLast() }
  return "\(sign)\(whole).\(digits)"
}
