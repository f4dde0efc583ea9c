/// A decimal number as written: digits, fraction, exponent.
///
/// `value` is correctly rounded: where the digits are below 2⁵³ and the power of ten is at most 22
/// both are exact doubles and one division or multiplication rounds once (Clinger, "How to read
/// floating point numbers accurately", 1990); anything else goes through `Double(_:)`.
struct Decimal {
  /// All digits as one whole number; wrong where they are more than 19.
  private(set) var digits: UInt64 = 0
  private(set) var digitCount = 0
  private(set) var wholeCount = 0
  /// Digits after the point.
  var fractionCount: Int { digitCount &- wholeCount }

  /// Reads digits with at most one point among them, without sign or exponent.
  /// - Returns: The position after it; `start` where there is none.
  @inline(__always) mutating func read(_ bytes: ByteView, at start: Int) -> Int {
    let point = readDigits(bytes, at: start)
    wholeCount = digitCount
    guard bytes[point] == UInt8(ascii: ".") else { return point }
    return readDigits(bytes, at: point &+ 1)
  }

  @inline(__always) private mutating func readDigits(_ bytes: ByteView, at start: Int) -> Int {
    var position = start
    while true {
      let word = bytes.word(at: position)
      let count = EightBytes.index(EightBytes.notDigits(word))
      if count > 0 {
        digits = digits &* Self.tens[count & 15] &+ EightBytes.decimal(word, count: count)
        digitCount &+= count
        position &+= count
      }
      if count < 8 { return position }
    }
  }

  /// The value of a number in JSON's grammar.
  /// - Returns: Nil for the value where it is beyond the range of a double.
  @inline(__always) static func json(
    _ text: JSONText, at start: Int
  ) throws(LineProblem) -> (value: Double?, end: Int) {
    if let short = text.shortNumber(at: start) {
      let value = Double(short.digits) / powers[short.fractionCount & 31]
      return (value, start &+ short.length)
    }
    let digit = text.bytes[start] &- UInt8(ascii: "0")
    if digit <= 9, text.bytes[start &+ 1] == UInt8(ascii: ",") {
      return (Double(digit), start &+ 1)
    }
    return try long(text, at: start)
  }

  private static func long(
    _ text: JSONText, at start: Int
  ) throws(LineProblem) -> (value: Double?, end: Int) {
    let isNegative = text.bytes[start] == UInt8(ascii: "-")
    let first = isNegative ? start &+ 1 : start
    var number = Decimal()
    let end = number.read(text.bytes, at: first)
    guard
      number.wholeCount == 1 || (number.wholeCount > 1 && text.bytes[first] != UInt8(ascii: "0")),
      text.bytes[end &- 1] != UInt8(ascii: ".")
    else { throw .badNumber }
    let isSimple =
      number.digitCount <= 19 && number.digits <= 1 << 53 && number.fractionCount <= 22
      && text.bytes[end] | 0x20 != UInt8(ascii: "e")
    guard isSimple else { return try slow(text, at: start) }
    let magnitude = Double(number.digits) / powers[number.fractionCount & 31]
    return (isNegative ? -magnitude : magnitude, end)
  }

  @inline(never) private static func slow(
    _ text: JSONText, at start: Int
  ) throws(LineProblem) -> (value: Double?, end: Int) {
    let end = try text.longNumber(at: start)
    return (parsed(text.bytes.slice(start..<end)), end)
  }

  /// The value of a whole field as people and scripts write it: also `+1.5`, `.5`, `5.` and `007`.
  /// - Returns: Nil where the field is anything else, or beyond the range of a double.
  static func field(_ field: UnsafeRawBufferPointer) -> Double? {
    guard let bytes = ByteView(field) else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    var number = Decimal()
    let end = number.read(bytes, at: isNegative || bytes[0] == UInt8(ascii: "+") ? 1 : 0)
    guard number.digitCount > 0 else { return nil }
    guard end == bytes.count, number.digitCount <= 19, number.digits <= 1 << 53 else {
      return bytes[end] | 0x20 == UInt8(ascii: "e") || end == bytes.count ? parsed(field) : nil
    }
    let magnitude = Double(number.digits) / powers[number.fractionCount & 31]
    return isNegative ? -magnitude : magnitude
  }

  private static func parsed(_ text: UnsafeRawBufferPointer) -> Double? {
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// 10 to the power of 0...8.
  private static let tens: InlineArray<16, UInt64> = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 0, 0, 0, 0, 0, 0, 0,
  ]

  /// 10 to the power of 0...22, exact.
  private static let powers: InlineArray<32, Double> = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]
}
