import Geodesy
import Milepost

/// One row of a marker file, decoded.
struct MarkerRow {
  /// Why a row cannot be used, and how to mend it.
  struct Fault: Error {
    var reason: String
  }

  /// Longer texts make no hook argument and no journal field that anyone reads.
  static let textLimit = 1_024

  var coordinate = Coordinate(latitude: 0, longitude: 0)
  /// Nil where the row gives none.
  var radius: Metres?
  var isPin = false
  /// Rises where road, section or carriageway are others than in the row before.
  var lineChanges = 0
  /// Rises where the category is another.
  var categoryChanges = 0
  /// Empty for a pin.
  var road = ""
  /// Of no meaning for a pin.
  var mileage = Mileage(micrometres: 0)
  var section: String?
  var carriageway: String?
  var category: String?
  /// A pin has one.
  var name: String?
  var plate: String?
}

/// Decodes the rows of one file.
struct MarkerRowDecoder {
  let columns: MarkerColumns
  /// Empty for all.
  let roads: Set<String>
  private let mileages = MileageParser()
  private var road = RecentText()
  private var category = RecentText()
  private var section = RecentText()
  private var carriageway = RecentText()

  init(columns: MarkerColumns, roads: Set<String>) {
    self.columns = columns
    self.roads = roads
  }

  /// Puts one row into `row`; false where its road is not among ``roads``.
  mutating func decode(
    _ cells: [CSVWalker.Cell], of walker: borrowing CSVWalker, into row: inout MarkerRow
  ) throws(MarkerRow.Fault) -> Bool {
    guard cells.count == columns.count else {
      throw countFault(cells.count, isUnended: walker.isUnended)
    }
    row.isPin = try isPin(cells, of: walker)
    row.name = try text(columns.name, .name, cells, walker)
    if row.isPin {
      if row.name == nil { throw MarkerRow.Fault(reason: "name: is empty (a pin needs a name)") }
    } else {
      guard try decodeMilepost(cells, of: walker, into: &row) else { return false }
    }
    row.coordinate = try coordinate(cells, of: walker)
    row.radius = try radius(cells, of: walker)
    return true
  }

  private mutating func decodeMilepost(
    _ cells: [CSVWalker.Cell], of walker: borrowing CSVWalker, into row: inout MarkerRow
  ) throws(MarkerRow.Fault) -> Bool {
    if try road.update(from: cells[columns.road], in: walker, column: .road) {
      row.road = road.value ?? ""
      row.lineChanges += 1
    }
    guard road.value != nil else {
      throw MarkerRow.Fault(reason: "road: is empty (write the road's name)")
    }
    guard roads.isEmpty || roads.contains(row.road) else { return false }
    row.mileage = try mileage(cells, of: walker)
    if let column = columns.section,
      try section.update(from: cells[column], in: walker, column: .section)
    {
      row.section = section.value
      row.lineChanges += 1
    }
    if let column = columns.carriageway,
      try carriageway.update(from: cells[column], in: walker, column: .carriageway)
    {
      row.carriageway = carriageway.value
      row.lineChanges += 1
    }
    if let column = columns.category,
      try category.update(from: cells[column], in: walker, column: .category)
    {
      row.category = category.value
      row.categoryChanges += 1
    }
    row.plate = try text(columns.plate, .plate, cells, walker)
    return true
  }

  private func countFault(_ count: Int, isUnended: Bool) -> MarkerRow.Fault {
    let mend =
      count > columns.count
      ? " (quote a cell that holds a comma)"
      : isUnended ? " and no line end: the file seems cut off" : ""
    let cells = count == 1 ? "1 cell" : "\(count) cells"
    return MarkerRow.Fault(reason: "has \(cells) where the header has \(columns.count)\(mend)")
  }

  private func isPin(_ cells: [CSVWalker.Cell], of walker: borrowing CSVWalker) throws(MarkerRow
    .Fault)
    -> Bool
  {
    guard let column = columns.kind else { return false }
    let kind = walker.text(cells[column]).lowercased()
    switch kind {
    case "", "milepost": return false
    case "pin": return true
    default:
      throw MarkerRow.Fault(reason: "kind: \"\(shown(kind))\" is unknown (use milepost or pin)")
    }
  }

  private func mileage(_ cells: [CSVWalker.Cell], of walker: borrowing CSVWalker) throws(MarkerRow
    .Fault)
    -> Mileage
  {
    let text = walker.trimmed(cells[columns.mileage])
    guard !text.isEmpty else {
      throw MarkerRow.Fault(reason: "mileage: is empty (use 15K+200, 15.2 or MP 26.00)")
    }
    do {
      return try mileages.parse(utf8: walker.bytes[text])
    } catch {
      let brief = MileageError(error.reason, text: shown(error.text))
      throw MarkerRow.Fault(reason: "mileage: \(brief)")
    }
  }

