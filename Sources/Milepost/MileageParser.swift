/// Reads the ways in which plates write a mileage: `014K+800`, `14k+800`, `14+800`, `5.1`, `5,1`,
/// `32.5 km`, `KM 12`, `PK 12+500`, `กม.12+450`, `MP 26.00`, `MM 303.7`, `26 mi`, `mi:47.7`,
/// `12mi 40ch`, each with a minus sign before its number (`-0K+300`).
///
/// Full-width letters, digits and signs (`１２Ｋ＋３００`) count as their ASCII ones; blanks at the ends and
/// after a prefix do not count. What the writing alone does not decide is an option, never a guess;
/// ranges and two mileages in one are refused.
package struct MileageParser: Sendable {
  /// What `14+800` and `10+90.95` mean where no unit stands by.
  package enum Stations: Sendable {
    /// Kilometres and metres: three digits follow the plus sign.
    case kilometres
    /// Stations of 100 feet: two digits follow.
    case feet
  }

  /// The unit of a number that comes without one.
  package var bareUnit: Unit
  package var stations = Stations.kilometres
  /// How many digits of a whole number are decimals: with 1, `3037` is 303.7.
  package var impliedDecimals = 0
  /// `12/4` is 12.4, kilometre and hectometre.
  package var readsHectometreFractions = false
  /// Letters glued before the number (`Z46.00`, `SC128.90`) name a section or line of its own.
  package var readsSectionLetters = false
  /// Finds the one mileage in a text: `台2線雙向20K+700`, `M27 B 2.8`, `MM 303.7 WB`.
  package var readsText = false

  package init(bareUnit: Unit = .kilometres) { self.bareUnit = bareUnit }

  /// Far beyond any road, and far enough from Int64's ends for all sums.
  package static let limit: Int64 = 1_000_000 * 1_000_000_000

  package func parse(_ text: String) throws(MileageError) -> Mileage {
    try parse(utf8: ContiguousArray(text.utf8)[...])
  }

  package func parse(utf8 text: ContiguousArray<UInt8>.SubSequence) throws(MileageError) -> Mileage
  {
    if let plain = Self.plain(text) { return plain }
    if bareUnit == .kilometres, impliedDecimals == 0, !readsText,
      let plain = Self.plainKilometres(text)
    {
      return plain
    }
    return try reading(utf8: text).mileage
  }

  /// The commonest writing, `15K+200` with at most five digits before the `K`, which every setting
  /// reads alike; nil for any other.
  private static func plain(_ text: ContiguousArray<UInt8>.SubSequence) -> Mileage? {
    let wholeDigits = text.count - 5
    guard (1...5).contains(wholeDigits), text[text.endIndex - 5] == UInt8(ascii: "K"),
      text[text.endIndex - 4] == UInt8(ascii: "+")
    else { return nil }
    var metres: Int64 = 0
    for place in text.indices where place < text.endIndex - 5 || place > text.endIndex - 4 {
      let digit = text[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      metres = metres * 10 + Int64(digit)
    }
    return Mileage(micrometres: metres * Int64(Mileage.micrometresPerMetre))
  }

  /// `15.2`, with at most five digits before the point and six after it, or no point; nil for any
  /// other.
  private static func plainKilometres(_ text: ContiguousArray<UInt8>.SubSequence) -> Mileage? {
    guard (1...12).contains(text.count) else { return nil }
    var value: Int64 = 0
    let point = addDigits(of: text, from: text.startIndex, to: &value)
    guard (1...5).contains(point - text.startIndex) else { return nil }
    guard point < text.endIndex else { return Mileage(micrometres: value * powersOfTen[9]) }
    guard text[point] == UInt8(ascii: "."),
      addDigits(of: text, from: point + 1, to: &value) == text.endIndex
    else { return nil }
    let decimals = text.endIndex - point - 1
    guard (1...6).contains(decimals) else { return nil }
    return Mileage(micrometres: value * powersOfTen[9 - decimals])
  }

  /// Returns where the digits from `start` on end; at most 12 of them.
  @inline(__always)
  private static func addDigits(
    of text: ContiguousArray<UInt8>.SubSequence, from start: Int, to value: inout Int64
  ) -> Int {
    var place = start
    while place < text.endIndex {
      let digit = text[place] &- UInt8(ascii: "0")
      if digit > 9 { break }
      value = value * 10 + Int64(digit)
      place += 1
    }
    return place
  }

  private static let powersOfTen: [Int64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  /// The mileage, and the section's letters where ``readsSectionLetters``.
  package func reading(utf8 text: ContiguousArray<UInt8>.SubSequence) throws(MileageError)
    -> (mileage: Mileage, section: String?)
  {
    do {
      let isASCII = !text.contains { $0 >= 0x80 }
      let scanner = MileageScanner(bytes: isASCII ? text : Self.folded(text)[...])
      return readsText ? (try find(in: scanner), nil) : try whole(scanner)
    } catch {
      throw MileageError(error, text: String(decoding: text, as: UTF8.self))
    }
  }

  /// A text that is a mileage and nothing else.
  private func whole(_ start: MileageScanner) throws(MileageError.Reason)
    -> (mileage: Mileage, section: String?)
  {
    var scanner = start
    scanner.skipBlanks()
    let section = readsSectionLetters ? scanner.gluedLetters() : nil
    let item = try item(&scanner)
    scanner.skipBlanks()
    guard scanner.isAtEnd else { throw .notation }
    return (item.mileage, section)
  }

  /// A mileage with or without its unit.
  struct Item {
    var mileage: Mileage
    var hasUnit: Bool
  }

  /// Reads a mileage from here on.
  func item(_ scanner: inout MileageScanner) throws(MileageError.Reason) -> Item {
    let prefix = scanner.prefix()
    let negative = scanner.take(UInt8(ascii: "-"))
    let number = try scanner.decimal()
    let suffix = scanner.suffix(metres: bareUnit == .metres)
    if let unit = prefix?.unit, let suffix, unit != suffix { throw .notation }
    let written = prefix?.unit ?? suffix
    let unit = written ?? bareUnit
    let magnitude: UInt64
    if scanner.take(UInt8(ascii: "+")) {
      magnitude = try sum(of: number, written, &scanner)
    } else if let chains = try scanner.chains(afterMiles: suffix == .miles) {
      guard number.isWhole else { throw .notation }
      magnitude = try number.micrometres(per: .miles) + chains
      return try Self.item(magnitude, negative: negative, .miles, hasUnit: true)
    } else if readsHectometreFractions, written == nil, let digit = try scanner.hectometre() {
      guard number.isWhole else { throw .notation }
      magnitude = try number.micrometres(per: .kilometres) + digit * Unit.hectometres.micrometres
    } else {
      magnitude = try scaled(number, written: written).micrometres(per: unit)
    }
    return try Self.item(
      magnitude, negative: negative, unit, hasUnit: prefix != nil || suffix != nil)
  }

  private static func item(
    _ magnitude: UInt64, negative: Bool, _ unit: Unit, hasUnit: Bool
  ) throws(MileageError.Reason) -> Item {
    guard magnitude <= UInt64(limit) else { throw .outOfRange }
    let micrometres = Int64(magnitude)
    return Item(
      mileage: Mileage(micrometres: negative ? -micrometres : micrometres, notation: unit.notation),
      hasUnit: hasUnit)
  }

  /// What follows the plus sign, and `number` before it.
  private func sum(
    of number: MileageDecimal, _ written: Unit?, _ scanner: inout MileageScanner
  ) throws(MileageError.Reason) -> UInt64 {
    let rest = try scanner.decimal()
    guard number.isWhole else { throw .notation }
    if written == nil, stations == .feet {
      guard rest.wholeDigits == 2 else { throw .notation }
      return try number.micrometres(per: .feet) * 100 + rest.micrometres(per: .feet)
    }
    guard (written ?? bareUnit) == .kilometres, rest.whole < 1_000 else { throw .notation }
    guard written != nil || rest.wholeDigits == 3 else { throw .notation }
    return try number.micrometres(per: .kilometres) + rest.micrometres(per: .metres)
  }

  private func scaled(_ number: MileageDecimal, written: Unit?) throws(MileageError.Reason)
    -> MileageDecimal
  {
    guard impliedDecimals > 0 else { return number }
    guard number.isWhole else { throw .notation }
    return number.shifted(impliedDecimals)
  }

  /// Full-width forms (U+FF01 to U+FF5E), the minus sign (U+2212), and the letters of `км` and `กม.` as
  /// ASCII, the ideographic space as a blank.
  private static func folded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var follows: Unicode.Scalar?
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      defer { follows = scalar }
      switch scalar.value {
      case 0xFF01...0xFF5E: result.append(UInt8(scalar.value - 0xFF01 + 0x21))
      case 0x2212: result.append(UInt8(ascii: "-"))
      case 0x3000, 0xA0: result.append(UInt8(ascii: " "))
      case 0x41A, 0x43A, 0xE01: result.append(UInt8(ascii: "k"))
      case 0x41C, 0x43C: result.append(UInt8(ascii: "m"))
      case 0xE21: result.append(UInt8(ascii: "m"))
      case UInt32(UInt8(ascii: ".")) where follows?.value == 0xE21: break
      default: result.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
    return result
  }
}

extension MileageError.Reason: Error {}
