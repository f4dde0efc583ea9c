extension MileageParser {
  /// The units' short names.
  package static let units: [String: Unit] = [
    "km": .kilometres, "m": .metres, "mi": .miles, "ft": .feet, "hm": .hectometres, "ch": .chains,
  ]

  /// A stretch of mileage above 0, as `1km`, `500m`, `0.5mi` or `1` (km), in micrometres; nil where
  /// the text is none.
  package static func step(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let suffix = text[digits.endIndex...].filter { $0 != " " }
    guard let unit = units[suffix.isEmpty ? "km" : suffix],
      let step = try? MileageParser(bareUnit: unit).parse(String(digits)), step.micrometres > 0
    else { return nil }
    return step.micrometres
  }
}
