package import Geodesy

/// Judges each step against every fence that it can meet and every one held.
///
/// The held set is state, never recomputed: a fence not held is held once a step ends inside it; a
/// held one is left once a step ends further away than its radius and the exit margin.
package struct GeofenceTracker: ~Copyable {
  /// How the tracker came by the held set that it begins with.
  package enum Start: Sendable {
    /// Nothing is known: fences round the first fix are entered, cause ``Cause/initial``.
    case firstRun
    /// Held fences by id, each with the time of its enter where that can be compared, as stored
    /// with the last fix's time.
    case restored([String: Timestamp?], lastFix: FixTime?)
  }

  package private(set) var fences: FenceSet
  package private(set) var exitMargin: Metres
  private var held: HeldFences
  private var start: Start?
  /// Fences of which only the end state counts at the next accepted fix.
  private var unsettled: [Int32: Cause] = [:]
  private var restartGap: Int64?
  private let cell = CandidateCell()
  /// What the step at hand has made; its room is used again.
  private var found: [Finding] = []

  package init(fences: FenceSet, exitMargin: Metres = 0, start: Start = .firstRun) {
    self.fences = fences
    self.exitMargin = exitMargin
    self.start = start
    held = HeldFences(capacity: fences.fences.count)
    guard case .restored(let ids, _) = start else { return }
    let numbers = fences.numbers(of: ids.keys)
    for (id, since) in ids.sorted(by: { $0.key < $1.key }) {
      if let number = numbers[id] {
        held.insert(number, fences.index.circle(number), since: since)
      }
    }
  }

  /// The held fences by id, with the time of entering where it can be compared.
  package var heldFences: [(id: String, since: Timestamp?)] {
    held.entries.map { (fences[$0.fence].id, $0.since) }
  }

  package var heldCount: Int { held.entries.count }

  /// Durations over a new timeline cannot be told.
  package mutating func forgetTimes() { held.forgetTimes() }

  /// The transitions of the step that ends at `fix`, in order.
  package mutating func observe(_ step: Step, to fix: UsableFix) -> [Transition] {
    found.removeAll(keepingCapacity: true)
    switch step {
    case .first: judgeFirst(fix)
    case .gap(let gap): judgeEnd(fix, enter: .gap, exit: .gap, gap: gap)
    case .anchor(let anchor, let trail): judgeStep(from: anchor, trail, to: fix)
    }
    guard !found.isEmpty else { return [] }
    if found.count > 1 {
      found.sort { [fences] in
        ($0.transition.time, $0.rank) == ($1.transition.time, $1.rank)
          ? fences.precedes($0.transition.fence, $1.transition.fence)
          : ($0.transition.time, $0.rank) < ($1.transition.time, $1.rank)
      }
    }
    return found.map(\.transition)
  }
}

/// A transition with its place among those of the same millisecond.
private struct Finding {
  /// Exits of fences held before the step, then enters, then the exits that end a passage.
  enum Rank: Int, Comparable {
    case exitOfHeld
    case enter
    case exitOfPassage

    static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
  }

  var transition: Transition
  var rank: Rank
}

// MARK: - A step on which all is known

extension GeofenceTracker {
  private mutating func judgeStep(from anchor: ECEF, _ trail: Trail, to fix: UsableFix) {
    let passing = Passing(
      segment: Segment(from: anchor, to: fix.point), trail: trail, fix: fix)
    forEachConcerned(by: passing.segment) { tracker, fence, circle in
      if !tracker.unsettled.isEmpty, let cause = tracker.unsettled[fence] {
        tracker.judgeEnd(of: fence, circle, fix, Self.causes(of: cause), tracker.restartGap)
      } else if tracker.held.contains(fence) {
        tracker.judgeLeaving(fence, circle, passing)
      } else {
        tracker.judgeEntering(fence, circle, passing)
      }
    }
    settle()
  }

  private mutating func settle() {
    if !unsettled.isEmpty { unsettled = [:] }
  }

  /// Calls `judge` once for each fence that the segment reaches and for each one held before.
  @inline(__always)
  private mutating func forEachConcerned(
    by segment: Segment, judge: (inout GeofenceTracker, Int32, FenceIndex.Circle) -> Void
  ) {
    let (cell, heldBefore) = (cell, held.entries.count)
    if cell.covers(segment, index: fences.index) {
      cell.forEachReached(by: segment) { if !held.contains($0) { judge(&self, $0, $1) } }
    } else {
      var reached = Set<Int32>()
      fences.index.forEachCandidate(along: segment) { fence in
        if !held.contains(fence), reaches(segment, fence) { reached.insert(fence) }
      }
      for fence in reached { judge(&self, fence, fences.index.circle(fence)) }
    }
    // From the last on: the one judged may go, new ones are added behind.
    for place in (0..<heldBefore).reversed() {
      let entry = held.entries[place]
      judge(&self, entry.fence, entry.circle)
    }
  }

