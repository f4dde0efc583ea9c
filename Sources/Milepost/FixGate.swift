package import Geodesy

/// Decides which fixes may be used, and counts its verdicts.
///
/// Pure: a fix and its receipt in, a verdict out.
package struct FixGate: Sendable {
  package struct Settings: Equatable, Sendable {
    package var maxHorizontalError: Metres = 100
    /// m/s.
    package var maxSpeed: Double = 500 / 3.6
    /// Milliseconds.
    package var maxGap: Int64 = 10_000
    package var maxGapDistance: Metres = 500
    package var deadReckoning = false
    package var simulated = false
    /// The only receiver to use; nil for the first that gives a usable fix.
    package var device: DeviceID?

    package init() {}
  }

  /// A receiver's clock that jumps further ahead than this is not believed at once.
  static let farAhead: Int64 = 12 * 3_600_000
  /// Below this a leap counts as noise, however fast.
  static let leapAllowance: Metres = 50

  package var settings: Settings
  package private(set) var counts = VerdictCounts()
  /// The last fix whose verdict was ``Verdict/usable``.
  package private(set) var lastUsable: UsableFix?
  /// Receipt of the last usable fix with a time of its own, milliseconds of CLOCK_BOOTTIME.
  private var lastTimedReceipt: Int64?
  private var pending: PendingRun?
  private var pinned: DeviceID?
  private var rivals = RivalDevices()

  package init(settings: Settings = Settings()) { self.settings = settings }

  /// The verdict on a fix; where it is ``Verdict/usable``, the fix is ``lastUsable``.
  package mutating func judge(_ fix: Fix, receipt: Receipt) -> Verdict {
    let verdict = verdict(on: fix, receipt: receipt)
    counts.add(verdict)
    return verdict
  }

  private mutating func verdict(on fix: Fix, receipt: Receipt) -> Verdict {
    guard fix.mode >= 2, let coordinate = fix.coordinate else { return .noFix }
    if let rejection = rejection(of: fix, at: coordinate) { return rejection }
    let sighting = Sighting(
      point: ECEF(coordinate), time: fix.time ?? receipt.wall,
      source: fix.time == nil ? .system : .fix)
    if let device = settings.device, device != fix.device { return .otherDevice }
    if let pinned, pinned != fix.device {
      guard settings.device != nil || rivalTakesOver(fix.device, sighting) else {
        return .otherDevice
      }
      return use(fix, coordinate, sighting, .newTimeline, receipt)
    }
    if fix.time == nil { return judgeUntimed(fix, coordinate, sighting, receipt) }
    return judgeOrder(fix, coordinate, sighting, receipt)
  }

  private func rejection(of fix: Fix, at coordinate: Coordinate) -> Verdict? {
    guard coordinate.isValid else { return .invalidPosition }
    if coordinate.latitude == 0 && coordinate.longitude == 0 { return .nullIsland }
    if let error = fix.horizontalError, !(error <= settings.maxHorizontalError) {
      return .inaccurate
    }
    switch fix.origin {
    case .simulated: return settings.simulated ? nil : .simulated
    case .estimated: return settings.deadReckoning ? nil : .estimated
    case .measured: return nil
    }
  }

  /// A burst of fixes without time shares one receipt: each is put a millisecond after the last.
  private mutating func judgeUntimed(
    _ fix: Fix, _ coordinate: Coordinate, _ sighting: Sighting, _ receipt: Receipt
  ) -> Verdict {
    if let lastTimedReceipt, receipt.boot - lastTimedReceipt <= settings.maxGap {
      return .untimed
    }
    var sighting = sighting
    let latest = [lastUsable?.sighting, pending?.latest].compactMap { $0 }
      .filter { $0.source == .system }.map(\.time).max()
    if let latest, sighting.time <= latest, latest.since(sighting.time) < 1_000 {
      sighting.time = latest.advanced(by: 1)
    }
    return judgeOrder(fix, coordinate, sighting, receipt)
  }

  private mutating func judgeOrder(
    _ fix: Fix, _ coordinate: Coordinate, _ sighting: Sighting, _ receipt: Receipt
  ) -> Verdict {
    guard let last = lastUsable?.sighting else {
      return use(fix, coordinate, sighting, .continuous, receipt)
    }
    guard last.source == sighting.source else {
      return use(fix, coordinate, sighting, .newTimeline, receipt)
    }
    if sighting.time == last.time || sighting.time == pending?.latest.time {
      return .duplicate
    }
    let elapsed = sighting.time.since(last.time)
    if let doubt = settings.doubt(about: sighting, after: last) {
      guard grownRun(with: sighting) >= PendingRun.enough else { return doubt }
      let comparable = elapsed >= 0 && elapsed <= Self.farAhead
      return use(
        fix, coordinate, sighting, comparable ? .gap(milliseconds: elapsed) : .newTimeline,
        receipt)
    }
    let endsRunOfTwo =
      pending.map { $0.count >= PendingRun.enough - 1 && continues($0, sighting) } ?? false
    let gap =
      endsRunOfTwo || elapsed > settings.maxGap
      || sighting.point.distance(to: last.point) > settings.maxGapDistance
    return use(
      fix, coordinate, sighting, gap ? .gap(milliseconds: elapsed) : .continuous, receipt)
  }

  private func continues(_ run: PendingRun, _ sighting: Sighting) -> Bool {
    let elapsed = sighting.time.since(run.latest.time)
    return elapsed > 0 && elapsed <= settings.maxGap
      && !settings.tooFast(from: run.latest, to: sighting)
  }

  /// Adds to the pending run, or begins a new one. Returns its length.
  private mutating func grownRun(with sighting: Sighting) -> Int {
    let count = pending.map { continues($0, sighting) ? $0.count + 1 : 1 } ?? 1
    pending = PendingRun(latest: sighting, count: count)
    return count
  }

  private mutating func rivalTakesOver(_ device: DeviceID, _ sighting: Sighting) -> Bool {
    rivals.span(of: device, extendedBy: sighting) { [settings] previous in
      settings.doubt(about: sighting, after: previous) == nil
    } > settings.maxGap
  }

  private mutating func use(
    _ fix: Fix, _ coordinate: Coordinate, _ sighting: Sighting, _ continuity: Continuity,
    _ receipt: Receipt
  ) -> Verdict {
    lastUsable = UsableFix(
      coordinate: coordinate, point: sighting.point, time: sighting.time,
      timeSource: sighting.source, continuity: continuity, speed: fix.speed, track: fix.track,
      horizontalError: fix.horizontalError)
    pending = nil
    pinned = fix.device
    rivals.clear()
    if sighting.source == .fix { lastTimedReceipt = receipt.boot }
    return .usable
  }
}

extension UsableFix {
  fileprivate var sighting: Sighting { Sighting(point: point, time: time, source: timeSource) }
}

extension FixGate.Settings {
  /// Why a sighting is not believed at once after `last`; nil where it is.
  func doubt(about sighting: Sighting, after last: Sighting) -> Verdict? {
    let elapsed = sighting.time.since(last.time)
    if elapsed < 0 { return .earlier }
    if elapsed > FixGate.farAhead { return .farAhead }
    return tooFast(from: last, to: sighting) ? .tooFast : nil
  }

  func tooFast(from a: Sighting, to b: Sighting) -> Bool {
    let distance = a.point.distance(to: b.point)
    let elapsed = Double(b.time.since(a.time)) / 1_000
    let seconds = b.source == .system ? max(elapsed, 1) : elapsed
    return distance > FixGate.leapAllowance && distance > maxSpeed * seconds
  }
}

/// Where and when: what order and speed are judged by.
struct Sighting: Sendable {
  var point: ECEF
  var time: Timestamp
  var source: TimeSource
}

/// Fixes that contradict the last usable one but not each other.
struct PendingRun: Sendable {
  /// So many agreeing fixes are believed.
  static let enough = 3

  var latest: Sighting
  var count: Int
}
