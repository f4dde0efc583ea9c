/// A decimal number with an optional sign: `24.8581`, `-0.5`; correctly rounded.
package enum DecimalNumber {
  /// Nil where `text` is anything else: no exponent, no decimal comma, no `nan`.
  package static func parse(_ text: Span<UInt8>) -> Double? {
    var position = 0
    var isNegative = false
    if !text.isEmpty, text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+") {
      isNegative = text[0] == UInt8(ascii: "-")
      position = 1
    }
    var (mantissa, digits, decimals): (UInt64, Int, Int) = (0, 0, 0)
    var hasPoint = false
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      digits += 1
      if hasPoint { decimals += 1 }
      if digits <= exactDigits { mantissa = mantissa * 10 + UInt64(digit) }
    }
    guard digits > 0 else { return nil }
    guard digits <= exactDigits else { return rounded(text) }
    let value = Double(mantissa) / powersOfTen[decimals]
    return isNegative ? -value : value
  }

  /// A number of more digits.
  private static func rounded(_ text: Span<UInt8>) -> Double? {
    var digits: [UInt8] = []
    for index in text.indices { digits.append(text[index]) }
    return Double(String(decoding: digits, as: UTF8.self))
  }

  /// Up to here the digits and the power of ten are both exact in a Double, so that one division
  /// rounds once (Clinger 1990).
  private static let exactDigits = 15
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
