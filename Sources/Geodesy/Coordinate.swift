/// A length in metres.
public typealias Metres = Double

/// A place on the WGS-84 ellipsoid, at height 0.
package struct Coordinate: Hashable, Sendable {
  /// Degrees north, -90 to 90.
  package var latitude: Double
  /// Degrees east, -180 to 180.
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// True where both numbers are finite and within ±90 and ±180.
  package var isValid: Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
  }
}
