/// Borrowed bytes that can be read at any position: 0 outside, which no format knows as a token.
///
/// The only place of this module that loads from a raw pointer; every load is checked. It must not
/// outlive the buffer it is made from.
struct ByteView {
  private let base: UnsafeRawPointer
  let count: Int
  /// Before this position there are eight bytes to read.
  private let wordEnd: Int

  /// Nil for an empty buffer.
  @inline(__always) init?(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return nil }
    self.base = base
    count = bytes.count
    wordEnd = max(0, bytes.count &- 7)
  }

  @inline(__always) subscript(position: Int) -> UInt8 {
    UInt(bitPattern: position) < UInt(bitPattern: count)
      ? base.load(fromByteOffset: position, as: UInt8.self) : 0
  }

  /// The eight bytes from `position` on, the first one lowest.
  @inline(__always) func word(at position: Int) -> UInt64 {
    if UInt(bitPattern: position) < UInt(bitPattern: wordEnd) {
      return UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
    return lastWord(at: position)
  }

  @inline(never) private func lastWord(at position: Int) -> UInt64 {
    (0..<8).reversed().reduce(0) { word, offset in word << 8 | UInt64(self[position &+ offset]) }
  }

  /// The bytes of `range`, clamped to the buffer.
  func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    let range = range.clamped(to: 0..<count)
    return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }
}

/// A position in borrowed bytes that moves on as they are read.
struct ByteCursor {
  private let bytes: ByteView
  private(set) var position = 0

  /// Nil for an empty buffer.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let bytes = ByteView(bytes) else { return nil }
    self.bytes = bytes
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The byte here; 0 at the end.
  @inline(__always) var byte: UInt8 { bytes[position] }

  @inline(__always) mutating func advance() { position &+= 1 }

  /// True, and past it, where `expected` is next.
  @inline(__always) mutating func take(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    advance()
    return true
  }
}

/// Eight bytes looked at together. An answer has the top bit of a byte set where that byte is
/// found; the lowest one found is exact, those above it may be false.
enum EightBytes {
  @inline(__always) private static func repeating(_ byte: UInt8) -> UInt64 {
    0x0101_0101_0101_0101 &* UInt64(byte)
  }

  @inline(__always) private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let difference = word ^ repeating(byte)
    return (difference &- repeating(1)) & ~difference & repeating(0x80)
  }

  /// Quotes, backslashes and control bytes, the zeros beyond the end among them.
  @inline(__always) static func stringStops(_ word: UInt64) -> UInt64 {
    let control = (word &- repeating(0x20)) & ~word & repeating(0x80)
    return equal(word, UInt8(ascii: "\"")) | equal(word, UInt8(ascii: "\\")) | control
  }

  /// Bytes that are no digits; exact above the lowest too, as far as all below are ASCII.
  @inline(__always) static func notDigits(_ word: UInt64) -> UInt64 {
    let value = word ^ repeating(UInt8(ascii: "0"))
    return ((value &+ repeating(0x76)) | value) & repeating(0x80)
  }

  @inline(__always) static func points(_ word: UInt64) -> UInt64 { equal(word, UInt8(ascii: ".")) }

  /// Only the lowest byte found.
  @inline(__always) static func lowest(_ found: UInt64) -> UInt64 { found & (0 &- found) }

  /// The value of the first `count` bytes, 1 to 8 digits: pairs, fours, all eight in three steps.
  @inline(__always) static func decimal(_ word: UInt64, count: Int) -> UInt64 {
    let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    var value = (word ^ repeating(UInt8(ascii: "0"))) &<< unused
    value = value &* 10 &+ (value >> 8)
    let low = (value & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let high = ((value >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (low &+ high) >> 32
  }

  /// How many bytes come before the lowest one found; 8 where none is.
  @inline(__always) static func index(_ found: UInt64) -> Int { found.trailingZeroBitCount >> 3 }
}
