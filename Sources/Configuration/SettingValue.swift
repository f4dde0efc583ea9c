import Milepost

/// Reads the values of settings: units, booleans, lists.
enum SettingValue {
  /// Why a value cannot be used, and what to write instead.
  struct Fault: Error, Equatable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// systemd's booleans, in any case of letters.
  static func flag(_ text: String) throws(Fault) -> Bool {
    switch text.lowercased() {
    case "1", "yes", "y", "true", "t", "on": return true
    case "0", "no", "n", "false", "f", "off": return false
    default: throw Fault("\"\(text)\" is not a boolean (use yes or no)")
    }
  }

  /// Metres: `15m`, `0.5km`, `15`.
  static func distance(_ text: String, example: String) throws(Fault) -> Double {
    switch quantity(text) {
    case (let number, "")?, (let number, "m")?: return number
    case (let number, "km")?: return number * 1_000
    default: throw Fault("\"\(text)\" is not a distance (use \(example))")
    }
  }

  /// Metres per second: `100km/h`, `27m/s`, `100` (km/h).
  static func speed(_ text: String, example: String) throws(Fault) -> Double {
    switch quantity(text) {
    case (let number, "")?, (let number, "km/h")?: return number / 3.6
    case (let number, "m/s")?: return number
    default: throw Fault("\"\(text)\" is not a speed (use \(example))")
    }
  }

  /// Milliseconds of a time span as systemd writes it (systemd.time(7)): `10s`, `1h 30min`, `10`
  /// (seconds).
  static func milliseconds(_ text: String, example: String) throws(Fault) -> Double {
    var rest = text[...]
    var total = 0.0
    repeat {
      guard let number = takeNumber(&rest) else { throw notTime(text, example) }
      rest = ConfigurationLine.trimmed(rest)
      let unit = rest.prefix { $0.isLetter }
      rest = ConfigurationLine.trimmed(rest.dropFirst(unit.count))
      guard let factor = timeUnits[String(unit)] else { throw notTime(text, example) }
      total += number * factor
    } while !rest.isEmpty
    return total
  }

  /// Micrometres of mileage: `1km`, `500m`, `0.5mi`, `1` (km); exact, above 0. 0 where empty.
  static func step(_ text: String) throws(Fault) -> Int64 {
    guard !text.isEmpty else { return 0 }
    guard let step = MileageParser.step(text) else {
      throw Fault("\"\(text)\" is not a mileage (use 1km, 500m or 1mi)")
    }
    return step
  }

  /// Bytes, as systemd writes sizes: `256M`, `1G`, to the base of 1024; a bare number is bytes.
  static func bytes(_ text: String, example: String) throws(Fault) -> Double {
    let powers = ["": 0, "B": 0, "K": 1, "M": 2, "G": 3, "T": 4]
    guard let (number, unit) = quantity(text), let power = powers[String(unit)] else {
      throw Fault("\"\(text)\" is not a size (use \(example))")
    }
    return number * Double(1 << (10 * power))
  }

  /// The words of a list, parted by blanks; quotes keep blanks, a backslash the next character.
  static func words(_ text: String) throws(Fault) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " || character == "\t" {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw Fault("a quote is not closed (end it with \(quote ?? "\""))") }
    guard !isEscaped else { throw Fault("a backslash ends the value (write it as \\\\)") }
    if let word { words.append(word) }
    return words
  }

  static func path(_ text: String, example: String) throws(Fault) -> String {
    guard text.hasPrefix("/"), text.utf8.count < 4_096 else {
      throw Fault("\"\(text)\" is not an absolute path (use \(example))")
    }
    return text
  }

  /// A number and what stands behind it.
  private static func quantity(_ text: String) -> (number: Double, unit: Substring)? {
    var rest = text[...]
    guard let number = takeNumber(&rest) else { return nil }
    return (number, ConfigurationLine.trimmed(rest))
  }

  /// A decimal number at the start of `text`, with its sign.
  private static func takeNumber(_ text: inout Substring) -> Double? {
    let sign = text.first == "-" ? 1 : 0
    let digits = text.dropFirst(sign).prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard digits.first != ".", digits.last != ".",
      let number = Double(text.prefix(sign + digits.count))
    else { return nil }
    text = text.dropFirst(sign + digits.count)
    return number
  }

  private static func notTime(_ text: String, _ example: String) -> Fault {
    Fault("\"\(text)\" is not a time span (use \(example))")
  }

  /// In milliseconds; a month is 30.44 days and a year 365.25, as for systemd.
  private static let timeUnits: [String: Double] = {
    let units: [(names: String, milliseconds: Double)] = [
      ("us usec µs μs", 0.001), ("ms msec", 1), ("s sec second seconds", 1_000),
      ("m min minute minutes", 60_000), ("h hr hour hours", 3_600_000),
      ("d day days", 86_400_000), ("w week weeks", 604_800_000),
      ("M month months", 2_629_800_000), ("y year years", 31_557_600_000),
    ]
    var table = ["": 1_000.0]
    for unit in units {
      for name in unit.names.split(separator: " ") { table[String(name)] = unit.milliseconds }
    }
    return table
  }()
}
