internal import FoundationEssentials
internal import Geodesy
package import Milepost

extension EventStore {
  /// The geofence as it was when it was last entered; nil where no such event is stored.
  package func lastEntered(_ fenceID: String, now: Int64) -> Geofence? {
    var json: [UInt8]?
    _ = reading(now: now) { database throws(DatabaseError) in
      try database.query(
        "SELECT json FROM events WHERE fence = ? AND kind = 'enter' ORDER BY number DESC LIMIT 1",
        [.text(fenceID)]
      ) {
        json = $0.bytes(0)
        return false
      }
    }
    return json.flatMap { Geofence(eventJSON: $0) }
  }
}

extension Geofence {
  /// The geofence that an event's JSON line tells of; nil where it tells of none.
  init?(eventJSON: [UInt8]) {
    guard let event = try? JSONDecoder().decode(WrittenEvent.self, from: Data(eventJSON)) else {
      return nil
    }
    let fence = event.fence
    let place = Coordinate(latitude: fence.latitude, longitude: fence.longitude)
    guard place.isValid, Geofence.radii.contains(fence.radius_m) else { return nil }
    self.init(
      id: fence.id, kind: fence.kind, centre: place, radius: fence.radius_m,
      milepost: event.milepost.flatMap { $0.milepost })
  }
}

/// Of ``Event/json``, what a geofence is made of.
private struct WrittenEvent: Decodable {
  struct Fence: Decodable {
    var id: String
    var kind: String
    var latitude: Double
    var longitude: Double
    var radius_m: Double
  }

  struct WrittenMilepost: Decodable {
    var road: String
    var mileage: String
    var section: String?
    var carriageway: String?
    var category: String?
    var name: String?
    var plate: String?

    var milepost: Milepost? {
      guard let mileage = try? MileageParser().parse(mileage) else { return nil }
      return Milepost(
        road: road, mileage: mileage, section: section, carriageway: carriageway,
        category: category, name: name, plate: plate)
    }
  }

  var fence: Fence
  var milepost: WrittenMilepost?
}
