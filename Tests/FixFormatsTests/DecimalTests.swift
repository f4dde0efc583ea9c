import TestSupport
import Testing

@testable import FixFormats

@Suite struct DecimalTests {
  private func json(_ text: String) -> Double? {
    text.withBytes { bytes in
      guard let view = ByteView(bytes) else { return nil }
      return try? Decimal.json(JSONText(bytes: view), at: 0).value
    }
  }

  @Test(
    "numbers are correctly rounded, the hard ones too",
    arguments: [
      "0", "-0.0", "0.1", "48.117400000", "9007199254740992", "9007199254740993",
      "9007199254740993.0000000001", "0.3333333333333333333", "123456789012345678",
      "1234567890123456789012", "2.2250738585072011e-308", "5e-324", "1.7976931348623157e308",
      "1e22", "1e23", "8.5e-5", "4.35", "0.000000000000000000000001", "179.99999999999999999",
      "6.25E+2", "7e-0",
    ])
  func exact(text: String) throws {
    let expected = try #require(Double(text))
    #expect(json(text)?.bitPattern == expected.bitPattern)
    #expect(text.withBytes(Decimal.field)?.bitPattern == expected.bitPattern)
  }

  @Test("random numbers equal what the standard library makes of them")
  func random() throws {
    var generator = SeededRandom.fresh(for: "DecimalTests.random")
    for _ in 0..<20_000 {
      let whole = UInt64.random(
        in: 0...(1 << UInt64.random(in: 0...62, using: &generator)), using: &generator)
      var text = Bool.random(using: &generator) ? "-\(whole)" : "\(whole)"
      let fraction = Int.random(in: 0...24, using: &generator)
      if fraction > 0 { text += "." }
      for _ in 0..<fraction { text += "\(Int.random(in: 0...9, using: &generator))" }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        text += "e\(Int.random(in: -40...40, using: &generator))"
      }
      let expected = try #require(Double(text))
      #expect(json(text)?.bitPattern == expected.bitPattern, "\(text)")
      #expect(text.withBytes(Decimal.field)?.bitPattern == expected.bitPattern, "\(text)")
    }
  }

  @Test(
    "what is no field's number is none",
    arguments: [
      "", ".", "-", "+", "1.2.3", "1e", "e5", "1,5", "0x10", "nan", "inf", "1e999", "1 ", "--1",
    ])
  func noField(text: String) {
    #expect(text.withBytes(Decimal.field) == nil)
  }

  @Test("a field may have a plus, no whole part, no fraction, leading zeros")
  func lenientField() {
    #expect("+1.5".withBytes(Decimal.field) == 1.5)
    #expect(".5".withBytes(Decimal.field) == 0.5)
    #expect("-5.".withBytes(Decimal.field) == -5)
    #expect("007.250".withBytes(Decimal.field) == 7.25)
  }
}
