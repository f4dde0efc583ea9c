import Geodesy
import Milepost

/// Writes mileposts as a marker file: UTF-8 CSV with the header of the marker format.
struct MarkerText {
  private(set) var bytes: [UInt8] = []

  static let header =
    "road,mileage,latitude,longitude,category,section,carriageway,name,radius,kind,plate\n"

  init() { bytes.append(contentsOf: Self.header.utf8) }

  /// Hands out what is written so far.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func append(_ entry: MilepostTable.Entry, in table: MilepostTable) {
    cell(table.roads[entry.road])
    cell(entry.isPin ? "" : entry.mileage.description)
    cell(decimalText(entry.place.latitude, places: 9))
    cell(decimalText(entry.place.longitude, places: 9))
    cell(table.texts[entry.category])
    cell(table.texts[entry.section])
    cell(table.texts[entry.carriageway])
    cell(table.texts[entry.name])
    cell(entry.radius > 0 ? decimalText(entry.radius, places: 3) + "m" : "")
    cell(entry.isPin ? "pin" : "")
    cell(table.texts[entry.plate])
    bytes[bytes.count - 1] = 10
  }

  private mutating func cell(_ text: String) {
    let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    if needsQuotes {
      bytes.append(0x22)
      for byte in text.utf8 {
        if byte == 0x22 { bytes.append(0x22) }
        bytes.append(byte)
      }
      bytes.append(0x22)
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(0x2C)
  }
}
