import Geodesy

/// A cube of one of the index's grids.
struct Cube {
  /// A grid: cubes of 512 m doubled `rawValue` times, up to 262 km for the largest radius.
  struct Level: Hashable, Comparable, Sendable {
    static let finest: Metres = 512

    let rawValue: Int32
    let size: Metres
    let inverse: Double

    init(_ rawValue: Int32) {
      self.rawValue = rawValue
      size = Self.finest * Double(Int64(1) << Int64(rawValue))
      inverse = 1 / size
    }

    /// The finest level at which a sphere is no wider than a cube.
    init(holding radius: Metres) {
      var level: Int32 = 0
      while Self.finest * Double(Int64(1) << Int64(level)) < 2 * radius && level < 9 { level += 1 }
      self.init(level)
    }

    static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  let level: Level
  let x: Int32
  let y: Int32
  let z: Int32

  /// The point lies on the ellipsoid, so that 20 bits hold each index.
  @inline(__always)
  init(holding point: ECEF, level: Level) {
    self.level = level
    x = Self.floor(point.x * level.inverse)
    y = Self.floor(point.y * level.inverse)
    z = Self.floor(point.z * level.inverse)
  }

  /// Without a call of libm, which `rounded` is where the processor may lack the instruction.
  @inline(__always)
  private static func floor(_ value: Double) -> Int32 {
    let truncated = Int32(value)
    return value < Double(truncated) ? truncated - 1 : truncated
  }

  private init(_ level: Level, _ x: Int32, _ y: Int32, _ z: Int32) {
    self.level = level
    self.x = x
    self.y = y
    self.z = z
  }

  /// Unlike that of every other cube of every level.
  @inline(__always)
  var key: UInt64 {
    func bits(_ index: Int32) -> UInt64 { UInt64(truncatingIfNeeded: index) & 0xF_FFFF }
    return UInt64(truncatingIfNeeded: level.rawValue) << 60 | bits(x) << 40 | bits(y) << 20
      | bits(z)
  }

  var low: ECEF {
    ECEF(x: Double(x) * level.size, y: Double(y) * level.size, z: Double(z) * level.size)
  }

  /// The squared distance from a point to the nearest of the cube; 0 within it.
  func distanceSquared(to point: ECEF) -> Double {
    let low = low
    func beyond(_ value: Double, _ low: Double) -> Double {
      max(low - value, value - (low + level.size), 0)
    }
    let x = beyond(point.x, low.x)
    let y = beyond(point.y, low.y)
    let z = beyond(point.z, low.z)
    return x * x + y * y + z * z
  }

  /// The cubes of the circle's level from which it is no further than the margin beyond its radius.
  static func forEach(meeting circle: FenceIndex.Circle, _ body: (Cube) -> Void) {
    let radius = circle.radiusSquared.squareRoot()
    let level = Level(holding: radius)
    let reach = radius + FenceIndex.margin + FenceIndex.slack
    let corner = ECEF(x: reach, y: reach, z: reach)
    let low = Cube(holding: circle.centre - corner, level: level)
    let high = Cube(holding: circle.centre + corner, level: level)
    for x in low.x...high.x {
      for y in low.y...high.y {
        for z in low.z...high.z {
          let cube = Cube(level, x, y, z)
          if cube.distanceSquared(to: circle.centre) <= reach * reach { body(cube) }
        }
      }
    }
  }
}
