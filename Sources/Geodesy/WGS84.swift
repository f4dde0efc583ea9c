import Glibc

/// The ellipsoid of GPS. Source: NGA.STND.0036, table 3.1.
package enum WGS84 {
  /// Semi-major axis.
  package static let a: Metres = 6_378_137
  /// Flattening.
  package static let f = 1 / 298.257223563
  /// First eccentricity squared.
  package static let eccentricitySquared = f * (2 - f)
  /// The mean radius, (2a + b) / 3.
  package static let meanRadius: Metres = 6_371_008.8

  /// The chord that belongs to an arc of `length` along the ground, on a sphere of the mean radius.
  ///
  /// Against the geodesic on the ellipsoid: 4 nm off at 100 m, 12 µm at 10 km, 12 mm at 100 km.
  package static func chord(arc length: Metres) -> Metres {
    2 * meanRadius * sin(length / (2 * meanRadius))
  }

  /// The arc along the ground that belongs to a chord; the inverse of ``chord(arc:)``.
  package static func arc(chord: Metres) -> Metres {
    2 * meanRadius * asin(min(chord / (2 * meanRadius), 1))
  }
}
