/// Settings that do not go together.
extension ImportSettings {
  /// - Throws: a fault that names the two, as options.
  func check() throws(ImportFault) {
    try checkDialect()
    try checkColumns()
    try checkSystems()
    try checkPins()
    if given.contains("ChainageUnit"), fields[.chainage] == nil {
      throw ImportFault(.usage, "--chainage-unit needs --chainage")
    }
    for (place, name) in renamedRoads.enumerated() {
      let before = renamedRoads[..<place].first { $0.from == name.from && $0.to != name.to }
      guard let before else { continue }
      throw ImportFault(
        .usage, "--rename-road: \(name.from) cannot be both \(before.to) and \(name.to)")
    }
  }

  /// The settings that only CSV has, and that have been set.
  var csvOptions: [String] {
    [("Delimiter", "--delimiter"), ("Quote", "--quote"), ("Header", "--header")]
      .filter { given.contains($0.0) }.map(\.1) + (dialect.skippedLines > 0 ? ["--skip-lines"] : [])
  }

  private func checkDialect() throws(ImportFault) {
    if format == .json || format == .xml, let option = csvOptions.first {
      throw ImportFault(.usage, "\(option) is for CSV, not for --format \(format.rawValue)")
    }
    guard let quote = dialect.quote else { return }
    if dialect.delimiter == quote {
      throw ImportFault(
        .usage, "--quote and --delimiter cannot both be \(Self.shown(quote)) (--quote none)")
    }
    if dialect.delimiter == nil, CSVDialect.usual.contains(quote) {
      throw ImportFault(
        .usage, "--quote \(Self.shown(quote)) may be the delimiter (say which, with --delimiter)")
    }
  }

  private static func shown(_ byte: UInt8) -> String {
    byte == 9 ? "tab" : "\"\(Character(UnicodeScalar(byte)))\""
  }

  private func checkSystems() throws(ImportFault) {
    let zones = systems.compactMap(\.zone)
    if !systems.isEmpty, fields[.x] == nil {
      throw ImportFault(.usage, "--crs is the system of --x and --y (name these, too)")
    }
    if fields[.zone] != nil, zones.count != systems.count || zones.isEmpty {
      throw ImportFault(.usage, "--zone needs a zone with each system, as --crs '121=EPSG:3826'")
    }
    if fields[.zone] == nil, let zone = zones.first {
      throw ImportFault(.usage, "--crs \(zone)=... needs --zone, the column that says \(zone)")
    }
    let keys = zones.isEmpty ? systems.map(\.name) : zones
    if let twice = keys.firstDuplicate {
      throw ImportFault(.usage, "--crs names \(twice) twice")
    }
  }

  /// Where every row is a pin.
  private func checkPins() throws(ImportFault) {
    guard let kinds = fields[.kind], !kinds.isEmpty else { return }
    let constants = kinds.compactMap(\.constant)
    if let odd = constants.first(where: { !["pin", "milepost"].contains($0.lowercased()) }) {
      throw ImportFault(.usage, "--kind =\(odd) is none (use =pin or =milepost)")
    }
    guard constants.count == kinds.count, constants.allSatisfy({ $0.lowercased() == "pin" }) else {
      return
    }
    guard fields[.name] != nil else {
      throw ImportFault(.usage, "--kind =pin needs --name, by which pins are known")
    }
    let others: [FieldName] = [
      .road, .mileage, .section, .carriageway, .category, .plate, .chainage,
    ]
    if let other = others.first(where: { fields[$0] != nil }) {
      throw ImportFault(.usage, "--kind =pin makes pins of all rows, and pins have no --\(other)")
    }
    if every != 0 { throw ImportFault(.usage, "--kind =pin makes pins of all rows: no --every") }
  }
}

extension ImportSettings {
  /// The values that a column of its own is for: no two of them are the same text.
  static let exclusiveFields = FieldName.allCases.filter { $0 != .name && $0 != .plate }

  private func checkColumns() throws(ImportFault) {
    for name in FieldName.allCases {
      if let twice = (fields[name] ?? []).firstDuplicate {
        throw ImportFault(.usage, "\(name.option) names \(twice.text) twice")
      }
    }
    var roles: [String: FieldName] = [:]
    for field in Self.exclusiveFields {
      for case .column(let column) in fields[field] ?? [] {
        guard let other = roles.updateValue(field, forKey: column) else { continue }
        throw Self.shared(column, other, field)
      }
    }
    guard !dialect.hasHeader else { return }
    for field in FieldName.allCases {
      for column in (fields[field] ?? []).compactMap(\.column) where Int(column.number) == nil {
        throw ImportFault(
          .usage, "\(field.option) \(column): with --header no a column has a number (use #3)")
      }
    }
  }

  static func shared(_ column: String, _ a: FieldName, _ b: FieldName) -> ImportFault {
    ImportFault(
      .usage, "column \(column) is both \(a.option) and \(b.option) (name another for one of them)")
  }
}

extension ImportSettings.FieldName {
  /// As it is written on the command line.
  var option: String {
    switch self {
    case .latitude: "--lat"
    case .longitude: "--lon"
    default: "--\(rawValue)"
    }
  }
}

extension Array where Element: Hashable {
  /// The first element that has stood before.
  fileprivate var firstDuplicate: Element? {
    var seen: Set<Element> = []
    return first { !seen.insert($0).inserted }
  }
}
