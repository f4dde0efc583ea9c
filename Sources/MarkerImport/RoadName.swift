/// The names of roads: one road's spellings have one key and one way of writing.
///
/// 臺 is 台; full-width letters are ASCII ones; Chinese numerals of a road number are digits;
/// 國1, 國道1號 and 國道一號 are 國道1號; 台9線 is 台9; leading zeros of a number do not count (A0006 is A6).
/// A suffix (台61甲) is never dropped.
package enum RoadName {
  /// The way in which a name is written into marker files.
  package static func normalised(_ name: String) -> String {
    var text = folded(name)
    for prefix in ["國道", "國", "省道台", "省道", "台", "縣道", "市道", "鄉道"]
    where text.starts(with: prefix.unicodeScalars) {
      text = numbered(text, after: prefix.unicodeScalars.count)
      break
    }
    text = withoutZeros(text)
    return taiwanese(text) ?? string(text)
  }

  /// Equal for the spellings of one road: capitals, blanks and hyphens between letters and digits do
  /// not count either (`I-5`, `i 5`, `I5`).
  package static func key(_ name: String) -> String {
    let scalars = Array(normalised(name).uppercased().unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      if scalar == " " { continue }
      if scalar == "-", index > 0, index + 1 < scalars.count,
        isLetter(scalars[index - 1]), isDigit(scalars[index + 1])
      {
        continue
      }
      result.append(scalar)
    }
    return String(result)
  }

  private static func folded(_ name: String) -> [Unicode.Scalar] {
    let scalars = name.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.value {
      case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
      case 0x3000, 0xA0: " "
      case 0x81FA: "台"
      default: scalar
      }
    }
    return Array(string(scalars).utf8)[...].trimmed.text.unicodeScalars.map { $0 }
  }

  private static let numerals: [Unicode.Scalar: Int] = [
    "〇": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
  ]

  /// The Chinese numeral from `start` on as digits: 一, 十, 十一, 二十, 二十一, 一〇六, 一百零六.
  private static func numbered(_ text: [Unicode.Scalar], after start: Int) -> [Unicode.Scalar] {
    let run = text[start...].prefix { numerals[$0] != nil || $0 == "十" || $0 == "百" }
    guard !run.isEmpty, run.count <= 8 else { return text }
    var (total, digits) = (0, 0)
    if run.contains("十") || run.contains("百") {
      for scalar in run {
        switch scalar {
        case "百": (total, digits) = (total + max(digits, 1) * 100, 0)
        case "十": (total, digits) = (total + max(digits, 1) * 10, 0)
        default: digits = numerals[scalar] ?? 0
        }
      }
      total += digits
    } else {
      total = run.reduce(0) { $0 * 10 + (numerals[$1] ?? 0) }
    }
    return Array(text[..<start]) + Array(String(total).unicodeScalars)
      + Array(text[run.endIndex...])
  }

  private static func withoutZeros(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    for (index, scalar) in text.enumerated() {
      let before = result.last ?? " "
      let isLeading = scalar == "0" && !isDigit(before) && before != "." && before != ","
      if isLeading, index + 1 < text.count, isDigit(text[index + 1]) { continue }
      result.append(scalar)
    }
    return result
  }

  /// 國道1號, 國道3甲, 國道1號高架路段, 台9, 台61甲; nil for other names.
  private static func taiwanese(_ text: [Unicode.Scalar]) -> String? {
    let name = string(text)
    if let rest = rest(of: name, after: ["國道", "國"]) {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty else { return nil }
      var tail = rest[digits.endIndex...]
      if tail.first == "號" { tail = tail.dropFirst() }
      if let first = tail.first, suffixes.contains(first) {
        return "國道\(digits)\(tail.hasSuffix("線") ? tail.dropLast() : tail)"
      }
      return "國道\(digits)號\(tail)"
    }
    if let rest = rest(of: name, after: ["省道台", "台"]) {
      guard rest.first?.isNumber == true else { return nil }
      return "台" + (rest.hasSuffix("線") ? rest.dropLast() : rest)
    }
    return nil
  }

  private static let suffixes: Set<Character> = ["甲", "乙", "丙", "丁", "戊", "己", "庚", "辛", "壬", "癸"]

  private static func rest(of name: String, after prefixes: [String]) -> Substring? {
    prefixes.first { name.hasPrefix($0) }.map { name.dropFirst($0.count) }
  }

  private static func string(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }
}
