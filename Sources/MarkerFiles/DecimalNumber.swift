/// A decimal number with an optional sign: `24.8581`, `-0.5`; correctly rounded.
package enum DecimalNumber {
  /// Nil where `text` is anything else: no exponent, no decimal comma, no `nan`.
  package static func parse(_ text: Span<UInt8>) -> Double? {
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    let start = isNegative || !text.isEmpty && text[0] == UInt8(ascii: "+") ? 1 : 0
    // The digits may wrap round: then there are too many of them, and they are read another way.
    var mantissa: UInt64 = 0
    let point = addDigits(of: text, from: start, to: &mantissa)
    var (digits, decimals) = (point - start, 0)
    if point < text.count {
      guard text[point] == UInt8(ascii: "."),
        addDigits(of: text, from: point + 1, to: &mantissa) == text.count
      else { return nil }
      decimals = text.count - point - 1
      digits += decimals
    }
    guard digits > 0 else { return nil }
    guard digits <= exactDigits else { return rounded(text) }
    let value = Double(mantissa) / powersOfTen[decimals]
    return isNegative ? -value : value
  }

  /// Returns where the digits from `start` on end.
  @inline(__always)
  private static func addDigits(of text: Span<UInt8>, from start: Int, to mantissa: inout UInt64)
    -> Int
  {
    var place = start
    while place < text.count {
      let digit = text[place] &- UInt8(ascii: "0")
      if digit > 9 { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      place += 1
    }
    return place
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
