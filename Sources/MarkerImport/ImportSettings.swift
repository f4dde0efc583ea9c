package import Milepost

/// How an agency's file is read: what a preset or the options of `import` say.
package struct ImportSettings: Sendable {
  package enum Format: String, CaseIterable, Sendable { case auto, csv, json, xml }

  /// The values of a milepost.
  package enum FieldName: String, CaseIterable, Sendable {
    case road, mileage, latitude, longitude, x, y, zone, carriageway, section, name, category
    case radius, plate, kind, chainage
  }

  package var format = Format.auto
  package var encoding: String?
  package var dialect = CSVDialect()
  package var decimalComma = false
  package var fields: [FieldName: [FieldSource]] = [:]
  /// Coordinate systems of `x` and `y`; with a zone before each where rows name theirs.
  package var systems: [(zone: String?, name: String)] = []
  package var mileages = MileageParser()
  package var chainageUnit = MileageParser.Unit.kilometres
  package var scale = DecimalScale.one
  /// Rows are read where at least one of these gives a text; all where empty.
  package var conditions: [FieldSource] = []
  package var normalisesRoads = true
  /// Road names of the file and those that they are written as.
  package var renamedRoads: [(from: String, to: String)] = []
  package var merging = Merging.places
  /// Only mileages that are whole multiples, micrometres; 0 for all.
  package var every: Int64 = 0
  /// The names of what has been set.
  private(set) var given: Set<String> = []

  package enum Merging: Sendable {
    /// Rows of one milepost within 100 m are one, whatever their carriageway.
    case places
    /// Every row is written.
    case none
  }

  package init() {}
}

/// A factor written as a decimal: 0.001.
package struct DecimalScale: Hashable, Sendable {
  package static let one = DecimalScale(numerator: 1, denominator: 1)
  var numerator: Int64
  var denominator: Int64

  /// Nil where `micrometres` times the factor is no whole number, or beyond Int64.
  func applied(to micrometres: Int64) -> Int64? {
    if numerator == denominator { return micrometres }
    let (product, overflow) = micrometres.multipliedReportingOverflow(by: numerator)
    guard !overflow, product % denominator == 0 else { return nil }
    return product / denominator
  }
}

extension ImportSettings {
  /// The names of the settings: a preset's keys, and with dashes for capitals the options.
  package static let names: [String] =
    FieldName.allCases.map { field in
      switch field {
      case .x: "X"
      case .y: "Y"
      default: field.rawValue.prefix(1).uppercased() + field.rawValue.dropFirst()
      }
    } + [
      "Format", "Encoding", "Delimiter", "Quote", "Header", "SkipLines", "DecimalComma", "CRS",
      "Unit",
      "Stations", "ImpliedDecimals", "HectometreFractions", "SectionLetters", "Text",
      "ChainageUnit", "Scale", "Where", "NormaliseRoads", "RenameRoad", "KeepDuplicates", "Every",
    ]

  /// Sets what `name` (of ``names``) says; a field named again gets a further source.
  ///
  /// Throws a fault whose text is the reason alone.
  package mutating func set(_ name: String, _ value: String) throws(ImportFault) {
    given.insert(name)
    if let field = FieldName(rawValue: name.lowercased()) {
      fields[field, default: []].append(FieldSource(value))
      return
    }
    switch name {
    case "Format":
      format = try Self.choice(value, ["auto": .auto, "csv": .csv, "json": .json, "xml": .xml])
    case "Encoding": encoding = value
    case "Delimiter": dialect.delimiter = try Self.delimiter(value)
    case "Quote": dialect.quote = value == "none" ? nil : try Self.byte(value)
    case "Header": dialect.hasHeader = try Self.flag(value)
    case "SkipLines": dialect.skippedLines = try Self.number(value, 0...1_000)
    case "DecimalComma": decimalComma = try Self.flag(value)
    case "CRS": try setSystems(value)
    case "Where": conditions.append(FieldSource(value))
    case "NormaliseRoads": normalisesRoads = try Self.flag(value)
    case "RenameRoad": try rename(value)
    case "KeepDuplicates": merging = try Self.flag(value) ? .none : .places
    case "Every": every = try Self.step(value)
    default: try setMileage(name, value)
    }
  }

