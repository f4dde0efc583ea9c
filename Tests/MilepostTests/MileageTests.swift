import Milepost
import TestSupport
import Testing

@Suite struct MileageTests {
  struct Reading: CustomTestStringConvertible, Sendable {
    var input: String
    /// By hand: kilometres × 10⁹, miles × 1,609,344,000.
    var micrometres: Int64
    var canonical: String
    var testDescription: String { input }
  }

  @Test(
    "a plate's writing is read exactly and written canonically",
    arguments: [
      Reading(input: "014K+800", micrometres: 14_800_000_000, canonical: "14K+800"),
      Reading(input: "14k+800", micrometres: 14_800_000_000, canonical: "14K+800"),
      Reading(input: "14+800", micrometres: 14_800_000_000, canonical: "14K+800"),
      Reading(input: "5.1", micrometres: 5_100_000_000, canonical: "5K+100"),
      Reading(input: "14,8", micrometres: 14_800_000_000, canonical: "14K+800"),
      Reading(input: "0", micrometres: 0, canonical: "0K+000"),
      Reading(input: "-0", micrometres: 0, canonical: "0K+000"),
      Reading(input: "000K+0", micrometres: 0, canonical: "0K+000"),
      Reading(input: "-0K+000", micrometres: 0, canonical: "0K+000"),
      Reading(input: "-0K+300", micrometres: -300_000_000, canonical: "-0K+300"),
      Reading(input: "-1.25", micrometres: -1_250_000_000, canonical: "-1K+250"),
      Reading(input: "\u{2212}0K+300", micrometres: -300_000_000, canonical: "-0K+300"),
      Reading(input: "053K+729", micrometres: 53_729_000_000, canonical: "53K+729"),
      Reading(input: "14K+8", micrometres: 14_008_000_000, canonical: "14K+008"),
      Reading(input: "15K+200.5", micrometres: 15_200_500_000, canonical: "15K+200.5"),
      Reading(input: "15K+200.500", micrometres: 15_200_500_000, canonical: "15K+200.5"),
      Reading(input: "0K+000.000001", micrometres: 1, canonical: "0K+000.000001"),
      Reading(input: "0.000000001", micrometres: 1, canonical: "0K+000.000001"),
      Reading(
        input: "0.10000000000000000000000", micrometres: 100_000_000, canonical: "0K+100"),
      Reading(input: "89K", micrometres: 89_000_000_000, canonical: "89K+000"),
      Reading(input: "32.5k", micrometres: 32_500_000_000, canonical: "32K+500"),
      Reading(input: "35.0 km", micrometres: 35_000_000_000, canonical: "35K+000"),
      Reading(input: "km12+260", micrometres: 12_260_000_000, canonical: "12K+260"),
      Reading(input: "  7K+000\t", micrometres: 7_000_000_000, canonical: "7K+000"),
      Reading(input: "１２Ｋ＋３００", micrometres: 12_300_000_000, canonical: "12K+300"),
      Reading(input: "－１２．５", micrometres: -12_500_000_000, canonical: "-12K+500"),
      Reading(input: "MP 26.00", micrometres: 41_842_944_000, canonical: "MP 26.00"),
      Reading(input: "mp26", micrometres: 41_842_944_000, canonical: "MP 26.00"),
      Reading(input: "MP 26.1", micrometres: 42_003_878_400, canonical: "MP 26.10"),
      Reading(input: "MP 26.125", micrometres: 42_044_112_000, canonical: "MP 26.125"),
      Reading(input: "MILEPOST -6.00", micrometres: -9_656_064_000, canonical: "MP -6.00"),
      Reading(input: "MP -0.00", micrometres: 0, canonical: "MP 0.00"),
      Reading(input: "12.345 mi", micrometres: 19_867_351_680, canonical: "MP 12.345"),
      Reading(input: "MP 0.0009765625", micrometres: 1_571_625, canonical: "MP 0.0009765625"),
      Reading(
        input: "1000000", micrometres: 1_000_000_000_000_000, canonical: "1000000K+000"),
    ])
  func reads(_ row: Reading) throws {
    let mileage = try MileageParser().parse(row.input)
    #expect(mileage.micrometres == row.micrometres)
    #expect(mileage.description == row.canonical)
    #expect(try MileageParser().parse(mileage.description) == mileage)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var input: String
    var reason: MileageError.Reason
    var testDescription: String { input }
  }