  private func text(
    _ column: Int?, _ name: MarkerColumns.Name, _ cells: [CSVWalker.Cell],
    _ walker: borrowing CSVWalker
  ) throws(MarkerRow.Fault) -> String? {
    guard let column, !cells[column].range.isEmpty else { return nil }
    return try checked(cells[column], in: walker, column: name)
  }
}

extension MarkerRowDecoder {
  private func coordinate(_ cells: [CSVWalker.Cell], of walker: borrowing CSVWalker)
    throws(MarkerRow.Fault) -> Coordinate
  {
    let latitude = try degrees(cells[columns.latitude], of: walker, column: .latitude)
    let longitude = try degrees(cells[columns.longitude], of: walker, column: .longitude)
    if abs(latitude) > 90 {
      let isSwapped = abs(latitude) <= 180 && abs(longitude) <= 90
      throw MarkerRow.Fault(
        reason: "latitude: \(latitude) is out of range "
          + (isSwapped
            ? "(latitude and longitude look swapped)" : "(use -90 to 90)"))
    }
    guard abs(longitude) <= 180 else {
      throw MarkerRow.Fault(reason: "longitude: \(longitude) is out of range (use -180 to 180)")
    }
    guard latitude != 0 || longitude != 0 else {
      throw MarkerRow.Fault(reason: "latitude and longitude are both 0, which is no known place")
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private func degrees(
    _ cell: CSVWalker.Cell, of walker: borrowing CSVWalker, column: MarkerColumns.Name
  ) throws(MarkerRow.Fault) -> Double {
    let text = walker.trimmed(cell)
    guard let value = DecimalNumber.parse(walker.bytes.span.extracting(text)) else {
      let found = text.isEmpty ? "is empty" : "\"\(shown(walker.text(cell)))\" is not a number"
      throw MarkerRow.Fault(reason: "\(column): \(found) (use decimal degrees, 24.8581)")
    }
    return value
  }

  /// `80m`, `80`, `0.5km`.
  private func radius(_ cells: [CSVWalker.Cell], of walker: borrowing CSVWalker) throws(MarkerRow
    .Fault)
    -> Metres?
  {
    guard let column = columns.radius else { return nil }
    let text = walker.trimmed(cells[column])
    guard !text.isEmpty else { return nil }
    let bytes = walker.bytes.span
    var end = text.upperBound
    var factor = 1.0
    if bytes[end - 1] == UInt8(ascii: "m") {
      end -= 1
      if end > text.lowerBound, bytes[end - 1] == UInt8(ascii: "k") {
        end -= 1
        factor = 1_000
      }
    }
    while end > text.lowerBound, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    guard let value = DecimalNumber.parse(bytes.extracting(text.lowerBound..<end)) else {
      let found = shown(walker.text(cells[column]))
      throw MarkerRow.Fault(reason: "radius: \"\(found)\" is not a distance (use 80m)")
    }
    let metres = value * factor
    guard Geofence.radii.contains(metres) else {
      throw MarkerRow.Fault(
        reason: "radius: \"\(shown(walker.text(cells[column])))\" is out of range (use 1m to 100km)"
      )
    }
    return metres
  }
}

/// The text that a column had in the row before: mostly the same, and so made and checked once.
private struct RecentText {
  private var place = 0..<0
  private(set) var value: String?

  /// True where the text is another than before.
  mutating func update(
    from cell: CSVWalker.Cell, in walker: borrowing CSVWalker, column: MarkerColumns.Name
  ) throws(MarkerRow.Fault) -> Bool {
    let found = walker.trimmed(cell)
    if walker.isEqual(found, place) { return false }
    value = try checked(cell, in: walker, column: column)
    place = found
    return true
  }
}

/// Nil where the cell is empty.
private func checked(
  _ cell: CSVWalker.Cell, in walker: borrowing CSVWalker, column: MarkerColumns.Name
) throws(MarkerRow.Fault) -> String? {
  guard cell.range.count <= MarkerRow.textLimit else {
    throw MarkerRow.Fault(reason: "\(column): is longer than \(MarkerRow.textLimit) bytes")
  }
  let bytes = walker.bytes.span
  for index in walker.trimmed(cell) where bytes[index] < 0x20 || bytes[index] == 0x7F {
    throw MarkerRow.Fault(reason: "\(column): holds a line break or another control character")
  }
  let text = walker.text(cell)
  return text.isEmpty ? nil : text
}

/// A cell's text as an error shows it: short and on one line.
private func shown(_ text: String) -> String {
  let line = String(text.prefix(60).map { $0.isNewline || $0 < " " ? " " : $0 })
  return text.count > 60 ? line + "…" : line
}