  private func reaches(_ segment: Segment, _ fence: Int32) -> Bool {
    let circle = fences.index.circle(fence)
    let foot = min(max(segment.projection(of: circle.centre), 0), 1)
    let nearest = segment.start + foot * segment.direction
    return nearest.distanceSquared(to: circle.centre) <= circle.radiusSquared + FenceIndex.slack
  }

  private mutating func judgeLeaving(
    _ fence: Int32, _ circle: FenceIndex.Circle, _ passing: Passing
  ) {
    let outer = outerRadiusSquared(fence, circle)
    let end = passing.fix.point.distanceSquared(to: circle.centre)
    guard end > outer else { return }
    let meeting = passing.meeting(circle.centre, outer)
    leave(fence, .crossing, passing.time(at: meeting?.exit), end, nil, .exitOfHeld)
  }

  private mutating func judgeEntering(
    _ fence: Int32, _ circle: FenceIndex.Circle, _ passing: Passing
  ) {
    let end = passing.fix.point.distanceSquared(to: circle.centre)
    let meeting = passing.meeting(circle.centre, circle.radiusSquared)
    if end <= circle.radiusSquared {
      return enter(fence, circle, .crossing, passing.time(at: meeting?.entry), end, nil)
    }
    guard let meeting, meeting.foot > 0, meeting.foot < 1 else { return }
    enter(fence, circle, .crossing, passing.time(at: meeting.entry), end, nil)
    let outer = outerRadiusSquared(fence, circle)
    guard end > outer else { return }
    let outerMeeting = exitMargin > 0 ? passing.meeting(circle.centre, outer) : meeting
    leave(
      fence, .crossing, passing.time(at: outerMeeting?.exit), end, nil, .exitOfPassage)
  }

  private func outerRadiusSquared(_ fence: Int32, _ circle: FenceIndex.Circle) -> Double {
    guard exitMargin > 0 else { return circle.radiusSquared }
    let chord = WGS84.chord(arc: fences.fences.radius(of: Int(fence)) + exitMargin)
    return chord * chord
  }
}

/// A step and the clock along it.
private struct Passing {
  let segment: Segment
  let trail: Trail
  let fix: UsableFix

  /// Where the segment, not only the line through it, meets the circle.
  func meeting(_ centre: ECEF, _ radiusSquared: Double) -> Segment.Meeting? {
    guard let meeting = segment.meets(centre: centre, radiusSquared: radiusSquared),
      meeting.exit >= 0, meeting.entry <= 1
    else { return nil }
    return meeting
  }

  /// The time at a fraction, clamped to the segment; the fix's own where nothing is crossed.
  func time(at fraction: Double?) -> (Timestamp, interpolated: Bool) {
    guard let fraction else { return (fix.time, false) }
    return (trail.time(at: min(max(fraction, 0), 1), of: segment, end: fix.time), true)
  }
}

// MARK: - Steps of which only the end counts

extension GeofenceTracker {
  private mutating func judgeFirst(_ fix: UsableFix) {
    defer { start = nil }
    guard case .restored(_, let lastFix) = start else {
      return judgeEnd(fix, enter: .initial, exit: .removed, gap: nil)
    }
    let isComparable = lastFix.map { $0.source == fix.timeSource && $0.time <= fix.time } ?? false
    restartGap = isComparable ? lastFix.map { fix.time.since($0.time) } : nil
    if !isComparable { held.forgetTimes() }
    judgeEnd(fix, enter: .restart, exit: .restart, gap: restartGap)
    let (certain, doubtful) = found.partitioned { isCertain($0.transition, fix) }
    for finding in doubtful { withdraw(finding.transition) }
    found = certain
  }

  /// False where the fix's own error could explain the change.
  private func isCertain(_ transition: Transition, _ fix: UsableFix) -> Bool {
    guard let error = fix.horizontalError else { return true }
    let radius = fences.fences.radius(of: Int(transition.fence))
    let limit = transition.kind == .exit ? radius + exitMargin : radius
    return error <= abs(transition.distance - limit)
  }

  /// Undoes a change and leaves it to the next accepted fix.
  private mutating func withdraw(_ transition: Transition) {
    switch transition.kind {
    case .enter: held.remove(transition.fence)
    case .exit:
      held.insert(
        transition.fence, fences.index.circle(transition.fence),
        since: transition.inside.map { transition.time.advanced(by: -$0) })
    }
    unsettled[transition.fence] = .restart
  }

