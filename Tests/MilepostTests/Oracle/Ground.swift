import CProj
import Geodesy
import Glibc

/// A point in Earth-centred, Earth-fixed metres: the oracle's own, apart from the engine's.
struct Vector {
  var x: Double
  var y: Double
  var z: Double

  static func - (a: Vector, b: Vector) -> Vector {
    Vector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }

  func moved(by part: Double, of direction: Vector) -> Vector {
    Vector(x: x + part * direction.x, y: y + part * direction.y, z: z + part * direction.z)
  }
}

/// The WGS-84 ellipsoid by PROJ's geodesics, and the way to ECEF and back by the textbook.
final class Ground {
  private static let semiMajorAxis: Metres = 6_378_137
  private static let flattening = 1 / 298.257223563
  private static let eccentricitySquared = flattening * (2 - flattening)
  private static let degree = Double.pi / 180

  private let geodesic: UnsafeMutablePointer<geod_geodesic>

  init() {
    geodesic = .allocate(capacity: 1)
    geodesic.initialize(to: geod_geodesic())
    geod_init(geodesic, Self.semiMajorAxis, Self.flattening)
  }

  deinit { geodesic.deallocate() }

  /// Metres along the geodesic (`geod_inverse`).
  func distance(_ a: Coordinate, _ b: Coordinate) -> Metres {
    var length = 0.0
    geod_inverse(geodesic, a.latitude, a.longitude, b.latitude, b.longitude, &length, nil, nil)
    return length
  }

  /// The place `length` metres from `start`, and the azimuth there (`geod_direct`).
  func destination(from start: Coordinate, azimuth: Double, length: Metres) -> (
    place: Coordinate, azimuth: Double
  ) {
    var latitude = 0.0
    var longitude = 0.0
    var arrival = 0.0
    geod_direct(
      geodesic, start.latitude, start.longitude, azimuth, length, &latitude, &longitude, &arrival)
    return (Coordinate(latitude: latitude, longitude: longitude), arrival)
  }

  /// The point on the ellipsoid at height 0.
  func vector(_ place: Coordinate) -> Vector {
    let latitude = place.latitude * Self.degree
    let longitude = place.longitude * Self.degree
    let curvature = radiusOfCurvature(sine: sin(latitude))
    return Vector(
      x: curvature * cos(latitude) * cos(longitude), y: curvature * cos(latitude) * sin(longitude),
      z: curvature * (1 - Self.eccentricitySquared) * sin(latitude))
  }

  /// The place under (or over) a point near the ground, its height dropped.
  ///
  /// tan φ = (z + e² N sin φ) / p, iterated; from a point millimetres off the ellipsoid each round
  /// leaves less than 1/100 of the error.
  func place(_ point: Vector) -> Coordinate {
    let fromAxis = (point.x * point.x + point.y * point.y).squareRoot()
    var latitude = atan2(point.z, fromAxis * (1 - Self.eccentricitySquared))
    for _ in 0..<8 {
      let sine = sin(latitude)
      let curvature = radiusOfCurvature(sine: sine)
      let next = atan2(point.z + Self.eccentricitySquared * curvature * sine, fromAxis)
      let change = abs(next - latitude)
      latitude = next
      if change < 1e-16 { break }
    }
    return Coordinate(
      latitude: latitude / Self.degree, longitude: atan2(point.y, point.x) / Self.degree)
  }

  private func radiusOfCurvature(sine: Double) -> Double {
    Self.semiMajorAxis / (1 - Self.eccentricitySquared * sine * sine).squareRoot()
  }
}
