import CProj
package import Geodesy

/// PROJ's geodesic on the WGS-84 ellipsoid (Karney 2013): the source of truth for distances.
package enum Geodesic {
  private static let ellipsoid: geod_geodesic = {
    var ellipsoid = geod_geodesic()
    geod_init(&ellipsoid, 6_378_137, 1 / 298.257223563)
    return ellipsoid
  }()

  /// The place `distance` metres away from `start` in a direction, degrees from north.
  package static func destination(
    from start: Coordinate, azimuth: Double, distance: Metres
  ) -> Coordinate {
    var ellipsoid = ellipsoid
    var place = Coordinate(latitude: 0, longitude: 0)
    geod_direct(
      &ellipsoid, start.latitude, start.longitude, azimuth, distance, &place.latitude,
      &place.longitude, nil)
    return place
  }

  /// Along the ground, to nanometres.
  package static func distance(_ a: Coordinate, _ b: Coordinate) -> Metres {
    var ellipsoid = ellipsoid
    var distance = 0.0
    geod_inverse(
      &ellipsoid, a.latitude, a.longitude, b.latitude, b.longitude, &distance, nil, nil)
    return distance
  }
}
