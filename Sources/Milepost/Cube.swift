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

  /// Calls `body` with the cubes of the reach's level that come as near to the point as it reaches.
  @inline(__always)
  static func forEach(around point: ECEF, _ reach: Reach, _ body: (Cube) -> Void) {
    let corner = ECEF(x: reach.distance, y: reach.distance, z: reach.distance)
    let low = Cube(holding: point - corner, level: reach.level)
    let high = Cube(holding: point + corner, level: reach.level)
    for x in low.x...high.x {
      let left = reach.squared - reach.level.beyondSquared(point.x, x)
      for y in low.y...high.y {
        let left = left - reach.level.beyondSquared(point.y, y)
        for z in low.z...high.z where reach.level.beyondSquared(point.z, z) <= left {
          body(Cube(reach.level, x, y, z))
        }
      }
    }
  }

  /// How near to a fence's centre a cube stands whose row holds the fence, and in which grid.
  struct Reach {
    let level: Level
    let distance: Metres
    let squared: Double

    /// Of a circle of that chord: no further than the margin beyond it.
    init(chord: Metres) {
      level = Level(holding: chord)
      distance = chord + FenceIndex.margin + FenceIndex.slack
      squared = distance * distance
    }
  }
}

extension Cube.Level {
  /// The squared distance from a coordinate to the cubes of that number along its axis.
  @inline(__always)
  fileprivate func beyondSquared(_ value: Double, _ number: Int32) -> Double {
    let low = Double(number) * size
    let beyond = value < low ? low - value : value > low + size ? value - (low + size) : 0
    return beyond * beyond
  }
}
