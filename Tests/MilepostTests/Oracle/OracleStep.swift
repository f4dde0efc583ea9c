import Geodesy
import Milepost

/// The straight way from the anchor to an accepted fix, and when the vehicle was where on it.
struct OracleStep {
  /// An ignored fix.
  struct Ignored {
    var place: Coordinate
    var time: Timestamp
    /// Whole 64ths of the threshold from the anchor, at most 63; −1 is the anchor itself.
    var level: Int
  }

  let ground: Ground
  private let start: Vector
  private let direction: Vector
  private let began: Timestamp
  /// Part of the way, 0 to 1, and milliseconds after the anchor; in the order of time.
  private(set) var knots: [(part: Double, ms: Double)]

  /// From all the `ignored` fixes since the anchor, in order.
  init(
    ground: Ground, anchor: Coordinate, anchorTime: Timestamp, ignored: [Ignored],
    fix: Coordinate, fixTime: Timestamp
  ) {
    self.ground = ground
    start = ground.vector(anchor)
    direction = ground.vector(fix) - start
    began = anchorTime
    let lengthSquared = direction.dot(direction)
    knots = [(0, 0)]
    for kept in Self.thinned(ignored) {
      let along = (ground.vector(kept.place) - start).dot(direction) / lengthSquared
      knots.append((along, Double(kept.time.since(anchorTime))))
    }
    knots.append((1, Double(fixTime.since(anchorTime))))
  }

  /// Of the anchor and the ignored fixes, each one nearer to the anchor than all later ones, and the
  /// one right after each; without the anchor.
  static func thinned(_ ignored: [Ignored]) -> [Ignored] {
    ignored.indices.filter { index in
      let previous = index == 0 ? -1 : ignored[index - 1].level
      let previousIsNearest = ignored[index...].allSatisfy { previous < $0.level }
      let isNearest = ignored[(index + 1)...].allSatisfy { ignored[index].level < $0.level }
      return isNearest || previousIsNearest
    }.map { ignored[$0] }
  }

  /// Geodesic metres from `centre` to the ground under a point of the way.
  func distance(from centre: Coordinate, at part: Double) -> Metres {
    ground.distance(centre, ground.place(start.moved(by: part, of: direction)))
  }

  /// The point of the way nearest to `centre`, by ternary search: the distance falls, then rises.
  func nearest(to centre: Coordinate) -> (part: Double, distance: Metres) {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let (first, second) = (low + (high - low) / 3, high - (high - low) / 3)
      if distance(from: centre, at: first) < distance(from: centre, at: second) {
        high = second
      } else {
        low = first
      }
    }
    let part = (low + high) / 2
    return (part, distance(from: centre, at: part))
  }

  /// The part of the way within `bracket` where the distance to `centre` is `radius`, by bisection.
  func crossing(centre: Coordinate, radius: Metres, in bracket: ClosedRange<Double>) -> Double {
    var (low, high) = (bracket.lowerBound, bracket.upperBound)
    let lowIsInside = distance(from: centre, at: low) <= radius
    for _ in 0..<44 {
      let middle = (low + high) / 2
      if (distance(from: centre, at: middle) <= radius) == lowIsInside {
        low = middle
      } else {
        high = middle
      }
    }
    return (low + high) / 2
  }

  /// Milliseconds since 1970, unrounded: between the last knot at or before `part` and the next.
  func time(at part: Double) -> Double {
    Double(began.milliseconds) + sinceAnchor(part)
  }

  /// ``time(at:)``, rounded once.
  func timestamp(at part: Double) -> Timestamp {
    began.advanced(by: Int64(sinceAnchor(part).rounded(.toNearestOrAwayFromZero)))
  }

  /// The times that a crossing at `part` may have where the circle is off by `tie`.
  func range(centre: Coordinate, at part: Double, tie: Metres) -> ClosedRange<Double> {
    let (before, after) = (max(part - 1e-4, 0), min(part + 1e-4, 1))
    let change = abs(distance(from: centre, at: after) - distance(from: centre, at: before))
    let slope = max(change / (after - before), 1e-9)
    let times = (time(at: max(part - tie / slope, 0)), time(at: min(part + tie / slope, 1)))
    return min(times.0, times.1)...max(times.0, times.1)
  }

  private func sinceAnchor(_ part: Double) -> Double {
    guard let index = knots.lastIndex(where: { $0.part <= part }) else { return 0 }
    guard index + 1 < knots.count else { return knots[index].ms }
    let (knot, next) = (knots[index], knots[index + 1])
    return knot.ms + (part - knot.part) / (next.part - knot.part) * (next.ms - knot.ms)
  }
}
