/// Borrowed JSON text (RFC 8259), walked strictly, value by value.
///
/// Every function takes a position and returns the one after what it read, so that a walk holds its
/// position in a register. Numbers and keys are walked byte by byte on purpose: reports resemble each
/// other, so the processor foretells where each one ends, and need not wait to find out as it would
/// if eight bytes were searched at once.
///
/// Beyond the RFC it takes `NaN`, `Infinity` and C's `nan` and `inf`, which printf makes of a number
/// unknown. Bytes of 0x80 and above within strings are not judged.
struct JSONText {
  /// Objects and arrays within one another.
  static let maximumDepth = 32

  let bytes: ByteView

  /// The content of a string, its quotes left out and its escapes as written.
  struct RawString {
    var range: Range<Int>
    var hasEscapes: Bool
    /// The position after the closing quote.
    @inline(__always) var end: Int { range.upperBound &+ 1 }
  }

  /// What an unexpected byte at `position` is.
  func unexpected(at position: Int) -> LineProblem {
    position >= bytes.count ? .cutShort : .syntax
  }

  /// Past white space.
  @inline(__always) func space(at start: Int) -> Int {
    var position = start
    while bytes[position] <= 0x20, Self.isSpace(bytes[position]) { position &+= 1 }
    return position
  }

  /// Past one certain byte.
  @inline(__always) func expect(_ byte: UInt8, at position: Int) throws(LineProblem) -> Int {
    guard bytes[position] == byte else { throw unexpected(at: position) }
    return position &+ 1
  }

  /// A member's key: its bytes, the first one lowest; 0 for one of
  /// other than three to six bytes, or escaped.
  @inline(__always) func key(
    at start: Int
  ) throws(LineProblem) -> (key: UInt64, end: Int) {
    let first = try expect(UInt8(ascii: "\""), at: start)
    let word = bytes.word(at: first)
    let stops = EightBytes.stringStops(word)
    // The usual lengths one by one, for their ends to be foretold.
    switch EightBytes.lowest(stops) {
    case 0x80 << 24 where word >> 24 & 0xFF == 0x22: return (word & 0xFF_FFFF, first &+ 4)
    case 0x80 << 32 where word >> 32 & 0xFF == 0x22: return (word & 0xFFFF_FFFF, first &+ 5)
    case 0x80 << 40 where word >> 40 & 0xFF == 0x22: return (word & 0xFF_FFFF_FFFF, first &+ 6)
    case 0x80 << 48 where word >> 48 & 0xFF == 0x22: return (word & 0xFFFF_FFFF_FFFF, first &+ 7)
    default: return (0, try string(at: start).end)
    }
  }

  /// Past a member's colon and the white space round it.
  @inline(__always) func colon(at start: Int) throws(LineProblem) -> Int {
    if bytes[start] == UInt8(ascii: ":"), bytes[start &+ 1] > 0x20 { return start &+ 1 }
    return try spacedColon(at: start)
  }

  @inline(never) private func spacedColon(at start: Int) throws(LineProblem) -> Int {
    space(at: try expect(UInt8(ascii: ":"), at: space(at: start)))
  }

  /// A string, its opening quote at `start`.
  func string(at start: Int) throws(LineProblem) -> RawString {
    let first = try expect(UInt8(ascii: "\""), at: start)
    var position = first
    var hasEscapes = false
    while true {
      let found = EightBytes.stringStops(bytes.word(at: position))
      position &+= EightBytes.index(found)
      if found == 0 { continue }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        return RawString(range: first..<position, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position = try escape(at: position)
      default: throw unexpected(at: position)
      }
    }
  }

  private func escape(at backslash: Int) throws(LineProblem) -> Int {
    switch bytes[backslash + 1] {
    case UInt8(ascii: "u"):
      for position in (backslash + 2)..<(backslash + 6) where hexValue(bytes[position]) == nil {
        throw unexpected(at: position)
      }
      return backslash + 6
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return backslash + 2
    default: throw unexpected(at: backslash + 1)
    }
  }

  /// True at a digit, and at a minus that no letter follows.
  @inline(__always) func isNumber(at position: Int) -> Bool {
    Self.isDigit(bytes[position])
      || (bytes[position] == UInt8(ascii: "-") && bytes[position &+ 1] < UInt8(ascii: "A"))
  }

  /// A number such as `592.3000`: digits, a point, digits, together at most eight bytes.
  struct ShortNumber {
    /// The bytes from its first digit on.
    var word: UInt64
    var wholeCount: Int
    /// Digits and point.
    var length: Int

