/// Characters that no name needs and that make a terminal show something else than what stands there.
///
/// C0, DEL and C1 (ECMA-48), the separators of lines and paragraphs (U+2028, U+2029), and the signs
/// that turn the direction of writing (U+202A to U+202E and U+2066 to U+2069; Unicode Standard
/// Annex 9).
package enum ControlCharacter {
  /// True where UTF-8 holds one.
  package static func isIn(_ text: Span<UInt8>) -> Bool {
    var place = 0
    while place < text.count {
      if length(at: place, of: text) > 0 { return true }
      place += 1
    }
    return false
  }

  /// The text with a blank in place of each.
  package static func blanked(_ text: Span<UInt8>) -> [UInt8] {
    var blanked: [UInt8] = []
    blanked.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      let length = length(at: place, of: text)
      blanked.append(length > 0 ? UInt8(ascii: " ") : text[place])
      place += max(length, 1)
    }
    return blanked
  }

  /// How many bytes the one at `place` takes; 0 where none begins there.
  @inline(__always)
  private static func length(at place: Int, of text: Span<UInt8>) -> Int {
    let byte = text[place]
    if byte < 0x20 || byte == 0x7F { return 1 }
    return byte == 0xC2 || byte == 0xE2 ? longLength(at: place, of: text) : 0
  }

  private static func longLength(at place: Int, of text: Span<UInt8>) -> Int {
    guard place + 1 < text.count else { return 0 }
    let second = text[place + 1]
    if text[place] == 0xC2 { return 0x80...0x9F ~= second ? 2 : 0 }
    guard place + 2 < text.count else { return 0 }
    switch (second, text[place + 2]) {
    case (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): return 3
    default: return 0
    }
  }
}
