import Glibc
import Milepost
import TestSupport
import Testing

/// The world's ways of writing a mileage, from the shared table `markers/notations.tsv`.
struct NotationTests {
  /// How a row's source is read, as its context says; what is not here is read without options.
  static func options(for context: String, input: String) -> MileageParser {
    var parser = MileageParser()
    switch context {
    case _ where context.contains("implied decimal"):
      parser.impliedDecimals = 1
      parser.bareUnit = .miles
      parser.readsText = true
    case _
    where context.hasPrefix("US OR Z-mileage") || context.hasPrefix("US rail")
      || context.hasPrefix("US CA postmile"):
      parser.bareUnit = .miles
      parser.readsSectionLetters = true
    case _ where context.hasPrefix("US feet"): parser.stations = .feet
    case _ where context.contains("km/hectometre"): parser.readsHectometreFractions = true
    case _ where context.hasPrefix("US IN"):
      parser.bareUnit = .miles
      parser.readsText = true
    case _ where isProse(context): parser.readsText = true
    default: break
    }
    return parser
  }

  /// Sources whose texts hold more than the mileage.
  static func isProse(_ context: String) -> Bool {
    let beginnings = [
      "TW notice", "TW CCTV", "OSM ref road:km", "FR: dept", "FR: same", "FR dept", "FR same",
      "UK ",
      "NL ", "JP ", "US OR historic", "US CAD text", "same, left side",
      "value with carriageway suffix",
    ]
    return beginnings.contains { context.hasPrefix($0) }
      || context.hasPrefix("upper case") || context.hasPrefix("decimal comma + side")
      || context.hasPrefix("hectometre letter") || context.hasPrefix("free text")
  }

  struct Row: CustomTestStringConvertible {
    var input: String
    var context: String
    /// Nil where the row is to be refused.
    var micrometres: Int64?
    var testDescription: String { "\(input) (\(context))" }
  }

  static let rows: [Row] =
    ((try? TestData.lines(of: TestData.path("markers/notations.tsv"))) ?? []).dropFirst().map {
      line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Row(input: cells[0], context: cells[1], micrometres: micrometres(cells[2]))
    }

  /// A decimal of kilometres by its digits, nine places; nil for REJECT.
  static func micrometres(_ text: String) -> Int64? {
    let negative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: ".").map(String.init)
    guard let whole = parts.first, Int64(whole) != nil else { return nil }
    let fraction = parts.count > 1 ? parts[1] : ""
    let padding = String(repeating: "0", count: 9 - fraction.count)
    return Int64((negative ? "-" : "") + whole + fraction + padding)
  }

  @Test(
    "every notation of the table is read to the micrometre or refused",
    .enabled(if: !rows.isEmpty, "no markers/notations.tsv in the shared data"),
    arguments: rows)
  func notation(row: Row) {
    let parser = Self.options(for: row.context, input: row.input)
    #expect((try? parser.parse(row.input))?.micrometres == row.micrometres)
  }

  @Test(
    "the whole table is read",
    .enabled(if: !rows.isEmpty, "no markers/notations.tsv in the shared data"))
  func count() { #expect(Self.rows.count == 56) }

  @Test(
    "a range or two mileages in one text are refused",
    arguments: [
      "12-13 km", "12K+300~12K+400", "5.9 to 6.6", "5.9/6.6 km", "12K+300 至 13K+000", "3 4",
      "台9 4.5",
      "RM 352 +0.5", "M-509", "A12", "no number", "",
    ])
  func ranges(text: String) {
    var parser = MileageParser()
    parser.readsText = true
    #expect(throws: MileageError(.notation, text: text)) { try parser.parse(text) }
  }

  struct Option: CustomTestStringConvertible {
    var input: String
    var parser: MileageParser
    var micrometres: Int64?
    var testDescription: String { input }
  }

  static func parser(
    _ unit: MileageParser.Unit = .kilometres, _ set: (inout MileageParser) -> Void = { _ in }
  )
    -> MileageParser
  {
    var parser = MileageParser(bareUnit: unit)
    set(&parser)
    return parser
  }

  @Test(
    "what the writing does not decide is decided by the options",
    arguments: [
      Option(input: "14+80", parser: parser(), micrometres: nil),
      Option(input: "14+800", parser: parser { $0.stations = .feet }, micrometres: nil),
      // 1,480 ft
      Option(input: "14+80", parser: parser { $0.stations = .feet }, micrometres: 451_104_000),
      Option(input: "124", parser: parser(.hectometres), micrometres: 12_400_000_000),
      Option(input: "12400 m", parser: parser(.metres), micrometres: 12_400_000_000),
      Option(input: "12400 m", parser: parser(), micrometres: nil),
      Option(input: "12/4", parser: parser(), micrometres: nil),
      Option(
        input: "12/41", parser: parser { $0.readsHectometreFractions = true }, micrometres: nil),
      Option(
        input: "3037", parser: parser { $0.impliedDecimals = 1 }, micrometres: 303_700_000_000),
      Option(input: "303.7", parser: parser { $0.impliedDecimals = 1 }, micrometres: nil),
      // 12 miles and a half
      Option(input: "12mi 40ch", parser: parser(), micrometres: 20_116_800_000),
      Option(input: "12m 40ch", parser: parser(), micrometres: 20_116_800_000),
      Option(input: "12m 80ch", parser: parser(), micrometres: nil),
      Option(input: "40", parser: parser(.chains), micrometres: 804_672_000),
      Option(input: "MP.5", parser: parser(), micrometres: nil),
      Option(input: "Z46.00", parser: parser(.miles), micrometres: nil),
    ])
  func options(option: Option) {
    #expect((try? option.parser.parse(option.input))?.micrometres == option.micrometres)
  }

  @Test("letters glued before the number are the section")
  func sections() throws {
    let parser = Self.parser(.miles) { $0.readsSectionLetters = true }
    let reading = try parser.reading(utf8: ContiguousArray("sc128.90".utf8)[...])
    #expect(reading.section == "SC")
    #expect(reading.mileage == (try MileageParser().parse("MP 128.90")))
    #expect(try parser.reading(utf8: ContiguousArray("MP 1".utf8)[...]).section == nil)
  }

  @Test("ties are exact")
  func ties() throws {
    func value(_ text: String) throws -> Mileage { try MileageParser().parse(text) }
    #expect(
      try value("5.2").micrometres(since: value("5.1"))
        == value("5.3").micrometres(since: value("5.2")))
    #expect(
      try value("MP 26.15").micrometres(since: value("MP 26.1"))
        == value("MP 26.2").micrometres(since: value("MP 26.15")))
  }

  @Test("random texts never crash, and what is read is written and read again the same")
  func fuzz() throws {
    let pieces = [
      "1", "23", "0", ".", ",", "+", "-", "K", "km", "mi", "MP ", " ", "/", "PR", "ch", "m", "公",
      "ก", "~", "9999999999",
    ]
    var random = SeededRandom.fresh(for: "notations")
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<(1 + Int(random.next() % 8)) {
        text += pieces[Int(random.next() % UInt64(pieces.count))]
      }
      let parser = Self.parser { [bits = random.next()] in
        $0.readsText = bits & 1 == 0
        $0.readsSectionLetters = bits & 2 == 0
        $0.readsHectometreFractions = bits & 4 == 0
        $0.stations = bits & 8 == 0 ? .feet : .kilometres
        $0.impliedDecimals = Int(bits >> 4 & 3)
      }
      guard let mileage = try? parser.parse(text) else { continue }
      #expect(try MileageParser().parse(mileage.description) == mileage, "\(text)")
    }
  }
}
