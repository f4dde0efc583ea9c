import Geodesy
import Milepost

/// One milepost or pin of an agency's file.
struct ImportRow {
  var road: ArraySlice<UInt8> = []
  /// Nil for a pin.
  var mileage: Mileage?
  var section: ArraySlice<UInt8> = []
  var place: Coordinate
  var carriageway: ArraySlice<UInt8> = []
  var category: ArraySlice<UInt8> = []
  var name: ArraySlice<UInt8> = []
  var plate: ArraySlice<UInt8> = []
  /// Metres.
  var radius: Double?
  /// The agency's own chainage, micrometres.
  var chainage: Int64?
}

/// Why a row cannot be used; rows with equal ones are reported together.
struct Rejection: Error, Hashable {
  var reason: String
}

/// Makes rows of records, as the settings say.
struct RowDecoder {
  private(set) var wanted = WantedFields()
  private let settings: ImportSettings
  private let fields: [ImportSettings.FieldName: Field]
  private let conditions: [Field]
  private let chainages: MileageParser
  private var places: PlaceDecoder
  private let road, mileage, section, carriageway, category, name, plate, radius, kind,
    chainage: Field?

  init(_ settings: ImportSettings) throws(ImportFault) {
    try settings.check()
    self.settings = settings
    var wanted = WantedFields()
    var fields: [ImportSettings.FieldName: Field] = [:]
    for name in ImportSettings.FieldName.allCases {
      guard let sources = settings.fields[name], !sources.isEmpty else { continue }
      fields[name] = try Field(sources, &wanted)
    }
    var conditions: [Field] = []
    for condition in settings.conditions { conditions.append(try Field([condition], &wanted)) }
    self.conditions = conditions
    places = try PlaceDecoder(settings, fields, &wanted)
    self.wanted = wanted
    self.fields = fields
    chainages = MileageParser(bareUnit: settings.chainageUnit)
    (road, mileage, section) = (fields[.road], fields[.mileage], fields[.section])
    (carriageway, category) = (fields[.carriageway], fields[.category])
    (name, plate, radius) = (fields[.name], fields[.plate], fields[.radius])
    (kind, chainage) = (fields[.kind], fields[.chainage])
    try Self.check(fields, places)
  }

  private static func check(
    _ fields: [ImportSettings.FieldName: Field], _ places: PlaceDecoder
  ) throws(ImportFault) {
    guard fields[.mileage] != nil || fields[.kind] != nil else {
      throw ImportFault(
        .usage, "where is the mileage? (use --mileage COLUMN, or --preset NAME)")
    }
    guard fields[.road] != nil || fields[.kind] != nil else {
      throw ImportFault(
        .usage, "which road is it? (use --road COLUMN, or --road =NAME for one road)")
    }
  }

  /// Throws where a value has no column in `reader`'s file.
  func check(_ reader: any RecordReader, file: String) throws(ImportFault) {
    try checkCells(reader)
    guard !reader.missing.isEmpty else { return }
    let alone = conditions.allSatisfy { $0.needed(missing: reader.missing) != nil }
    let needed = ImportSettings.FieldName.allCases.compactMap { fields[$0] } + places.degrees
    var slots = needed.compactMap { $0.needed(missing: reader.missing) }
    if alone { slots += conditions.compactMap { $0.needed(missing: reader.missing) } }
    guard let slot = slots.first else { return }
    let found = reader.header.prefix(40).map { String($0.prefix(40)) }.joined(separator: ", ")
    let has =
      reader.header.isEmpty ? "without a header give its number" : "the header has \(found)"
    if wanted.names[slot] == WantedFields.latitude {
      throw ImportFault(
        .usage, "\(file): where is the latitude? (use --lat and --lon COLUMN; \(has))")
    }
    let doubt =
      found.utf8.contains { $0 >= 0x80 } ? " (or is it another encoding? --encoding)" : ""
    throw ImportFault(.data, "\(file): no column \"\(wanted.names[slot])\"; \(has)\(doubt)")
  }

  /// Throws where one column, under two names, has two values that need one each.
  private func checkCells(_ reader: any RecordReader) throws(ImportFault) {
    var roles: [Int: ImportSettings.FieldName] = [:]
    for field in ImportSettings.exclusiveFields {
      for case .column(let name) in settings.fields[field] ?? [] {
        guard let slot = wanted.slot(of: name), let cell = reader.cellOfSlot[slot],
          let other = roles.updateValue(field, forKey: cell), other != field
        else { continue }
        throw ImportSettings.shared(name, other, field)
      }
    }
  }

  /// Nil where the settings leave the record out.
  mutating func decode(_ record: Record, notes: inout PlaceNotes) throws(Rejection) -> ImportRow? {
    if let fault = record.fault { throw Rejection(reason: fault) }
    if !conditions.isEmpty, conditions.allSatisfy({ $0.text(of: record) == nil }) { return nil }
    guard var row = try isPin(record) ? try pin(record, &notes) : try milepost(record, &notes)
    else {
      return nil
    }
    row.radius = try radius(of: record)
    return row
  }

