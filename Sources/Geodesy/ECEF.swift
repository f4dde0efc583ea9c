import Glibc

/// A point, or the difference of two, in Earth-centred, Earth-fixed coordinates (EPSG:4978), metres.
///
/// Public because package functions are not inlined into other modules (Swift 6.3), which took a fifth
/// of the time of a step.
public struct ECEF: Equatable, Sendable {
  /// Towards 0° N 0° E.
  public var x: Double
  /// Towards 0° N 90° E.
  public var y: Double
  /// Towards the north pole.
  public var z: Double

  /// A point by its three coordinates.
  @inlinable
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// From `b` to `a`.
  @inlinable @inline(__always)
  public static func - (a: ECEF, b: ECEF) -> ECEF {
    ECEF(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  /// The sum by coordinates.
  @inlinable @inline(__always)
  public static func + (a: ECEF, b: ECEF) -> ECEF {
    ECEF(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }

  /// Longer by a factor.
  @inlinable @inline(__always)
  public static func * (factor: Double, a: ECEF) -> ECEF {
    ECEF(x: factor * a.x, y: factor * a.y, z: factor * a.z)
  }

  /// The scalar product.
  @inlinable @inline(__always)
  public func dot(_ other: ECEF) -> Double { x * other.x + y * other.y + z * other.z }

  /// The squared distance from the origin.
  @inlinable @inline(__always)
  public var lengthSquared: Double { dot(self) }

  /// The square of ``distance(to:)``, which costs no root.
  @inlinable @inline(__always)
  public func distanceSquared(to other: ECEF) -> Double { (self - other).lengthSquared }

  /// The straight distance through the Earth: the chord.
  @inlinable @inline(__always)
  public func distance(to other: ECEF) -> Metres { distanceSquared(to: other).squareRoot() }
}

extension ECEF {
  /// The point on the WGS-84 ellipsoid at height 0.
  ///
  /// Source: EPSG Guidance Note 7-2, section 4.1.1 (geographic to geocentric), h = 0.
  package init(_ place: Coordinate) {
    let (sinLatitude, cosLatitude) = sineAndCosine(degrees: place.latitude)
    let (sinLongitude, cosLongitude) = sineAndCosine(degrees: place.longitude)
    let normal =
      WGS84.a / (1 - WGS84.eccentricitySquared * sinLatitude * sinLatitude).squareRoot()
    self.init(
      x: normal * cosLatitude * cosLongitude,
      y: normal * cosLatitude * sinLongitude,
      z: normal * (1 - WGS84.eccentricitySquared) * sinLatitude)
  }

  /// Degrees north of a point that is at most a few metres off the ellipsoid.
  ///
  /// tan(latitude) = z / ((1 - e²) p) holds on the ellipsoid.
  package var latitude: Double {
    atan2(z, (1 - WGS84.eccentricitySquared) * hypot(x, y)) * 180 / .pi
  }
}
