/// Finds the one mileage in a text: in an agency's notice, on a sign with road and carriageway.
///
/// A number with a unit (`20K+700`, `MM 303.7`, `PR12`) is taken before bare ones; letters glued
/// before a bare number make it a name (`M27`, `A0006`), letters glued after it too; a number before a
/// colon is a road (`171:7.1`). Two that could be meant, and ranges, are refused.
extension MileageParser {
  private struct Found {
    var item: Item
    var range: Range<Int>
  }

  func find(in start: MileageScanner) throws(MileageError.Reason) -> Mileage {
    var found: [Found] = []
    var scanner = start
    while !scanner.isAtEnd {
      guard let next = try next(&scanner) else { continue }
      if let last = found.last,
        Self.joinsRange(start.bytes[last.range.upperBound..<next.range.lowerBound])
      {
        throw .notation
      }
      found.append(next)
    }
    let withUnit = found.filter(\.item.hasUnit)
    let candidates = withUnit.isEmpty ? found : withUnit
    guard let only = candidates.first, candidates.count == 1 else { throw .notation }
    return only.item.mileage
  }

  /// The mileage that begins here, or nil where none does; the scanner has moved on in any case.
  private func next(_ scanner: inout MileageScanner) throws(MileageError.Reason) -> Found? {
    let (bytes, start) = (scanner.bytes, scanner.position)
    let before = start > bytes.startIndex ? bytes[start - 1] : UInt8(ascii: " ")
    var ahead = scanner
    if isLetter(bytes[start]) {
      guard !isLetter(before), ahead.prefix() != nil else {
        scanner.skipWord()
        return nil
      }
      ahead = scanner
    } else {
      let isSigned = bytes[start] == UInt8(ascii: "-") && !isLetter(before) && !isDigit(before)
      guard isDigit(bytes[start]) || isSigned else {
        scanner.position += 1
        return nil
      }
    }
    let found: Item
    do {
      found = try item(&ahead)
    } catch {
      guard error == .notation else { throw error }
      scanner.skip()
      return nil
    }
    scanner = ahead
    let after = ahead.next ?? UInt8(ascii: " ")
    let isHyphenated =
      before == UInt8(ascii: "-") && start - 2 >= bytes.startIndex && isLetter(bytes[start - 2])
    let isName = isLetter(after) || after == UInt8(ascii: ":") || isHyphenated
    if isName, !found.hasUnit { return nil }
    return Found(item: found, range: start..<ahead.position)
  }

  /// Nothing but blanks and at least one sign that joins numbers.
  private static func joinsRange(_ text: ContiguousArray<UInt8>.SubSequence) -> Bool {
    let words = String(decoding: text, as: UTF8.self).lowercased()
      .split { $0 == " " || $0 == "\t" }
    return !words.isEmpty && words.allSatisfy { joints.contains(String($0)) }
  }

  private static let joints: Set<String> = [
    "-", "--", "+", "/", "~", "&", ",", ";", "to", "bis", "a", "à", "至", "到", "和", "～", "〜", "–",
    "—", "and", "und", "et", "y",
  ]
}

extension MileageScanner {
  /// Steps over letters and what is glued to them, up to a known word after digits (`38PR12`).
  mutating func skipWord() {
    while let byte = next, isLetter(byte) { position += 1 }
    while let byte = next, isDigit(byte) || isDecimalPoint { position += 1 }
  }

  /// Steps over one byte, or over all digits that begin here.
  mutating func skip() {
    guard let byte = next else { return }
    position += 1
    guard isDigit(byte) else { return }
    while let byte = next, isDigit(byte) { position += 1 }
  }

  private var isDecimalPoint: Bool {
    let after = position + 1
    return (next == UInt8(ascii: ".") || next == UInt8(ascii: ","))
      && after < bytes.endIndex && isDigit(bytes[after])
  }
}
