/// An instant in whole milliseconds since 1970-01-01T00:00:00Z, between the years 0001 and 9999.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  /// The range that a four-digit year can show.
  package static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// Clamps to ``range``, so that no arithmetic on timestamps can overflow.
  package init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// Nil where a part is out of its range: month 1-12, the month's days, second 0-60 (a leap
  /// second becomes the next minute's first), millisecond 0-999, offset ±18 h.
  package init?(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int = 0,
    offsetMinutes: Int = 0
  ) {
    guard (1...9999).contains(year), (1...12).contains(month), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second), (0...999).contains(millisecond),
      abs(offsetMinutes) <= 18 * 60, day >= 1, day <= Self.days(inMonth: month, year: year)
    else { return nil }
    let days = Self.daysSinceEpoch(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3_600 + (minute - offsetMinutes) * 60 + second
    self.init(milliseconds: Int64(seconds) * 1_000 + Int64(millisecond))
  }

  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// Milliseconds from `other` to this; negative where this is earlier.
  package func since(_ other: Timestamp) -> Int64 { milliseconds - other.milliseconds }

  package func advanced(by duration: Int64) -> Timestamp {
    let (sum, overflow) = milliseconds.addingReportingOverflow(duration)
    return Timestamp(milliseconds: overflow ? (duration < 0 ? .min : .max) : sum)
  }

  static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar, counted in 400-year eras that begin
  /// on 1 March (so that the leap day ends a year).
  static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The calendar date and time of day in UTC.
  package var components:
    (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int)
  {
    var ms = Int(milliseconds % 86_400_000)
    var days = Int(milliseconds / 86_400_000)
    if ms < 0 { (ms, days) = (ms + 86_400_000, days - 1) }
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
      ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60, ms % 1_000
    )
  }
}

extension Timestamp: CustomStringConvertible {
  /// ISO 8601 in UTC; the milliseconds only where they are not 0: `2026-11-30T09:06:39.420Z`.
  package var description: String {
    var bytes: [UInt8] = []
    bytes.append(self)
    return String(decoding: bytes, as: UTF8.self)
  }
}
