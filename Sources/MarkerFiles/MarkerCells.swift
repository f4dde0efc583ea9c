import Geodesy
import Milepost

/// The cells of the record that a walker read last, decoded; it has as many as the header.
extension MarkerColumns {
  func isPin(in walker: borrowing CSVWalker) throws(MarkerRow.Fault) -> Bool {
    guard let column = kind else { return false }
    let kind = walker.text(walker[column]).lowercased()
    switch kind {
    case "", "milepost": return false
    case "pin": return true
    default:
      throw MarkerRow.Fault(reason: "kind: \"\(shown(kind))\" is unknown (use milepost or pin)")
    }
  }

  func mileage(in walker: borrowing CSVWalker) throws(MarkerRow.Fault) -> Mileage {
    let text = walker.trimmed(walker[mileage])
    guard !text.isEmpty else {
      throw MarkerRow.Fault(reason: "mileage: is empty (use 15K+200, 15.2 or MP 26.00)")
    }
    do {
      return try MileageParser().parse(utf8: walker.bytes[text])
    } catch {
      let brief = MileageError(error.reason, text: shown(error.text))
      throw MarkerRow.Fault(reason: "mileage: \(brief)")
    }
  }

  /// Nil where there is no such column or the cell is empty.
  func text(_ column: Int?, _ name: Name, in walker: borrowing CSVWalker) throws(MarkerRow.Fault)
    -> String?
  {
    guard let column, !walker[column].range.isEmpty else { return nil }
    return try walker.checkedText(walker[column], of: name)
  }

  func coordinate(in walker: borrowing CSVWalker) throws(MarkerRow.Fault) -> Coordinate {
    let latitude = try degrees(walker[latitude], of: walker, column: .latitude)
    let longitude = try degrees(walker[longitude], of: walker, column: .longitude)
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
    _ cell: CSVWalker.Cell, of walker: borrowing CSVWalker, column: Name
  ) throws(MarkerRow.Fault) -> Double {
    let text = walker.trimmed(cell)
    guard let value = DecimalNumber.parse(walker.bytes.span.extracting(text)) else {
      let found = text.isEmpty ? "is empty" : "\"\(shown(walker.text(cell)))\" is not a number"
      throw MarkerRow.Fault(reason: "\(column): \(found) (use decimal degrees, 24.8581)")
    }
    return value
  }

  /// `80m`, `80`, `0.5km`.
  func radius(in walker: borrowing CSVWalker) throws(MarkerRow.Fault) -> Metres? {
    guard let column = radius else { return nil }
    let text = walker.trimmed(walker[column])
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
      let found = shown(walker.text(walker[column]))
      throw MarkerRow.Fault(reason: "radius: \"\(found)\" is not a distance (use 80m)")
    }
    let metres = value * factor
    guard Geofence.radii.contains(metres) else {
      throw MarkerRow.Fault(
        reason:
          "radius: \"\(shown(walker.text(walker[column])))\" is out of range (use 1m to 100km)"
      )
    }
    return metres
  }
}

extension CSVWalker {
  /// Nil where the cell is empty.
  func checkedText(_ cell: Cell, of column: MarkerColumns.Name) throws(MarkerRow.Fault) -> String? {
    guard cell.range.count <= MarkerRow.textLimit else {
      throw MarkerRow.Fault(reason: "\(column): is longer than \(MarkerRow.textLimit) bytes")
    }
    guard !ControlCharacter.isIn(bytes.span.extracting(trimmed(cell))) else {
      throw MarkerRow.Fault(reason: "\(column): holds a line break or another control character")
    }
    let text = text(cell)
    return text.isEmpty ? nil : text
  }
}

/// A cell's text as an error shows it: short and on one line.
private func shown(_ text: String) -> String {
  let first = Array(String(text.prefix(60)).utf8)
  let line = String(decoding: ControlCharacter.blanked(first.span), as: UTF8.self)
  return text.count > 60 ? line + "…" : line
}