  @Test(
    "what is no mileage is refused with its reason",
    arguments: [
      Refusal(input: "", reason: .notation), Refusal(input: " ", reason: .notation),
      Refusal(input: "K", reason: .notation), Refusal(input: "-", reason: .notation),
      Refusal(input: "5.", reason: .notation), Refusal(input: ".5", reason: .notation),
      Refusal(input: "5K+", reason: .notation), Refusal(input: "5K+1000", reason: .notation),
      Refusal(input: "5.5K+100", reason: .notation), Refusal(input: "--5", reason: .notation),
      Refusal(input: "5K+-100", reason: .notation), Refusal(input: "1,234.5", reason: .notation),
      Refusal(input: "MP", reason: .notation), Refusal(input: "MP 26+100", reason: .notation),
      Refusal(input: "MP 26 km", reason: .notation), Refusal(input: "M-509", reason: .notation),
      Refusal(input: "5.9 / 6.6", reason: .notation), Refusal(input: "nan", reason: .notation),
      Refusal(input: "1e3", reason: .notation), Refusal(input: "T2-0K+060", reason: .notation),
      Refusal(input: "里程", reason: .notation),
      Refusal(input: "0.0000000001", reason: .tooFine),
      Refusal(input: "0.10000000000000000000001", reason: .tooFine),
      Refusal(input: "5K+100.0000001", reason: .tooFine),
      // 12.3456 mi = 19,868,317,286.4 µm
      Refusal(input: "MP 12.3456", reason: .tooFine),
      Refusal(input: "1000000.000000001", reason: .outOfRange),
      Refusal(input: "-1000001", reason: .outOfRange),
      Refusal(input: "MP 621372", reason: .outOfRange),
      Refusal(input: "99999999999999999999999999999", reason: .outOfRange),
      Refusal(input: "9223372036854775808K+000", reason: .outOfRange),
    ])
  func refuses(_ row: Refusal) {
    #expect(throws: MileageError(row.reason, text: row.input)) {
      try MileageParser().parse(row.input)
    }
  }

  @Test("an error says what to write instead")
  func errorTexts() {
    #expect(
      MileageError(.notation, text: "x").description
        == "\"x\" is not a mileage (use 15K+200, 15.2 or MP 26.00)")
    #expect(
      MileageError(.tooFine, text: "x").description
        == "\"x\" is finer than a micrometre (use fewer decimals)")
    #expect(
      MileageError(.outOfRange, text: "x").description
        == "\"x\" is out of range (use a mileage within ±1000000 km)")
  }

  @Test("a bare number of kilometres reads as with its unit beside it, and as exactly")
  func bareKilometres() throws {
    var random = SeededRandom.fresh(for: "bare kilometres")
    for _ in 0..<2_000 {
      let whole = Int.random(in: 0...99_999, using: &random)
      let text = "\(whole).\(Int.random(in: 0...9_999_999, using: &random))"
      let short = String(text.prefix(.random(in: 1...text.count, using: &random)))
      let bare = try? MileageParser().parse(short)
      #expect(bare == (try? MileageParser().parse("\(short) km")), "\(short)")
    }
    #expect(try MileageParser().parse("99999.999999").micrometres == 99_999_999_999_000)
    #expect(throws: MileageError.self) { try MileageParser().parse("123456789012") }
  }

  @Test("a bare number takes the unit of the option, a written unit stays")
  func bareUnits() throws {
    let miles = MileageParser(bareUnit: .miles)
    #expect(try miles.parse("26.00") == MileageParser().parse("MP 26.00"))
    #expect(try miles.parse("26 km") == MileageParser().parse("26"))
    #expect(throws: MileageError(.notation, text: "26+100")) { try miles.parse("26+100") }
    let metres = MileageParser(bareUnit: .metres)
    #expect(try metres.parse("15200").micrometres == 15_200_000_000)
    #expect(try metres.parse("15200").notation == .kilometres)
  }

  @Test(
    "metres are written as an exact decimal",
    arguments: [
      Reading(input: "15.2", micrometres: 15_200_000_000, canonical: "15200"),
      Reading(input: "MP 26.00", micrometres: 41_842_944_000, canonical: "41842.944"),
      Reading(input: "-0K+300", micrometres: -300_000_000, canonical: "-300"),
      Reading(input: "0", micrometres: 0, canonical: "0"),
      Reading(input: "-0K+000.000001", micrometres: -1, canonical: "-0.000001"),
    ])
  func metres(_ row: Reading) throws {
    #expect(try MileageParser().parse(row.input).metresText == row.canonical)
    #expect(Mileage(micrometres: row.micrometres).metresText == row.canonical)
  }

  @Test("mileages order by place whatever their notation, and < agrees with ==")
  func order() throws {
    let parser = MileageParser()
    let sorted = try ["-1", "-0K+300", "0", "MP 1.00", "1.7", "MP 26"].map(parser.parse)
    #expect(sorted.reversed().sorted() == sorted)
    let (kilometres, miles) = (
      Mileage(micrometres: 0), Mileage(micrometres: 0, notation: .miles)
    )
    #expect(kilometres < miles && !(miles < kilometres) && kilometres != miles)
  }

  @Test("a difference that Int64 cannot hold is clamped")
  func differences() throws {
    let parser = MileageParser()
    #expect(
      try parser.parse("15.2").micrometres(since: parser.parse("MP 1.00")) == 13_590_656_000)
    let (low, high) = (Mileage(micrometres: .min), Mileage(micrometres: .max))
    #expect(high.micrometres(since: low) == .max)
    #expect(low.micrometres(since: high) == .min)
    #expect(low.micrometres(since: Mileage(micrometres: 0)) == .min)
  }

  @Test("the ends of Int64 have a text in both notations")
  func extremes() {
    #expect(Mileage(micrometres: .min).description == "-9223372036K+854.775808")
    // 9,223,372,036,854,775,807 µm = 5,731,137,678.988939… mi by long division
    #expect(
      Mileage(micrometres: .max, notation: .miles).description.hasPrefix("MP 5731137678.988939"))
    // One micrometre short of a mile rounds up within ten decimals, not to 1.
    #expect(
      Mileage(micrometres: 1_609_343_999, notation: .miles).description == "MP 0.9999999994")
  }

  @Test("every thousandth of a mile and every metre of a hundred kilometres comes back")
  func roundTrips() throws {
    let parser = MileageParser()
    for n in stride(from: -100_000, through: 100_000, by: 7) {
      let miles = Mileage(micrometres: Int64(n) * 1_609_344, notation: .miles)
      #expect(try parser.parse(miles.description) == miles)
      let kilometres = Mileage(micrometres: Int64(n) * 1_000_000)
      #expect(try parser.parse(kilometres.description) == kilometres)
    }
  }
}