    /// The digits without the point.
    @inline(__always) var digits: UInt64 {
      let whole = (1 &<< UInt64(truncatingIfNeeded: 8 &* wholeCount)) &- 1
      return EightBytes.decimal(word & whole | word >> 8 & ~whole, count: length &- 1)
    }
    @inline(__always) var fractionCount: Int { length &- wholeCount &- 1 }
  }

  /// Nil for a longer or a shorter one, with a sign or an exponent, or none at all.
  @inline(__always) func shortNumber(at start: Int) -> ShortNumber? {
    let word = bytes.word(at: start)
    let stops = EightBytes.notDigits(word)
    let point = EightBytes.lowest(stops)
    let end = EightBytes.lowest(stops ^ point)
    guard EightBytes.points(word) & point != 0, point != 0x80, end != point << 8,
      word & 0xFF != UInt64(UInt8(ascii: "0")) || point == 0x8000
    else { return nil }
    // What ends the number may be the ninth byte.
    let length = EightBytes.index(end)
    let after = bytes[start &+ length]
    guard !Self.isDigit(after), after | 0x20 != UInt8(ascii: "e") else { return nil }
    return ShortNumber(word: word, wholeCount: EightBytes.index(point), length: length)
  }

  /// Past a number: no leading zero, digits on both sides of the point.
  @inline(__always) func number(at start: Int) throws(LineProblem) -> Int {
    if let number = shortNumber(at: start) { return start &+ number.length }
    return try longNumber(at: start)
  }

  @inline(never) func longNumber(at start: Int) throws(LineProblem) -> Int {
    let whole = bytes[start] == UInt8(ascii: "-") ? start &+ 1 : start
    var position = digits(at: whole)
    guard position &- whole == 1 || (position > whole && bytes[whole] != UInt8(ascii: "0")) else {
      throw .badNumber
    }
    if bytes[position] == UInt8(ascii: ".") {
      let fraction = position &+ 1
      position = digits(at: fraction)
      guard position > fraction else { throw .badNumber }
    }
    return bytes[position] | 0x20 == UInt8(ascii: "e") ? try exponent(at: position) : position
  }

  @inline(__always) private func digits(at start: Int) -> Int {
    var position = start
    while true {
      let count = EightBytes.index(EightBytes.notDigits(bytes.word(at: position)))
      position &+= count
      if count < 8 { return position }
    }
  }

  private func exponent(at start: Int) throws(LineProblem) -> Int {
    let sign = bytes[start + 1]
    let first = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? start + 2 : start + 1
    let position = digits(at: first)
    guard position > first else { throw .badNumber }
    return position
  }

  /// Past any value; `depth` is that of the container it stands in.
  func value(at start: Int, depth: Int) throws(LineProblem) -> Int {
    if isNumber(at: start) { return try number(at: start) }
    switch bytes[start] {
    case UInt8(ascii: "\""): return try string(at: start).end
    case UInt8(ascii: "{"):
      return try container(at: start, depth: depth + 1, end: UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      return try container(at: start, depth: depth + 1, end: UInt8(ascii: "]"))
    default: return try literal(at: start)
    }
  }

  private func container(at start: Int, depth: Int, end: UInt8) throws(LineProblem) -> Int {
    guard depth <= Self.maximumDepth else { throw .tooDeep }
    var position = space(at: start + 1)
    if bytes[position] == end { return position + 1 }
    while true {
      if end == UInt8(ascii: "}") { position = try colon(at: try key(at: position).end) }
      position = space(at: try value(at: position, depth: depth))
      if bytes[position] == end { return position + 1 }
      position = space(at: try expect(UInt8(ascii: ","), at: position))
    }
  }

  private static let literals: [StaticString] = [
    "true", "false", "null", "NaN", "nan", "Infinity", "inf", "-NaN", "-nan", "-Infinity", "-inf",
  ]

  private func literal(at start: Int) throws(LineProblem) -> Int {
    var end = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
    while case UInt8(ascii: "A")...UInt8(ascii: "Z") = bytes[end] & 0xDF { end += 1 }
    let word = bytes.slice(start..<end)
    for literal in Self.literals {
      let known = UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
      if word.elementsEqual(known) { return end }
    }
    throw unexpected(at: end)
  }

  @inline(__always) private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") <= 9
  }
}

/// The value of a hexadecimal digit.
func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