  private mutating func judgeEnd(_ fix: UsableFix, enter: Cause, exit: Cause, gap: Int64?) {
    forEachConcerned(by: Segment(from: fix.point, to: fix.point)) { tracker, fence, circle in
      let unsettled = tracker.unsettled[fence]
      let causes = unsettled.map(Self.causes(of:)) ?? (enter, exit)
      tracker.judgeEnd(
        of: fence, circle, fix, causes, unsettled == .restart ? tracker.restartGap : gap)
    }
    settle()
  }

  private static func causes(of unsettled: Cause) -> (enter: Cause, exit: Cause) {
    unsettled == .restart ? (.restart, .restart) : (.initial, .removed)
  }

  private mutating func judgeEnd(
    of fence: Int32, _ circle: FenceIndex.Circle, _ fix: UsableFix,
    _ causes: (enter: Cause, exit: Cause), _ gap: Int64?
  ) {
    let end = fix.point.distanceSquared(to: circle.centre)
    if held.contains(fence) {
      guard end > outerRadiusSquared(fence, circle) else { return }
      leave(fence, causes.exit, (fix.time, false), end, gap, .exitOfHeld)
    } else if end <= circle.radiusSquared {
      enter(fence, circle, causes.enter, (fix.time, false), end, gap)
    }
  }

  private mutating func enter(
    _ fence: Int32, _ circle: FenceIndex.Circle, _ cause: Cause,
    _ time: (Timestamp, interpolated: Bool), _ distanceSquared: Double, _ gap: Int64?
  ) {
    held.insert(fence, circle, since: time.0)
    found.append(
      Finding(
        transition: Transition(
          kind: .enter, fence: fence, cause: cause, time: time.0, interpolated: time.interpolated,
          gap: cause == .gap || cause == .restart ? gap : nil, inside: nil,
          distance: WGS84.arc(chord: distanceSquared.squareRoot())), rank: .enter))
  }

  private mutating func leave(
    _ fence: Int32, _ cause: Cause, _ time: (Timestamp, interpolated: Bool),
    _ distanceSquared: Double, _ gap: Int64?, _ rank: Finding.Rank
  ) {
    let since = held.remove(fence)
    found.append(
      Finding(
        transition: Transition(
          kind: .exit, fence: fence, cause: cause, time: time.0, interpolated: time.interpolated,
          gap: cause == .gap || cause == .restart ? gap : nil,
          inside: since.map { max(0, time.0.since($0)) },
          distance: WGS84.arc(chord: distanceSquared.squareRoot())), rank: rank))
  }
}

// MARK: - Other fences

extension GeofenceTracker {
  /// Takes other fences. A held fence that is gone is left at once, as of the last usable fix; one
  /// that is new, moved or resized is judged by the end state of the next accepted fix.
  package mutating func replaceFences(
    with new: FenceSet, exitMargin: Metres, lastFix: UsableFix?
  ) -> [Transition] {
    let old = fences
    var exits: [Transition] = []
    var kept = HeldFences(capacity: new.fences.count)
    var stillUnsettled: [Int32: Cause] = [:]
    let heldIDs = held.entries.map { old.fences.id(of: Int($0.fence)) }
    let newNumbers = new.numbers(of: heldIDs)
    for (entry, id) in zip(held.entries, heldIDs) {
      if let number = newNumbers[id] {
        kept.insert(number, new.index.circle(number), since: entry.since)
      } else if let lastFix {
        exits.append(removal(of: entry, lastFix))
      }
    }
    exits.sort { old.precedes($0.fence, $1.fence) }
    let oldNumbers = old.numbers()
    var id: [UInt8] = []
    for number in new.fences.indices {
      id.removeAll(keepingCapacity: true)
      new.fences.writeID(of: number, to: &id)
      let before = oldNumbers[id]
      let isSame = before.map { new.fences.isCircle(number, Int($0), of: old.fences) } ?? false
      stillUnsettled[Int32(truncatingIfNeeded: number)] =
        isSame ? before.flatMap { unsettled[$0] } : .removed
    }
    (fences, held, unsettled, self.exitMargin) = (new, kept, stillUnsettled, exitMargin)
    cell.clear()
    return exits
  }

  private func removal(of entry: HeldFences.Entry, _ fix: UsableFix) -> Transition {
    Transition(
      kind: .exit, fence: entry.fence, cause: .removed, time: fix.time, interpolated: false,
      gap: nil, inside: entry.since.map { max(0, fix.time.since($0)) },
      distance: WGS84.arc(chord: fix.point.distance(to: entry.circle.centre)))
  }
}

extension Array {
  /// Those that satisfy the condition, and the others, each in order.
  fileprivate func partitioned(_ condition: (Element) -> Bool) -> ([Element], [Element]) {
    (filter(condition), filter { !condition($0) })
  }
}