  private mutating func setMileage(_ name: String, _ value: String) throws(ImportFault) {
    switch name {
    case "Unit": mileages.bareUnit = try Self.choice(value, Self.units)
    case "ChainageUnit": chainageUnit = try Self.choice(value, Self.units)
    case "Stations":
      mileages.stations = try Self.choice(value, ["kilometres": .kilometres, "feet": .feet])
    case "ImpliedDecimals": mileages.impliedDecimals = try Self.number(value, 0...9)
    case "HectometreFractions": mileages.readsHectometreFractions = try Self.flag(value)
    case "SectionLetters": mileages.readsSectionLetters = try Self.flag(value)
    case "Text": mileages.readsText = try Self.flag(value)
    case "Scale": scale = try Self.scale(value)
    default:
      throw ImportFault(.usage, "\(name) is unknown (use \(Self.names.joined(separator: ", ")))")
    }
  }

  /// `EPSG:3826`, a PROJ string, several where the second is tried if the first does not fit, or `121=EPSG:3826`.
  private mutating func setSystems(_ value: String) throws(ImportFault) {
    if value.hasPrefix("+") {
      systems = [(zone: nil, name: value)]
      return
    }
    systems = value.split(separator: " ").map { part in
      let pieces = part.split(separator: "=", maxSplits: 1)
      return pieces.count == 2
        ? (zone: String(pieces[0]), name: String(pieces[1])) : (zone: nil, name: String(part))
    }
    guard !systems.isEmpty else {
      throw ImportFault(.usage, "\"\" is no coordinate system (use EPSG:3826)")
    }
  }

  /// `FROM=TO`
  private mutating func rename(_ value: String) throws(ImportFault) {
    let parts = value.split(separator: "=", maxSplits: 1).map { Array($0.utf8)[...].trimmed.text }
    guard parts.count == 2 else { throw ImportFault(.usage, "\"\(value)\" is not FROM=TO") }
    renamedRoads.append((parts[0], parts[1]))
  }

  private static let units = MileageParser.units
}

extension ImportSettings {
  private static func choice<Value>(_ text: String, _ choices: [String: Value])
    throws(ImportFault) -> Value
  {
    guard let value = choices[text.lowercased()] else {
      throw ImportFault(
        .usage, "\"\(text)\" is unknown (use \(choices.keys.sorted().joined(separator: ", ")))")
    }
    return value
  }

  private static func flag(_ text: String) throws(ImportFault) -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on", "1": true
    case "no", "false", "off", "0": false
    default: throw ImportFault(.usage, "\"\(text)\" is neither yes nor no")
    }
  }

  private static func number(_ text: String, _ range: ClosedRange<Int>) throws(ImportFault) -> Int {
    guard let value = Int(text), range.contains(value) else {
      throw ImportFault(
        .usage, "\"\(text)\" is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  private static func byte(_ text: String) throws(ImportFault) -> UInt8 {
    guard let byte = text.utf8.first, text.utf8.count == 1, byte < 0x80 else {
      throw ImportFault(.usage, "\"\(text)\" is not one ASCII character")
    }
    let character = Character(UnicodeScalar(byte))
    guard !character.isLetter, !character.isNumber, !"+-.\r\n\0".utf8.contains(byte) else {
      throw ImportFault(
        .usage, "\"\(text)\" occurs in values, and can stand neither between nor round them")
    }
    return byte
  }

  private static func delimiter(_ text: String) throws(ImportFault) -> UInt8? {
    switch text {
    case "auto": return nil
    case "tab", "\\t": return 9
    default: return try byte(text)
    }
  }

  private static func scale(_ text: String) throws(ImportFault) -> DecimalScale {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? parts[1].utf8.count : 0
    guard (1...2).contains(parts.count), decimals <= 9, let numerator = Int64(parts.joined()),
      numerator > 0
    else { throw ImportFault(.usage, "\"\(text)\" is not a factor (use 0.001 or 100)") }
    return DecimalScale(
      numerator: numerator, denominator: (0..<decimals).reduce(Int64(1)) { power, _ in power * 10 })
  }

  /// `1km`, `500m`, `1mi`
  package static func step(_ text: String) throws(ImportFault) -> Int64 {
    if let step = MileageParser.step(text) { return step }
    throw ImportFault(.usage, "\"\(text)\" is not a distance (use 1km, 500m or 1mi)")
  }
}
