import Geodesy
import Milepost

/// What the oracle says of a whole drive.
struct OracleRun {
  var events: [OracleEvent]
  var counts: [OracleVerdict: Int]
  /// Fences with a deciding distance nearer to their circle than ``Circle/tie(radius:)``.
  var ties: Set<String>
  /// How many fixes became the anchor.
  var accepted: Int
}

/// Fixes in, events out: every fence against every step, written from the rules alone.
///
/// No index, no cache. Exact work is left out for a fence only where the triangle inequality proves,
/// by a metre or more, that the step does not reach its circle.
struct Oracle {
  private static let reserve: Metres = 1

  private struct Circled {
    let fence: Geofence
    var held = false
    /// From the centre to where the vehicle was at `odometer`.
    var distance: Metres = 0
    var odometer: Metres = 0
  }

  private let settings: OracleSettings
  private let ground = Ground()
  private var gate: OracleGate
  private var circles: [Circled]
  private var anchor: OracleSighting?
  private var ignored: [OracleStep.Ignored] = []
  private var odometer: Metres = 0
  private var run = OracleRun(events: [], counts: [:], ties: [], accepted: 0)

  private init(settings: OracleSettings, fences: [Geofence]) {
    self.settings = settings
    gate = OracleGate(settings: settings, ground: ground)
    circles = fences.map { Circled(fence: $0) }
  }

  static func run(_ drive: Drive) -> OracleRun {
    var oracle = Oracle(settings: drive.settings, fences: drive.fences)
    for (index, input) in drive.inputs.enumerated() {
      guard let (sighting, continuity) = oracle.gate.observe(input) else { continue }
      oracle.observe(sighting, continuity, input: index)
    }
    oracle.run.counts = oracle.gate.counts
    return oracle.run
  }

  private mutating func observe(
    _ fix: OracleSighting, _ continuity: OracleContinuity, input: Int
  ) {
    guard let from = anchor else {
      return accept(fix, length: 0, endStates(at: fix, cause: .initial, gapMs: nil, input: input))
    }
    let length = ground.distance(from.place, fix.place)
    guard length > settings.jitterThreshold + 0.0005 else {
      return ignore(fix, at: length, after: continuity)
    }
    switch continuity {
    case .first, .continuous:
      accept(fix, length: length, crossings(from: from, to: fix, length: length, input: input))
    case .gap(let ms):
      accept(
        fix, length: length, endStates(at: fix, cause: .gap, gapMs: ms, input: input))
    case .newTimeline:
      accept(
        fix, length: length, endStates(at: fix, cause: .gap, gapMs: nil, input: input))
    }
  }

  private mutating func ignore(
    _ fix: OracleSighting, at distance: Metres, after continuity: OracleContinuity
  ) {
    guard continuity == .continuous else {
      anchor?.time = fix.time
      ignored = []
      return
    }
    let level = Int((distance / settings.jitterThreshold * 64).rounded(.down))
    ignored.append(.init(place: fix.place, time: fix.time, level: min(level, 63)))
  }

  private mutating func accept(
    _ fix: OracleSighting, length: Metres, _ events: [OracleEvent]
  ) {
    run.events += events.sorted(by: OracleEvent.precedes)
    run.accepted += 1
    odometer += length
    anchor = fix
    ignored = []
  }

  /// Events of a first fix or one after a gap: from where it is alone.
  private mutating func endStates(
    at fix: OracleSighting, cause: OracleEvent.Cause, gapMs: Int64?, input: Int
  ) -> [OracleEvent] {
    let length = anchor.map { ground.distance($0.place, fix.place) } ?? 0
    var events: [OracleEvent] = []
    for index in circles.indices {
      let distance = measure(index, to: fix.place, odometer: odometer + length)
      let (fence, held) = (circles[index].fence, circles[index].held)
      note(distance, against: held ? fence.radius + settings.exitMargin : fence.radius, of: fence)
      let holds = distance <= fence.radius + (held ? settings.exitMargin : 0)
      guard holds != held else { continue }
      circles[index].held = holds
      let exact = Double(fix.time.milliseconds)
      events.append(
        OracleEvent(
          kind: holds ? .enter : .exit, fence: fence.id, cause: cause, time: fix.time,
          interpolated: false, gapMs: gapMs, distance: distance, input: input,
          range: exact...exact, radius: fence.radius, rank: holds ? 1 : 0))
    }
    return events
  }

