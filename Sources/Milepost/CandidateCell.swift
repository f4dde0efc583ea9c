import Geodesy

/// The candidates of the cube that the vehicle is in, side by side so that four are tested at once.
///
/// Nine of ten steps begin in the cube of the step before: for them no index is looked at.
final class CandidateCell {
  /// More candidates than this take the general path.
  static let capacity = 64
  private static let groups = capacity / 4

  /// Centres and squared chords of four fences.
  private struct Group {
    var x: SIMD4<Double>
    var y: SIMD4<Double>
    var z: SIMD4<Double>
    var radiusSquared: SIMD4<Double>

    func circle(_ lane: Int) -> FenceIndex.Circle {
      FenceIndex.Circle(
        centre: ECEF(x: x[lane], y: y[lane], z: z[lane]), radiusSquared: radiusSquared[lane])
    }
  }

  private let groups: UnsafeMutablePointer<Group>
  private let ids: UnsafeMutablePointer<Int32>
  private var count = 0
  /// The cube's lowest corner and size; no point lies in it at first.
  private var low = ECEF(x: .nan, y: .nan, z: .nan)
  private var size: Metres = 0
  /// True where the cube holds more than ``capacity`` candidates.
  private(set) var overflows = false

  init() {
    groups = .allocate(capacity: Self.groups)
    ids = .allocate(capacity: Self.capacity)
  }

  deinit {
    groups.deallocate()
    ids.deallocate()
  }

  /// Forgets the cube; for an index that is another.
  func clear() {
    low.x = .nan
    count = 0
  }

  /// True where the row of the start's cube holds every fence that the segment can meet, and fits.
  func covers(_ segment: Segment, index: FenceIndex) -> Bool {
    if !contains(segment.start) {
      guard let level = index.levels.first else { return true }
      load(Cube(holding: segment.start, level: level), at: segment.start, from: index)
    }
    guard !overflows else { return false }
    return distanceSquared(to: segment.end) <= FenceIndex.margin * FenceIndex.margin
  }

  @inline(__always)
  private func contains(_ point: ECEF) -> Bool {
    let offset = point - low
    return offset.x >= 0 && offset.y >= 0 && offset.z >= 0
      && offset.x < size && offset.y < size && offset.z < size
  }

  /// The squared distance from a point to the nearest of the cube; 0 within it.
  @inline(__always)
  private func distanceSquared(to point: ECEF) -> Double {
    let offset = point - low
    let beyond = ECEF(
      x: offset.x - min(max(offset.x, 0), size), y: offset.y - min(max(offset.y, 0), size),
      z: offset.z - min(max(offset.z, 0), size))
    return beyond.lengthSquared
  }

  private func load(_ cube: Cube, at point: ECEF, from index: FenceIndex) {
    (low, size) = (cube.low, cube.level.size)
    count = 0
    overflows = false
    for level in index.levels {
      for id in index.row(of: Cube(holding: point, level: level)) {
        guard count < Self.capacity else {
          overflows = true
          return
        }
        ids[count] = id
        count += 1
      }
    }
    for place in 0..<(count + 3) / 4 {
      var group = Group(x: .zero, y: .zero, z: .zero, radiusSquared: SIMD4(repeating: -1))
      for lane in 0..<min(4, count - 4 * place) {
        let circle = index.circle(ids[4 * place + lane])
        group.x[lane] = circle.centre.x
        group.y[lane] = circle.centre.y
        group.z[lane] = circle.centre.z
        group.radiusSquared[lane] = circle.radiusSquared
      }
      groups[place] = group
    }
  }

  /// Calls `body` with each candidate that the segment reaches, and perhaps with some that it
  /// misses by less than rounding.
  func forEachReached(by segment: Segment, _ body: (Int32, FenceIndex.Circle) -> Void) {
    let inverse = segment.lengthSquared > 0 ? 1 / segment.lengthSquared : 0
    let (start, direction) = (segment.start, segment.direction)
    for place in 0..<(count + 3) / 4 {
      let group = groups[place]
      let x = group.x - start.x
      let y = group.y - start.y
      let z = group.z - start.z
      let along = (x * direction.x + y * direction.y + z * direction.z) * inverse
      let foot = along.replacing(with: 0, where: along .< 0).replacing(with: 1, where: along .> 1)
      let missX = x - foot * direction.x
      let missY = y - foot * direction.y
      let missZ = z - foot * direction.z
      let missSquared = missX * missX + missY * missY + missZ * missZ
      let reached = missSquared .<= group.radiusSquared + FenceIndex.slack
      guard any(reached) else { continue }
      for lane in 0..<4 where reached[lane] && 4 * place + lane < count {
        body(ids[4 * place + lane], group.circle(lane))
      }
    }
  }
}
