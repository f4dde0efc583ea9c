import Milepost

/// gpsd's times, `2024-06-15T12:00:05.000Z`, of which the day seldom changes: only the time of day is
/// worked out anew. Any other form goes through ``DateText``.
struct DayMemory {
  /// `2024-06-` and `15T`, the first byte lowest.
  private var date: (UInt64, UInt64) = (0, 0)
  /// Of that day, milliseconds.
  private var midnight: Int64 = 0

  mutating func time(_ bytes: ByteView, _ range: Range<Int>) -> Timestamp? {
    guard range.count == 24 else { return DateText.iso8601(bytes.slice(range)) }
    let words = (
      bytes.word(at: range.lowerBound), bytes.word(at: range.lowerBound &+ 8),
      bytes.word(at: range.lowerBound &+ 16)
    )
    guard let timeOfDay = Self.timeOfDay(words.1, words.2) else {
      return DateText.iso8601(bytes.slice(range))
    }
    if words.0 == date.0, words.1 & 0xFF_FFFF == date.1 {
      return Timestamp(milliseconds: midnight &+ timeOfDay)
    }
    guard let time = DateText.iso8601(bytes.slice(range)) else { return nil }
    date = (words.0, words.1 & 0xFF_FFFF)
    midnight = time.milliseconds - timeOfDay
    return time
  }

  /// Milliseconds since midnight; nil where the words are not like `15T12:00` and `:05.000Z`, and in
  /// a leap second.
  @inline(__always) private static func timeOfDay(_ first: UInt64, _ second: UInt64) -> Int64? {
    guard EightBytes.notDigits(first) & 0xFFFF_00FF_FF00_0000 == 0,
      EightBytes.notDigits(second) & 0x00FF_FFFF_00FF_FF00 == 0,
      first & 0x0000_FF00_0000_0000 == 0x0000_3A00_0000_0000,
      second & 0xFF00_0000_FF00_00FF == 0x5A00_0000_2E00_003A
    else { return nil }
    let hour = pair(first, 3), minute = pair(first, 6), second60 = pair(second, 1)
    guard hour < 24, minute < 60, second60 < 60 else { return nil }
    let milliseconds = pair(second, 4) &* 10 &+ digit(second, 6)
    return ((hour &* 60 &+ minute) &* 60 &+ second60) &* 1_000 &+ milliseconds
  }

  @inline(__always) private static func digit(_ word: UInt64, _ index: UInt64) -> Int64 {
    Int64(truncatingIfNeeded: word >> (8 &* index) & 0xF)
  }

  @inline(__always) private static func pair(_ word: UInt64, _ index: UInt64) -> Int64 {
    digit(word, index) &* 10 &+ digit(word, index &+ 1)
  }
}
