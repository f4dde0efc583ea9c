import Geodesy
import Milepost

/// Which clock a fix's time was read from.
enum OracleTimeSource { case fix, system }

/// How a usable fix follows the usable one before it.
enum OracleContinuity: Equatable {
  case first
  case continuous
  case gap(ms: Int64)
  case newTimeline
}

/// What becomes of a fix.
enum OracleVerdict: String, CaseIterable {
  case usable, noFix, invalidPosition, nullIsland, inaccurate, simulated, estimated
  case otherDevice, untimed, duplicate, pending
}

/// A place with a time that may be compared with times of the same source.
struct OracleSighting {
  var place: Coordinate
  var time: Timestamp
  var source: OracleTimeSource
}

/// Section 5 of the design, told rule by rule.
///
/// Where it is silent: with a device set, no other is ever used. A candidate that changes its source
/// of time starts its span anew. After a change of device no timed fix of the former one holds back
/// an untimed one. The last system time is the last one given to a fix, whatever its verdict then.
struct OracleGate {
  private static let half: Int64 = 12 * 3_600 * 1_000
  private static let allowance: Metres = 50

  let settings: OracleSettings
  let ground: Ground
  private(set) var counts: [OracleVerdict: Int] = [:]
  private var pinned: DeviceID?
  private var lastUsable: OracleSighting?
  private var lastSeen: OracleSighting?
  private var run: [OracleSighting] = []
  private var candidates: [DeviceID: Candidate] = [:]
  private var lastTimedReceiptMs: Int64?
  private var lastSystemTime: Timestamp?

  private struct Candidate {
    var began: Timestamp
    var last: OracleSighting
  }

  init(settings: OracleSettings, ground: Ground) {
    self.settings = settings
    self.ground = ground
    pinned = settings.device
  }

  /// The usable fix that `input` is, or nil.
  mutating func observe(_ input: DriveInput) -> (OracleSighting, OracleContinuity)? {
    let (verdict, outcome) = judge(input)
    counts[verdict, default: 0] += 1
    return outcome
  }

  private typealias Judgement = (OracleVerdict, (OracleSighting, OracleContinuity)?)

  private mutating func judge(_ input: DriveInput) -> Judgement {
    let fix = input.fix
    if let reason = rejection(fix) { return (reason, nil) }
    guard let place = fix.coordinate else { return (.noFix, nil) }
    if let pinned, pinned != fix.device { return judgeCandidate(input, place) }
    guard let sighting = timed(input, place) else { return (.untimed, nil) }
    for seen in [lastSeen, lastUsable].compactMap({ $0 })
    where seen.source == sighting.source && seen.time == sighting.time {
      return (.duplicate, nil)
    }
    guard let last = lastUsable else { return accept(sighting, .first, input) }
    if last.source != sighting.source { return accept(sighting, .newTimeline, input) }
    let continuesRun = run.last.map { follows($0, sighting) } ?? false
    if isSuspect(sighting, after: last) {
      return judgePending(sighting, after: last, continuesRun: continuesRun, input)
    }
    let elapsed = sighting.time.since(last.time)
    let isGap =
      elapsed > settings.maxGapMs || distance(last, sighting) > settings.maxGapDistance
      || (continuesRun && run.count >= 2)
    return accept(sighting, isGap ? .gap(ms: elapsed) : .continuous, input)
  }

  private func rejection(_ fix: Fix) -> OracleVerdict? {
    guard fix.mode >= 2, let place = fix.coordinate else { return .noFix }
    let (latitude, longitude) = (place.latitude, place.longitude)
    guard latitude >= -90, latitude <= 90, longitude >= -180, longitude <= 180 else {
      return .invalidPosition
    }
    if latitude == 0, longitude == 0 { return .nullIsland }
    if let error = fix.horizontalError, error > settings.maxHorizontalError { return .inaccurate }
    if fix.origin == .simulated, !settings.simulated { return .simulated }
    if fix.origin == .estimated, !settings.deadReckoning { return .estimated }
    return nil
  }

  /// The fix with its time; nil where it has none and a timed one came of late.
  private mutating func timed(_ input: DriveInput, _ place: Coordinate) -> OracleSighting? {
    if let time = input.fix.time { return OracleSighting(place: place, time: time, source: .fix) }
    if let receipt = lastTimedReceiptMs, input.receiptBootMs - receipt <= settings.maxGapMs {
      return nil
    }
    var time = input.receiptWall
    if let last = lastSystemTime, time <= last, last.since(time) < 1_000 {
      time = last.advanced(by: 1)
    }
    lastSystemTime = time
    return OracleSighting(place: place, time: time, source: .system)
  }

  private mutating func judgePending(
    _ sighting: OracleSighting, after last: OracleSighting, continuesRun: Bool, _ input: DriveInput
  ) -> Judgement {
    run = continuesRun ? run + [sighting] : [sighting]
    if run.count >= 3 {
      let elapsed = sighting.time.since(last.time)
      let comparable = elapsed >= 0 && elapsed <= Self.half
      return accept(sighting, comparable ? .gap(ms: elapsed) : .newTimeline, input)
    }
    lastSeen = sighting
    return (.pending, nil)
  }

  private mutating func judgeCandidate(_ input: DriveInput, _ place: Coordinate) -> Judgement {
    guard settings.device == nil else { return (.otherDevice, nil) }
    let device = input.fix.device
    let sighting = OracleSighting(
      place: place, time: input.fix.time ?? input.receiptWall,
      source: input.fix.time == nil ? .system : .fix)
    guard var candidate = candidates[device], candidate.last.source == sighting.source else {
      candidates[device] = Candidate(began: sighting.time, last: sighting)
      return (.otherDevice, nil)
    }
    if sighting.time == candidate.last.time { return (.otherDevice, nil) }
    if isSuspect(sighting, after: candidate.last) { candidate.began = sighting.time }
    candidate.last = sighting
    candidates[device] = candidate
    guard sighting.time.since(candidate.began) > settings.maxGapMs else {
      return (.otherDevice, nil)
    }
    lastTimedReceiptMs = nil
    if sighting.source == .system { lastSystemTime = sighting.time }
    return accept(sighting, .newTimeline, input)
  }

  private mutating func accept(
    _ sighting: OracleSighting, _ continuity: OracleContinuity, _ input: DriveInput
  ) -> Judgement {
    pinned = input.fix.device
    lastUsable = sighting
    lastSeen = sighting
    run = []
    candidates = [:]
    if sighting.source == .fix { lastTimedReceiptMs = input.receiptBootMs }
    return (.usable, (sighting, continuity))
  }

  private func isSuspect(_ sighting: OracleSighting, after last: OracleSighting) -> Bool {
    let elapsed = sighting.time.since(last.time)
    return elapsed < 0 || elapsed > Self.half || isTooFast(from: last, to: sighting)
  }

  private func follows(_ last: OracleSighting, _ sighting: OracleSighting) -> Bool {
    let elapsed = sighting.time.since(last.time)
    return last.source == sighting.source && elapsed > 0 && elapsed <= settings.maxGapMs
      && !isTooFast(from: last, to: sighting)
  }

  private func isTooFast(from last: OracleSighting, to sighting: OracleSighting) -> Bool {
    let length = distance(last, sighting)
    guard length > Self.allowance else { return false }
    var seconds = Double(sighting.time.since(last.time)) / 1_000
    if sighting.source == .system { seconds = max(seconds, 1) }
    return seconds <= 0 || length / seconds > settings.maxSpeed
  }

  private func distance(_ a: OracleSighting, _ b: OracleSighting) -> Metres {
    ground.distance(a.place, b.place)
  }
}