  private mutating func crossings(
    from: OracleSighting, to fix: OracleSighting, length: Metres, input: Int
  ) -> [OracleEvent] {
    let step = OracleStep(
      ground: ground, anchor: from.place, anchorTime: from.time, ignored: ignored,
      fix: fix.place, fixTime: fix.time)
    var events: [OracleEvent] = []
    for index in circles.indices where canMatter(index, length: length) {
      let before = ground.distance(circles[index].fence.centre, from.place)
      let after = measure(index, to: fix.place, odometer: odometer + length)
      for crossed in judge(index, step, length: length, before: before, after: after) {
        let fence = circles[index].fence
        events.append(
          OracleEvent(
            kind: crossed.rank == 1 ? .enter : .exit, fence: fence.id, cause: .crossing,
            time: step.timestamp(at: crossed.part), interpolated: true, gapMs: nil,
            distance: after, input: input,
            range: step.range(
              centre: fence.centre, at: crossed.part, tie: Circle.tie(radius: fence.radius)),
            radius: fence.radius, rank: crossed.rank))
      }
    }
    return events
  }

  private typealias Crossed = (rank: Int, part: Double)

  /// What one step does to one fence.
  private mutating func judge(
    _ index: Int, _ step: OracleStep, length: Metres, before: Metres, after: Metres
  ) -> [Crossed] {
    let fence = circles[index].fence
    let (inner, outer) = (fence.radius, fence.radius + settings.exitMargin)
    func crossing(_ radius: Metres, _ bracket: ClosedRange<Double>) -> Double {
      step.crossing(centre: fence.centre, radius: radius, in: bracket)
    }
    if circles[index].held {
      note(after, against: outer, of: fence)
      guard after > outer else { return [] }
      circles[index].held = false
      return [(0, crossing(outer, 0...1))]
    }
    note(after, against: inner, of: fence)
    if after <= inner {
      circles[index].held = true
      return [(1, crossing(inner, 0...1))]
    }
    guard (before + after - length) / 2 <= inner + Self.reserve else { return [] }
    let foot = step.nearest(to: fence.centre)
    let ends = min(before, after)
    if foot.distance < ends - 1e-9 { note(foot.distance, against: inner, of: fence) }
    guard foot.part > 0, foot.part < 1, foot.distance < inner else { return [] }
    note(after, against: outer, of: fence)
    let entered: Crossed = (1, crossing(inner, 0...foot.part))
    guard after > outer else {
      circles[index].held = true
      return [entered]
    }
    return [entered, (2, crossing(outer, foot.part...1))]
  }

  /// False where the triangle inequality leaves the fence as it is.
  private func canMatter(_ index: Int, length: Metres) -> Bool {
    let circle = circles[index]
    let travelled = odometer - circle.odometer + length + Self.reserve
    return circle.held
      ? circle.distance + travelled > circle.fence.radius + settings.exitMargin
      : circle.distance - travelled <= circle.fence.radius
  }

  private mutating func measure(_ index: Int, to place: Coordinate, odometer: Metres) -> Metres {
    let distance = ground.distance(circles[index].fence.centre, place)
    circles[index].distance = distance
    circles[index].odometer = odometer
    return distance
  }

  private mutating func note(_ distance: Metres, against radius: Metres, of fence: Geofence) {
    if abs(distance - radius) < Circle.tie(radius: fence.radius) { run.ties.insert(fence.id) }
  }
}
