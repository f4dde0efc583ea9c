package import Geodesy

/// The anchor and the ignored fixes since, thinned: they tell when a fence was crossed, never
/// whether.
///
/// Kept is each fix nearer to the anchor than all later ones, and the fix right after each: the
/// fixes between which a vehicle finally left a distance behind. Distances count in whole 64ths of
/// the jitter threshold, the anchor as -1, so at most 128 fixes are kept however long the stop.
package struct Trail: Sendable {
  /// A place and the time at which the vehicle was there.
  package struct Knot: Equatable, Sendable {
    package var point: ECEF
    package var time: Timestamp

    package init(point: ECEF, time: Timestamp) {
      self.point = point
      self.time = time
    }
  }

  private struct Entry {
    /// -1 for the anchor, else 0 to 63; strictly rising from entry to entry.
    var nearness: Int
    var knot: Knot
    /// The fix right after, where one came.
    var next: Knot?
  }

  private static let steps = 64
  private let anchor: Knot
  private var entries: [Entry] = []
  private var afterAnchor: Knot?

  package init(anchor: Knot) { self.anchor = anchor }

  package var isEmpty: Bool { entries.isEmpty }

  /// Takes an ignored fix. `threshold` is the jitter threshold, above 0.
  mutating func append(_ knot: Knot, threshold: Metres) {
    if entries.isEmpty {
      afterAnchor = knot
    } else {
      entries[entries.count - 1].next = knot
    }
    let distance = knot.point.distance(to: anchor.point)
    let nearness = min(Int(distance / threshold * Double(Self.steps)), Self.steps - 1)
    while let last = entries.last, last.nearness >= nearness { entries.removeLast() }
    entries.append(Entry(nearness: nearness, knot: knot, next: nil))
  }

  /// When the vehicle was at `fraction` of the step to `end`, by the knots of the trail: the last
  /// at or before it, and the next. A knot behind the anchor counts as behind, not as at the anchor:
  /// between it and the next the vehicle moved evenly. A whole millisecond, rounded once, halves away from zero.
  package func time(at fraction: Double, of segment: Segment, end: Timestamp) -> Timestamp {
    var before = (fraction: 0.0, time: anchor.time)
    var after: (fraction: Double, time: Timestamp)?
    var beforeIsLatest = true

    func see(_ place: Double, _ time: Timestamp) {
      if place <= fraction {
        before = (place, time)
        beforeIsLatest = true
      } else if beforeIsLatest {
        after = (place, time)
        beforeIsLatest = false
      }
    }

    if let afterAnchor { see(segment.projection(of: afterAnchor.point), afterAnchor.time) }
    for entry in entries {
      see(segment.projection(of: entry.knot.point), entry.knot.time)
      if let next = entry.next { see(segment.projection(of: next.point), next.time) }
    }
    see(1, end)
    guard !beforeIsLatest, let after else { return before.time }
    let share = (fraction - before.fraction) / (after.fraction - before.fraction)
    let elapsed = (Double(after.time.since(before.time)) * share).rounded()
    return before.time.advanced(by: Int64(elapsed))
  }
}