  private func isPin(_ record: Record) throws(Rejection) -> Bool {
    guard let kind, let text = kind.text(of: record) else { return false }
    switch text.text.lowercased() {
    case "milepost": return false
    case "pin": return true
    default: throw Rejection(reason: "kind is neither milepost nor pin")
    }
  }

  private mutating func pin(_ record: Record, _ notes: inout PlaceNotes) throws(Rejection)
    -> ImportRow?
  {
    guard let name = name?.text(of: record) else { throw Rejection(reason: "name is empty") }
    var row = ImportRow(place: try places.place(of: record, notes: &notes))
    row.name = try Self.required(name, "name")
    return row
  }

  private mutating func milepost(_ record: Record, _ notes: inout PlaceNotes) throws(Rejection)
    -> ImportRow?
  {
    guard let text = mileage?.text(of: record) else { throw Rejection(reason: "mileage is empty") }
    let reading = try read(text)
    guard let mileage = scaled(reading.mileage) else {
      throw Rejection(reason: "mileage is finer than a micrometre after --scale")
    }
    guard settings.every == 0 || mileage.isMultiple(of: settings.every) else { return nil }
    guard let road = road?.text(of: record) else { throw Rejection(reason: "road is empty") }
    var row = ImportRow(place: try places.place(of: record, notes: &notes))
    row.road = try Self.required(road, "road")
    row.mileage = mileage
    row.section = try optional(section, record, "section")
    if row.section.isEmpty, let letters = reading.section { row.section = Array(letters.utf8)[...] }
    row.carriageway = try optional(carriageway, record, "carriageway")
    row.category = try optional(category, record, "category")
    row.name = try optional(name, record, "name")
    row.plate = try plate == nil ? Self.checked(text, "mileage") : optional(plate, record, "plate")
    if let chainage = chainage?.text(of: record) {
      row.chainage = (try? chainages.parse(utf8: ContiguousArray(chainage)[...]))?.micrometres
    }
    return row
  }

  private func read(_ text: ArraySlice<UInt8>) throws(Rejection) -> (
    mileage: Mileage, section: String?
  ) {
    do {
      return try settings.mileages.reading(utf8: ContiguousArray(text)[...])
    } catch {
      switch error.reason {
      case .notation:
        throw Rejection(reason: "mileage \"\(Self.shown(text))\" is none in the notation set")
      case .tooFine: throw Rejection(reason: "mileage is finer than a micrometre")
      case .outOfRange: throw Rejection(reason: "mileage is beyond 1000000 km")
      }
    }
  }

  private func scaled(_ mileage: Mileage) -> Mileage? {
    settings.scale.applied(to: mileage.micrometres).map {
      Mileage(micrometres: $0, notation: mileage.notation)
    }
  }

  private func optional(_ field: Field?, _ record: Record, _ name: String) throws(Rejection)
    -> ArraySlice<UInt8>
  {
    guard let text = field?.text(of: record) else { return [] }
    return try Self.checked(text, name)
  }

  /// Metres; `80m`, `0.5km` or a bare number.
  private func radius(of record: Record) throws(Rejection) -> Double? {
    guard var text = radius?.text(of: record) else { return nil }
    var factor = 1.0
    if text.last == UInt8(ascii: "m") {
      text = text.dropLast()
      if text.last == UInt8(ascii: "k") { (text, factor) = (text.dropLast(), 1_000) }
    }
    guard let value = places.number(text.trimmed) else {
      throw Rejection(reason: "radius is not a distance (80m)")
    }
    guard value > 0 else { return nil }
    guard Geofence.radii.contains(value * factor) else {
      throw Rejection(reason: "radius is not within 1 m to 100 km")
    }
    return value * factor
  }

  /// What marker files take: short, and on one line.
  private static func checked(_ text: ArraySlice<UInt8>, _ name: String) throws(Rejection)
    -> ArraySlice<UInt8>
  {
    guard text.count <= 1_024 else { throw Rejection(reason: "\(name) is longer than 1024 bytes") }
    guard ControlCharacter.isIn(text.span) else { return text }
    return ControlCharacter.blanked(text.span)[...].trimmed
  }

  /// A text of which something has to be left.
  private static func required(_ text: ArraySlice<UInt8>, _ name: String) throws(Rejection)
    -> ArraySlice<UInt8>
  {
    let text = try checked(text, name)
    guard !text.isEmpty else { throw Rejection(reason: "\(name) is empty") }
    return text
  }

  private static func shown(_ text: ArraySlice<UInt8>) -> String {
    String(text.prefix(120).text.prefix(30).map { $0.isNewline || $0 < " " ? " " : $0 })
  }
}
