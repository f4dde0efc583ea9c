internal import Geodesy
package import Milepost

extension EventStore {
  /// Of ``Event/json``, what a geofence is made of; SQLite takes JSON apart by itself.
  private static let lastEnter =
    "SELECT "
    + [
      "fence.id", "fence.kind", "fence.latitude", "fence.longitude", "fence.radius_m",
      "milepost.road", "milepost.mileage", "milepost.section", "milepost.carriageway",
      "milepost.category", "milepost.name", "milepost.plate",
    ].map { "json_extract(json, '$.\($0)')" }.joined(separator: ", ")
    + " FROM (SELECT json FROM events WHERE fence = ? AND kind = 'enter'"
    + " ORDER BY number DESC LIMIT 1) WHERE json_valid(json)"

  /// The geofence as it was when it was last entered; nil where no such event is stored.
  package func lastEntered(_ fenceID: String, now: Int64) -> Geofence? {
    var fence: Geofence?
    _ = reading(now: now) { database throws(DatabaseError) in
      try database.query(Self.lastEnter, [.text(fenceID)]) {
        fence = Geofence(lastEnter: $0)
        return false
      }
    }
    return fence
  }
}

extension Geofence {
  /// Nil where the event's JSON tells of no geofence.
  fileprivate init?(lastEnter row: Statement.Row) {
    guard let id = row.optionalText(0), let kind = row.optionalText(1),
      let latitude = row.number(2), let longitude = row.number(3), let radius = row.number(4)
    else { return nil }
    let place = Coordinate(latitude: latitude, longitude: longitude)
    guard place.isValid, Geofence.radii.contains(radius) else { return nil }
    self.init(
      id: id, kind: kind, centre: place, radius: radius, milepost: Milepost(lastEnter: row))
  }
}

extension Milepost {
  fileprivate init?(lastEnter row: Statement.Row) {
    guard let road = row.optionalText(5),
      let mileage = row.optionalText(6).flatMap({ try? MileageParser().parse($0) })
    else { return nil }
    self.init(
      road: road, mileage: mileage, section: row.optionalText(7),
      carriageway: row.optionalText(8), category: row.optionalText(9), name: row.optionalText(10),
      plate: row.optionalText(11))
  }
}
