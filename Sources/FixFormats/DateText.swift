import Milepost

/// Times as the formats write them: ISO 8601 and Unix seconds, to whole milliseconds.
///
/// A fraction may have any number of digits and is rounded half up on its decimal digits: the
/// fourth alone decides.
enum DateText {
  /// `2026-11-30T09:06:39.42Z`; the zone `Z`, `+08:00`, `+0800` or `+08`, never absent; `T` or a
  /// space between date and time.
  static func iso8601(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    guard var cursor = ByteCursor(bytes),
      let year = number(&cursor, digits: 4), cursor.take(UInt8(ascii: "-")),
      let month = number(&cursor, digits: 2), cursor.take(UInt8(ascii: "-")),
      let day = number(&cursor, digits: 2), takeSeparator(&cursor),
      let hour = number(&cursor, digits: 2), cursor.take(UInt8(ascii: ":")),
      let minute = number(&cursor, digits: 2), cursor.take(UInt8(ascii: ":")),
      let second = number(&cursor, digits: 2)
    else { return nil }
    var milliseconds = 0
    if cursor.byte == UInt8(ascii: ".") {
      guard let fraction = fraction(&cursor) else { return nil }
      milliseconds = fraction
    }
    guard let offset = offsetMinutes(&cursor), cursor.isAtEnd,
      let whole = Timestamp(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second,
        offsetMinutes: offset)
    else { return nil }
    return milliseconds == 0 ? whole : whole.advanced(by: Int64(milliseconds))
  }

  /// `1764493599.42`, 9 to 12 digits before the point, within ``Timestamp/range``: fewer are the rest
  /// of a torn line.
  static func unixSeconds(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
    guard var cursor = ByteCursor(bytes) else { return nil }
    let isNegative = cursor.take(UInt8(ascii: "-"))
    var seconds: Int64 = 0
    var count = 0
    while let digit = digit(cursor.byte) {
      guard count < 12 else { return nil }
      seconds = seconds * 10 + Int64(digit)
      count += 1
      cursor.advance()
    }
    guard count >= 9 else { return nil }
    var milliseconds = 0
    if cursor.byte == UInt8(ascii: ".") {
      guard let fraction = fraction(&cursor) else { return nil }
      milliseconds = fraction
    }
    guard cursor.isAtEnd else { return nil }
    let magnitude = seconds * 1_000 + Int64(milliseconds)
    let value = isNegative ? -magnitude : magnitude
    return Timestamp.range.contains(value) ? Timestamp(milliseconds: value) : nil
  }

  /// A point and at least one digit, as 0...1000 ms.
  @inline(__always) static func fraction(_ cursor: inout ByteCursor) -> Int? {
    guard cursor.take(UInt8(ascii: ".")), digit(cursor.byte) != nil else { return nil }
    var milliseconds = 0
    var weight = 100
    while let digit = digit(cursor.byte) {
      if weight > 0 {
        milliseconds += digit * weight
        weight = weight == 1 ? -1 : weight / 10
      } else if weight == -1 {
        milliseconds += digit >= 5 ? 1 : 0
        weight = 0
      }
      cursor.advance()
    }
    return milliseconds
  }

  /// Exactly `digits` digits.
  @inline(__always) static func number(_ cursor: inout ByteCursor, digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit(cursor.byte) else { return nil }
      value = value * 10 + digit
      cursor.advance()
    }
    return value
  }

  @inline(__always) private static func digit(_ byte: UInt8) -> Int? {
    let value = byte &- UInt8(ascii: "0")
    return value <= 9 ? Int(value) : nil
  }

  private static func takeSeparator(_ cursor: inout ByteCursor) -> Bool {
    cursor.take(UInt8(ascii: "T")) || cursor.take(UInt8(ascii: " "))
      || cursor.take(UInt8(ascii: "t"))
  }

  private static func offsetMinutes(_ cursor: inout ByteCursor) -> Int? {
    if cursor.take(UInt8(ascii: "Z")) || cursor.take(UInt8(ascii: "z")) { return 0 }
    let isWest = cursor.take(UInt8(ascii: "-"))
    guard isWest || cursor.take(UInt8(ascii: "+")), let hours = number(&cursor, digits: 2) else {
      return nil
    }
    var minutes = 0
    if cursor.take(UInt8(ascii: ":")) || !cursor.isAtEnd {
      guard let read = number(&cursor, digits: 2), read < 60 else { return nil }
      minutes = read
    }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}
