package import Geodesy

/// What lies between the last accepted fix and the next: what the tracker judges.
package enum Step: Sendable {
  /// The first fix of all: nothing lies before it.
  case first
  /// From the anchor, with all that came between.
  case anchor(ECEF, Trail)
  /// After a stretch of which nothing is known; milliseconds since the last usable fix, nil where
  /// the times on either side cannot be compared.
  case gap(milliseconds: Int64?)
}

/// Ignores every fix that is not more than the threshold away from the last accepted one.
package struct JitterFilter: Sendable {
  /// Added to the threshold, so that rounding does not decide: exactly 15 m is ignored.
  static let allowance: Metres = 0.0005

  package struct Anchor: Sendable {
    package var point: ECEF
    package var time: Timestamp
  }

  /// 0 accepts every fix that moved at all.
  package private(set) var threshold: Metres
  package private(set) var anchor: Anchor?
  private var trail: Trail?

  package init(threshold: Metres = 15) { self.threshold = threshold }

  /// The step that ends at this fix; nil where the fix is ignored.
  package mutating func observe(_ fix: UsableFix) -> Step? {
    guard let anchor else {
      place(at: fix)
      return .first
    }
    let limit = threshold + Self.allowance
    guard fix.point.distanceSquared(to: anchor.point) > limit * limit else {
      ignore(fix, anchor: anchor)
      return nil
    }
    let trail = trail ?? Trail(anchor: Trail.Knot(point: anchor.point, time: anchor.time))
    place(at: fix)
    switch fix.continuity {
    case .continuous: return .anchor(anchor.point, trail)
    case .gap(let milliseconds): return .gap(milliseconds: milliseconds)
    case .newTimeline: return .gap(milliseconds: nil)
    }
  }

  /// The anchor keeps its place and takes another time, the trail starts anew: the vehicle stood
  /// there at that time, and nothing before it counts.
  package mutating func restart(at time: Timestamp) {
    anchor?.time = time
    trail = nil
  }

  /// Another threshold judges from the anchor that is.
  package mutating func setThreshold(_ threshold: Metres) {
    if threshold != self.threshold { trail = nil }
    self.threshold = threshold
  }

  private mutating func place(at fix: UsableFix) {
    anchor = Anchor(point: fix.point, time: fix.time)
    trail = nil
  }

  private mutating func ignore(_ fix: UsableFix, anchor: Anchor) {
    guard fix.continuity == .continuous else { return restart(at: fix.time) }
    if trail == nil {
      trail = Trail(anchor: Trail.Knot(point: anchor.point, time: anchor.time))
    }
    trail?.append(
      Trail.Knot(point: fix.point, time: fix.time), threshold: max(threshold, Self.allowance))
  }
}
