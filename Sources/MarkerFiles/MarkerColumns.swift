/// Which cell of a row holds what, as the header says.
///
/// A class, since its hundred and fifty bytes were copied several times a row.
final class MarkerColumns: Sendable {
  enum Name: String, CaseIterable {
    case road, mileage, latitude, longitude
    case category, section, carriageway, name, radius, kind, plate

    static let required: [Name] = [.road, .mileage, .latitude, .longitude]
  }

  /// Why a header cannot be used.
  struct Fault: Error {
    var reason: String
  }

  /// How many cells the header has, and so each row.
  let count: Int
  let road: Int
  let mileage: Int
  let latitude: Int
  let longitude: Int
  let category: Int?
  let section: Int?
  let carriageway: Int?
  let name: Int?
  let radius: Int?
  let kind: Int?
  let plate: Int?

  /// Finds the columns by name in any order and case; others are allowed and not read.
  init(header: [String]) throws(Fault) {
    var places: [Name: Int] = [:]
    for (index, title) in header.enumerated() {
      guard let name = Name(rawValue: title.lowercased()) else { continue }
      guard places.updateValue(index, forKey: name) == nil else {
        throw Fault(reason: "column \(name) occurs twice (rename or remove one)")
      }
    }
    guard let road = places[.road], let mileage = places[.mileage],
      let latitude = places[.latitude], let longitude = places[.longitude]
    else { throw Self.missing(found: header, places: places) }
    count = header.count
    (self.road, self.mileage) = (road, mileage)
    (self.latitude, self.longitude) = (latitude, longitude)
    category = places[.category]
    section = places[.section]
    carriageway = places[.carriageway]
    name = places[.name]
    radius = places[.radius]
    kind = places[.kind]
    plate = places[.plate]
  }

  private static func missing(found header: [String], places: [Name: Int]) -> Fault {
    let missing = Name.required.filter { places[$0] == nil }.map(\.rawValue)
    let found = header.prefix(40).map { $0.isEmpty ? "\"\"" : String($0.prefix(80)) }
    var reason =
      "\(missing.count == 1 ? "column" : "columns") \(missing.joined(separator: ", ")) "
      + "missing; the header has \(found.joined(separator: ", "))"
    if header.count == 1, header[0].contains(where: { $0 == ";" || $0 == "\t" }) {
      reason += " (separate columns by commas)"
    }
    return Fault(reason: reason)
  }
}
