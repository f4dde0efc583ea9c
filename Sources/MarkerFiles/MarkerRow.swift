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
  private var road = RecentText()
  private var category = RecentText()
  private var section = RecentText()
  private var carriageway = RecentText()

  init(columns: MarkerColumns, roads: Set<String>) {
    self.columns = columns
    self.roads = roads
  }

  /// Puts one row into `row`; false where its road is not among ``roads``.
  mutating func decode(_ walker: borrowing CSVWalker, into row: inout MarkerRow)
    throws(MarkerRow.Fault) -> Bool
  {
    guard walker.count == columns.count else {
      throw countFault(walker.count, isUnended: walker.isUnended)
    }
    row.isPin = try columns.isPin(in: walker)
    row.name = try columns.text(columns.name, .name, in: walker)
    if row.isPin {
      if row.name == nil { throw MarkerRow.Fault(reason: "name: is empty (a pin needs a name)") }
    } else {
      guard try decodeMilepost(walker, into: &row) else { return false }
    }
    row.coordinate = try columns.coordinate(in: walker)
    row.radius = try columns.radius(in: walker)
    return true
  }

  private mutating func decodeMilepost(
    _ walker: borrowing CSVWalker, into row: inout MarkerRow
  ) throws(MarkerRow.Fault) -> Bool {
    if try road.update(from: walker[columns.road], in: walker, column: .road) {
      row.road = road.value ?? ""
      row.lineChanges += 1
    }
    guard road.value != nil else {
      throw MarkerRow.Fault(reason: "road: is empty (write the road's name)")
    }
    guard roads.isEmpty || roads.contains(row.road) else { return false }
    row.mileage = try columns.mileage(in: walker)
    if let column = columns.section,
      try section.update(from: walker[column], in: walker, column: .section)
    {
      row.section = section.value
      row.lineChanges += 1
    }
    if let column = columns.carriageway,
      try carriageway.update(from: walker[column], in: walker, column: .carriageway)
    {
      row.carriageway = carriageway.value
      row.lineChanges += 1
    }
    if let column = columns.category,
      try category.update(from: walker[column], in: walker, column: .category)
    {
      row.category = category.value
      row.categoryChanges += 1
    }
    row.plate = try columns.text(columns.plate, .plate, in: walker)
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
    value = try walker.checkedText(cell, of: column)
    place = found
    return true
  }
}
