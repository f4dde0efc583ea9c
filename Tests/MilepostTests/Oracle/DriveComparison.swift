import Geodesy
import Milepost

/// An event as the engine tells it.
struct EngineEvent {
  var kind: OracleEvent.Kind
  var fence: String
  var cause: OracleEvent.Cause
  var time: Timestamp
  var interpolated: Bool
  var gapMs: Int64?
  var distance: Metres
}

/// How an engine's events of one drive differ from the oracle's.
///
/// Times may differ by 2 ms, by 20 ms where the radius is over 20 km; distances by 1 mm. Three ties are
/// told, not failed, and counted:
/// - a fence with a deciding distance within ``Circle/tie(radius:)`` of its circle, left out only
///   where the drives would differ with it;
/// - two events of one step in the other order, where their times, each uncertain by that tie and
///   0.005 ms, may round to the other order;
/// - a time off by more than its limit, but within what that tie makes of it (a knot of a long stop
///   lies on the circle).
struct DriveComparison {
  /// The first difference, with the drive's name and seed; nil where there is none.
  private(set) var difference: String?
  private(set) var events = 0
  private(set) var excludedFences = 0
  private(set) var swappedEvents = 0
  private(set) var uncertainTimes = 0

  /// Runs both over `drive`, and finds the first difference.
  init(_ drive: Drive, engine: (Drive) throws -> [EngineEvent]) rethrows {
    let theirs = try engine(drive)
    let oracle = Oracle.run(drive)
    self.init(drive, oracle: oracle, engine: theirs)
  }

  init(_ drive: Drive, oracle: OracleRun, engine theirs: [EngineEvent]) {
    events = oracle.events.count
    var found = Self.alternationFault(theirs) ?? compare(oracle.events, theirs)
    if found != nil, !oracle.ties.isEmpty {
      (swappedEvents, uncertainTimes) = (0, 0)
      excludedFences = oracle.ties.count
      found =
        Self.alternationFault(theirs)
        ?? compare(
          oracle.events.filter { !oracle.ties.contains($0.fence) },
          theirs.filter { !oracle.ties.contains($0.fence) })
    }
    difference = found.map { "\(drive.name) seed \(drive.seed): \($0)" }
  }

  /// What is wrong where a fence's events do not go enter, exit, enter, exit…
  static func alternationFault(_ events: [EngineEvent]) -> String? {
    var held: Set<String> = []
    for (index, event) in events.enumerated() {
      let isRight =
        event.kind == .enter ? held.insert(event.fence).inserted : held.remove(event.fence) != nil
      if !isRight { return "event \(index): a second \(event.kind) of \(event.fence) in a row" }
    }
    return nil
  }

  private mutating func compare(_ ours: [OracleEvent], _ theirs: [EngineEvent]) -> String? {
    var first = 0
    while first < ours.count {
      var end = first + 1
      while end < ours.count, ours[end].input == ours[first].input { end += 1 }
      let answer = theirs[min(first, theirs.count)..<min(end, theirs.count)]
      if let fault = compareStep(Array(ours[first..<end]), Array(answer), from: first) {
        return fault
      }
      first = end
    }
    guard theirs.count > ours.count else { return nil }
    return "event \(ours.count): engine has one more: \(theirs[ours.count])"
  }

  private mutating func compareStep(
    _ ours: [OracleEvent], _ theirs: [EngineEvent], from first: Int
  ) -> String? {
    var places: [Int] = []
    for (offset, event) in ours.enumerated() {
      let place = theirs.firstIndex { $0.fence == event.fence && $0.kind == event.kind }
      let inTurn = offset < theirs.count ? "\(theirs[offset])" : "nothing"
      guard let place else {
        return "event \(first + offset): oracle has \(event), engine \(inTurn)"
      }
      if let fault = compare(event, theirs[place]) {
        return "event \(first + offset): \(fault): oracle has \(event), engine \(theirs[place])"
      }
      for earlier in 0..<offset where places[earlier] > place {
        guard Self.mayFollow(ours[earlier], event) else {
          return "event \(first + earlier): order: oracle has \(ours[earlier]), then \(event)"
        }
        swappedEvents += 1
      }
      places.append(place)
    }
    return nil
  }

  private mutating func compare(_ ours: OracleEvent, _ theirs: EngineEvent) -> String? {
    if ours.cause != theirs.cause { return "cause" }
    if ours.interpolated != theirs.interpolated { return "interpolated" }
    if ours.gapMs != theirs.gapMs { return "gap" }
    if !(abs(ours.distance - theirs.distance) <= distanceLimit(ours)) { return "distance" }
    let limit: Int64 = !ours.interpolated ? 0 : ours.radius > 20_000 ? 20 : 2
    guard abs(theirs.time.since(ours.time)) > limit else { return nil }
    let time = Double(theirs.time.milliseconds)
    guard ours.interpolated, time >= ours.range.lowerBound - Double(limit),
      time <= ours.range.upperBound + Double(limit)
    else { return "time" }
    uncertainTimes += 1
    return nil
  }

  /// 1 mm; for a centre over 20 km away, what a chord turned back into an arc may be off.
  private func distanceLimit(_ event: OracleEvent) -> Metres {
    max(1e-3, Circle.tie(radius: event.distance))
  }

  /// True where `earlier` may as well come after `later`.
  private static func mayFollow(_ earlier: OracleEvent, _ later: OracleEvent) -> Bool {
    guard earlier.interpolated, later.interpolated else { return false }
    let (first, second) = (rounded(earlier), rounded(later))
    let areSure = first.count == 1 && second.count == 1
    return !areSure && second.lowerBound <= first.upperBound
  }

  private static func rounded(_ event: OracleEvent) -> ClosedRange<Int64> {
    let low = (event.range.lowerBound - 0.005).rounded()
    let high = (event.range.upperBound + 0.005).rounded()
    return Int64(low)...Int64(high)
  }
}
