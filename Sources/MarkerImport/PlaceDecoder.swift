import Geodesy
import MarkerFiles

/// Finds where a record's milepost stands: from degrees, from projected coordinates, or from both,
/// which are compared then and the degrees used.
struct PlaceDecoder {
  /// Two places of one row farther apart than this are reported.
  static let tolerance: Metres = 50

  private let latitude, longitude, x, y, zone: Field?
  private let decimalComma: Bool
  private let systems: [System]

  typealias System = (zone: String?, projection: Projection)

  init(
    _ settings: ImportSettings, _ fields: [ImportSettings.FieldName: Field],
    _ wanted: inout WantedFields
  ) throws(ImportFault) {
    decimalComma = settings.decimalComma
    (x, y, zone) = (fields[.x], fields[.y], fields[.zone])
    guard (x == nil) == (y == nil) else {
      throw ImportFault(.usage, "x and y belong together (use --x, --y and --crs)")
    }
    var latitude = fields[.latitude]
    var longitude = fields[.longitude]
    guard (latitude == nil) == (longitude == nil) else {
      throw ImportFault(.usage, "latitude and longitude belong together (use --lat and --lon)")
    }
    if latitude == nil, x == nil {
      // The formats with a geometry bring it along.
      latitude = try Field([.column(WantedFields.latitude)], &wanted)
      longitude = try Field([.column(WantedFields.longitude)], &wanted)
    }
    (self.latitude, self.longitude) = (latitude, longitude)
    guard x == nil || !settings.systems.isEmpty else {
      throw ImportFault(.usage, "x and y need a coordinate system (use --crs EPSG:3826)")
    }
    var systems: [System] = []
    for system in settings.systems { systems.append((system.zone, try Projection(system.name))) }
    self.systems = systems
  }

  /// The sources of latitude and longitude.
  var degrees: [Field] { [latitude, longitude].compactMap { $0 } }

  func place(of record: Record, notes: inout PlaceNotes) throws(Rejection) -> Coordinate {
    let degrees = try degrees(of: record)
    guard x != nil else {
      guard let degrees else { throw Rejection(reason: "latitude or longitude is empty") }
      return degrees
    }
    let projected = try projected(record)
    if let degrees {
      try checkArea(degrees, projected?.systems ?? systems[...])
      if let projected { try compare(degrees, projected, record.line, &notes) }
      return degrees
    }
    guard let projected else {
      throw Rejection(reason: "no place: neither degrees nor projected coordinates")
    }
    return try Self.checked(projected.place(line: record.line, notes: &notes))
  }

  /// Throws where the areas of the systems tell that the degrees are exchanged.
  private func checkArea(_ degrees: Coordinate, _ systems: ArraySlice<System>) throws(Rejection) {
    guard abs(degrees.longitude) <= 90 else { return }
    let exchanged = Coordinate(latitude: degrees.longitude, longitude: degrees.latitude)
    let excess = systems.map { $0.projection.excess(of: degrees) }.min() ?? 0
    let other = systems.map { $0.projection.excess(of: exchanged) }.min() ?? 0
    if AreaOfUse.isExchange(from: excess, to: other) { throw Self.swapped }
  }

  private func compare(
    _ degrees: Coordinate, _ projected: ProjectedPlace, _ line: Int, _ notes: inout PlaceNotes
  ) throws(Rejection) {
    let point = ECEF(degrees)
    func isNear(_ place: Coordinate?, _ distance: Metres = Self.tolerance) -> Bool {
      place.map { ECEF($0).distance(to: point) <= distance } ?? false
    }
    let candidates = projected.candidates
    if isNear(candidates.first?.place) { return }
    if let fitting = candidates.dropFirst().first(where: { isNear($0.place) }) {
      notes.otherSystem[fitting.name, default: []].append(line)
      return
    }
    if projected.exchanged.candidates.contains(where: { isNear($0.place) }) {
      notes.exchanged.append(line)
      return
    }
    guard let first = candidates.compactMap(\.place).first else { return }
    let swapped = Coordinate(latitude: degrees.longitude, longitude: degrees.latitude)
    if ECEF(first).distance(to: ECEF(swapped)) <= 1_000 { throw Self.swapped }
    notes.disagreements.append(.init(line: line, distance: ECEF(first).distance(to: point)))
  }

  private func degrees(of record: Record) throws(Rejection) -> Coordinate? {
    guard let latitudeText = latitude?.text(of: record),
      let longitudeText = longitude?.text(of: record)
    else { return nil }
    guard let latitude = number(latitudeText) else {
      throw Rejection(reason: "latitude is not a number" + commaHint(latitudeText))
    }
    guard let longitude = number(longitudeText) else {
      throw Rejection(reason: "longitude is not a number" + commaHint(longitudeText))
    }
    return try Self.checked(Coordinate(latitude: latitude, longitude: longitude))
  }

  /// x and y, with the systems that may be meant: that of the row's zone, else all.
  private func projected(_ record: Record) throws(Rejection) -> ProjectedPlace? {
    guard let xText = x?.text(of: record), let yText = y?.text(of: record) else { return nil }
    guard let x = number(xText), let y = number(yText) else {
      throw Rejection(reason: "x or y is not a number" + commaHint(xText) + commaHint(yText))
    }
    var candidates = systems[...]
    if let zone {
      guard let name = zone.text(of: record)?.text else { throw Rejection(reason: "zone is empty") }
      candidates = systems.filter { $0.zone == name }[...]
      guard !candidates.isEmpty else {
        throw Rejection(reason: "zone \(name.prefix(20)) is not in CRS")
      }
    }
    return ProjectedPlace(x: x, y: y, systems: candidates)
  }

  func number(_ text: ArraySlice<UInt8>) -> Double? {
    let comma = UInt8(ascii: ",")
    guard decimalComma, text.contains(comma) else {
      return DecimalNumber.parse(text.span) ?? Self.exponential(text)
    }
    let point = UInt8(ascii: ".")
    guard !text.contains(point) else { return nil }
    let pointed = text.map { $0 == comma ? point : $0 }
    return DecimalNumber.parse(pointed.span)
  }

  /// `1.2e-5`, as JSON may write it.
  private static func exponential(_ text: ArraySlice<UInt8>) -> Double? {
    guard text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }),
      text.allSatisfy({ $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) })
    else { return nil }
    return Double(text.text)
  }

  private func commaHint(_ text: ArraySlice<UInt8>) -> String {
    !decimalComma && text.contains(UInt8(ascii: ","))
      ? " (has it a decimal comma? --decimal-comma)" : ""
  }

  private static let swapped = Rejection(
    reason: "latitude and longitude are swapped (exchange --lat and --lon)")

  private static func checked(_ place: Coordinate) throws(Rejection) -> Coordinate {
    if place.isValid, place.latitude != 0 || place.longitude != 0 { return place }
    if abs(place.latitude) > 90, abs(place.latitude) <= 180, abs(place.longitude) <= 90 {
      throw swapped
    }
    if place.latitude == 0, place.longitude == 0 {
      throw Rejection(reason: "latitude and longitude are both 0")
    }
    throw Rejection(reason: "latitude or longitude is out of range (are these degrees?)")
  }
}
