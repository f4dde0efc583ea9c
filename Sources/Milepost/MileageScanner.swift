/// Walks the bytes of one text.
struct MileageScanner {
  let bytes: ArraySlice<UInt8>
  var position: Int

  init(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position >= bytes.endIndex }
  var next: UInt8? { isAtEnd ? nil : bytes[position] }

  mutating func skipBlanks() {
    while let byte = next, isBlank(byte) {
      position += 1
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// A word that stands before a mileage; its unit is nil where it only says that a mileage follows.
  struct Word {
    let word: [UInt8]
    let unit: MileageParser.Unit?

    init(_ word: String, _ unit: MileageParser.Unit?) {
      self.word = Array(word.utf8)
      self.unit = unit
    }
  }

  /// The word before a number, and the blanks, colon, or point and blank after it.
  mutating func prefix() -> Word? {
    guard let found = word(of: Self.prefixes) else { return nil }
    if next == UInt8(ascii: "."), position + 1 < bytes.endIndex, isBlank(bytes[position + 1]) {
      position += 1
    } else {
      _ = take(UInt8(ascii: ":"))
    }
    skipBlanks()
    return found
  }

  /// The unit after a number, with blanks before it. `m` is metres only where the source says so:
  /// railways write miles with it.
  mutating func suffix(metres: Bool) -> MileageParser.Unit? {
    let start = position
    skipBlanks()
    if let found = word(of: Self.suffixes)?.unit { return found }
    if metres, word(of: Self.metre) != nil { return .metres }
    position = start
    return nil
  }

  /// The word of `words` that stands here in any case of letters, with no letter after it.
  private mutating func word(of words: [Word]) -> Word? {
    guard let byte = next, byte | 0x20 >= UInt8(ascii: "a") else { return nil }
    for candidate in words {
      let rest = bytes[position...]
      guard zip(rest, candidate.word).allSatisfy({ $0 | 0x20 == $1 }),
        rest.count >= candidate.word.count
      else { continue }
      let end = position + candidate.word.count
      if end < bytes.endIndex, isLetter(bytes[end]) { continue }
      position = end
      return candidate
    }
    return nil
  }

  private static let prefixes: [Word] = [
    Word("milepost", .miles), Word("mp", .miles), Word("mm", .miles), Word("mi", .miles),
    Word("km", .kilometres),
    Word("k", .kilometres), Word("pk", .kilometres), Word("kp", .kilometres),
    Word("hm", .hectometres),
    Word("pr", nil), Word("post", nil), Word("station", nil), Word("sta", nil),
  ]
  private static let suffixes: [Word] = [
    Word("km", .kilometres), Word("k", .kilometres), Word("kp", .kilometres), Word("mi", .miles),
    Word("hm", .hectometres), Word("ft", .feet), Word("ch", .chains),
  ]
  private static let metre = [Word("m", .metres)]

  /// At most three letters directly before a digit, in capitals.
  mutating func gluedLetters() -> String? {
    let letters = bytes[position...].prefix { isLetter($0) && $0 < 0x80 }
    guard (1...3).contains(letters.count), letters.endIndex < bytes.endIndex,
      isDigit(bytes[letters.endIndex])
    else { return nil }
    position = letters.endIndex
    return String(decoding: letters, as: UTF8.self).uppercased()
  }

  /// The chains of `12mi 40ch` or `12m 40ch`, in micrometres; nil where none follow.
  mutating func chains(afterMiles: Bool) throws(MileageError.Reason) -> UInt64? {
    var ahead = self
    guard afterMiles || ahead.word(of: Self.metre) != nil else { return nil }
    ahead.skipBlanks()
    guard let byte = ahead.next, isDigit(byte) else { return nil }
    let number = try ahead.decimal()
    guard ahead.suffix(metres: false) == .chains, number.whole < 80 else { throw .notation }
    self = ahead
    return try number.micrometres(per: .chains)
  }

  /// The digit of `/4`; nil where no slash follows.
  mutating func hectometre() throws(MileageError.Reason) -> UInt64? {
    guard take(UInt8(ascii: "/")) else { return nil }
    guard let digit = nextDigit(), next.map(isDigit) != true else { throw .notation }
    return digit
  }

  mutating func decimal() throws(MileageError.Reason) -> MileageDecimal {
    var result = MileageDecimal()
    var digits = 0
    while let digit = nextDigit() {
      digits += 1
      result.whole = min(result.whole * 10 + digit, MileageDecimal.wholeLimit + 1)
    }
    result.wholeDigits = digits
    guard digits > 0 else { throw .notation }
    guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else { return result }
    try fraction(into: &result)
    return result
  }

  private mutating func fraction(into result: inout MileageDecimal) throws(MileageError.Reason) {
    var digits = 0
    var zeros = 0
    while let digit = nextDigit() {
      digits += 1
      guard digit != 0 else {
        zeros += 1
        continue
      }
      guard digits <= MileageDecimal.decimalLimit else {
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

func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

/// ASCII letters.
func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
