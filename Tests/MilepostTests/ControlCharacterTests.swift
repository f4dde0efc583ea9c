import Milepost
import Testing

struct ControlCharacterTests {
  @Test("every character is one or none, as Unicode's own properties say")
  func all() {
    for scalar in (0...0x10FFFF).compactMap({ Unicode.Scalar(UInt32($0)) }) {
      // Marks that turn no text which follows.
      let isMark = ["\u{61C}", "\u{200E}", "\u{200F}"].contains(scalar)
      let expected =
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl && !isMark
        }
      let text = Array("a\(scalar)b".utf8)
      if ControlCharacter.isIn(text.span) != expected
        || ControlCharacter.blanked(text.span) != (expected ? Array("a b".utf8) : text)
      {
        Issue.record("\(scalar.properties.name ?? "") \(scalar.value)")
      }
    }
  }

  @Test(
    "a text that ends in the middle of a character is left as it is",
    arguments: [[0xC2], [0x61, 0xE2], [0xE2, 0x80], [0xE2, 0x81]] as [[UInt8]])
  func cut(_ text: [UInt8]) {
    let isIn = ControlCharacter.isIn(text.span)
    let blanked = ControlCharacter.blanked(text.span)
    #expect(!isIn)
    #expect(blanked == text)
  }
}
