/// Borrowed bytes that can be read at any position: 0 outside, which no format knows as a token.
///
/// The only place of this module that loads from a raw pointer; every load is checked. It must not
/// outlive the buffer it is made from.
struct ByteView {
  private let base: UnsafeRawPointer
  let count: Int

  /// Nil for an empty buffer.
  @inline(__always) init?(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return nil }
    self.base = base
    self.count = bytes.count
  }

  @inline(__always) subscript(position: Int) -> UInt8 {
    UInt(bitPattern: position) < UInt(bitPattern: count)
      ? base.load(fromByteOffset: position, as: UInt8.self) : 0
  }

  /// The eight bytes from `position` on, the first one lowest.
  @inline(__always) func word(at position: Int) -> UInt64 {
    if position >= 0, position <= count &- 8 {
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

  /// How many bytes come before the lowest one found; 8 where none is.
  @inline(__always) static func index(_ found: UInt64) -> Int { found.trailingZeroBitCount >> 3 }
}
