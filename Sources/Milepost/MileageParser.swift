/// Reads the ways in which plates write a mileage: `014K+800`, `14k+800`, `14+800`, `5.1`, `5,1`,
/// `32.5 km`, `KM 12`, `MP 26.00`, `26 mi`, each with a minus sign before its number (`-0K+300`).
///
/// Full-width letters, digits and signs (`１２Ｋ＋３００`) count as their ASCII ones; blanks at the ends and
/// after a prefix do not count.
package struct MileageParser: Sendable {
  /// The unit of a number.
  package enum Unit: Sendable {
    case kilometres
    case metres
    case miles

    var micrometres: UInt64 {
      switch self {
      case .kilometres: 1_000 * Mileage.micrometresPerMetre
      case .metres: Mileage.micrometresPerMetre
      case .miles: Mileage.micrometresPerMile
      }
    }

    var notation: Mileage.Notation { self == .miles ? .miles : .kilometres }
  }

  /// The unit of a number that comes without one.
  package var bareUnit: Unit

  package init(bareUnit: Unit = .kilometres) { self.bareUnit = bareUnit }

  /// Far beyond any road, and far enough from Int64's ends for all sums.
  package static let limit: Int64 = 1_000_000 * 1_000_000_000

  package func parse(_ text: String) throws(MileageError) -> Mileage {
    try parse(utf8: Array(text.utf8)[...])
  }

  package func parse(utf8 text: ArraySlice<UInt8>) throws(MileageError) -> Mileage {
    do {
      if text.contains(where: { $0 >= 0x80 }) {
        return try mileage(Scanner(bytes: Self.folded(text)[...]))
      }
      return try mileage(Scanner(bytes: text))
    } catch {
      throw MileageError(error, text: String(decoding: text, as: UTF8.self))
    }
  }

  private func mileage(_ start: Scanner) throws(MileageError.Reason) -> Mileage {
    var scanner = start
    scanner.skipBlanks()
    let prefix = scanner.word(of: Self.prefixes)
    scanner.skipBlanks()
    let negative = scanner.take(UInt8(ascii: "-"))
    let number = try scanner.decimal()
    scanner.skipBlanks()
    let suffix = scanner.word(of: Self.suffixes)
    if let prefix, let suffix, prefix != suffix { throw .notation }
    let unit = prefix ?? suffix ?? bareUnit

    var magnitude: UInt64
    if scanner.take(UInt8(ascii: "+")) {
      guard unit == .kilometres, number.isWhole else { throw .notation }
      let metres = try scanner.decimal()
      guard metres.whole < 1_000 else { throw .notation }
      magnitude = try number.micrometres(per: .kilometres) + metres.micrometres(per: .metres)
    } else {
      magnitude = try number.micrometres(per: unit)
    }
    scanner.skipBlanks()
    guard scanner.isAtEnd else { throw .notation }
    guard magnitude <= UInt64(Self.limit) else { throw .outOfRange }
    let micrometres = Int64(magnitude)
    return Mileage(micrometres: negative ? -micrometres : micrometres, notation: unit.notation)
  }

  /// Longer words before those that begin them.
  private static let prefixes: [(word: [UInt8], unit: Unit)] = [
    (Array("milepost".utf8), .miles), (Array("mp".utf8), .miles), (Array("km".utf8), .kilometres),
  ]
  private static let suffixes: [(word: [UInt8], unit: Unit)] = [
    (Array("km".utf8), .kilometres), (Array("k".utf8), .kilometres), (Array("mi".utf8), .miles),
  ]

  /// Full-width forms (U+FF01 to U+FF5E) and the minus sign (U+2212) as ASCII, the ideographic
  /// space as a blank.
  private static func folded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0xFF01...0xFF5E: result.append(UInt8(scalar.value - 0xFF01 + 0x21))
      case 0x2212: result.append(UInt8(ascii: "-"))
      case 0x3000, 0xA0: result.append(UInt8(ascii: " "))
      default: result.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
    return result
  }
}

extension MileageParser {
  /// A decimal number without sign: `whole` and `fraction`/10^`decimals`, no trailing zeros.
  private struct Decimal {
    var whole: UInt64 = 0
    var fraction: UInt64 = 0
    var decimals = 0
    /// Some digit lies beyond ``decimalLimit``.
    var isTooFine = false

    var isWhole: Bool { decimals == 0 && !isTooFine }

    /// A mile has no whole micrometres beyond its tenth decimal, a kilometre beyond its ninth.
    static let decimalLimit = 10
    static let wholeLimit: UInt64 = 1_000_000_000

    func micrometres(per unit: Unit) throws(MileageError.Reason) -> UInt64 {
      guard whole <= Self.wholeLimit else { throw .outOfRange }
      guard !isTooFine else { throw .tooFine }
      var scale: UInt64 = 1
      for _ in 0..<decimals { scale *= 10 }
      let (part, rest) = (fraction * unit.micrometres).quotientAndRemainder(dividingBy: scale)
      guard rest == 0 else { throw .tooFine }
      return whole * unit.micrometres + part
    }
  }

  /// Walks the bytes of one text.
  private struct Scanner {
    let bytes: ArraySlice<UInt8>
    var position: Int

    init(bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      position = bytes.startIndex
    }

    var isAtEnd: Bool { position >= bytes.endIndex }
    private var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skipBlanks() {
      while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        position += 1
      }
    }

    mutating func take(_ byte: UInt8) -> Bool {
      guard next == byte else { return false }
      position += 1
      return true
    }

    /// The unit of the first of `words` that stands here in any case of letters.
    mutating func word(of words: [(word: [UInt8], unit: Unit)]) -> Unit? {
      guard let byte = next, byte | 0x20 >= UInt8(ascii: "a") else { return nil }
      for (word, unit) in words {
        let rest = bytes[position...]
        guard rest.count >= word.count, zip(rest, word).allSatisfy({ $0 | 0x20 == $1 }) else {
          continue
        }
        position += word.count
        return unit
      }
      return nil
    }

    mutating func decimal() throws(MileageError.Reason) -> Decimal {
      var result = Decimal()
      var digits = 0
      while let digit = nextDigit() {
        digits += 1
        result.whole = min(result.whole * 10 + digit, Decimal.wholeLimit + 1)
      }
      guard digits > 0 else { throw .notation }
      guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else { return result }
      try fraction(into: &result)
      return result
    }

    private mutating func fraction(into result: inout Decimal) throws(MileageError.Reason) {
      var digits = 0
      var zeros = 0
      while let digit = nextDigit() {
        digits += 1
        guard digit != 0 else {
          zeros += 1
          continue
        }
        guard digits <= Decimal.decimalLimit else {
          result.isTooFine = true
          continue
        }
        for _ in 0...zeros { result.fraction *= 10 }
        result.fraction += digit
        result.decimals = digits
        zeros = 0
      }
      guard digits > 0 else { throw .notation }
    }

    private mutating func nextDigit() -> UInt64? {
      guard let byte = next, byte &- UInt8(ascii: "0") < 10 else { return nil }
      position += 1
      return UInt64(byte &- UInt8(ascii: "0"))
    }
  }
}

extension MileageError.Reason: Error {}
