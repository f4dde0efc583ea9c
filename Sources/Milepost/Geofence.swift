package import Geodesy

/// A circle on the ground: centre, radius, stable id.
package struct Geofence: Hashable, Sendable {
  /// 1 m to 100 km.
  package static let radii: ClosedRange<Metres> = 1...100_000

  /// Unique among the fences loaded together, and the same after every restart.
  package var id: String
  /// `milepost`, or `pin` for a place of the user's own.
  package var kind: String
  package var centre: Coordinate
  /// Along the ground, within ``radii``.
  package var radius: Metres
  /// Nil for a pin.
  package var milepost: Milepost?

  package init(
    id: String, kind: String = "milepost", centre: Coordinate, radius: Metres,
    milepost: Milepost? = nil
  ) {
    self.id = id
    self.kind = kind
    self.centre = centre
    self.radius = radius
    self.milepost = milepost
  }
}

extension Geofence {
  /// How people call the place: `國道5號 15K+200`, or the id of a pin.
  package var placeName: String { milepost.map { "\($0.road) \($0.mileage)" } ?? id }
}
