import Geodesy
import Milepost
import TestSupport

/// A receiver, and a second one on the same bus, with every fault that has been seen.
struct DirtyReceiver {
  private enum Episode: CaseIterable {
    case untimed, silent, noFix, otherAlone, both
  }

  private static let other = DeviceID(7)
  private static let day: Int64 = 24 * 3_600 * 1_000

  private var receiver: Receiver
  private var random: SeededRandom
  private var episode: (kind: Episode, left: Int)?
  /// What the receiver's own clock is off, for good.
  private var clockMs: Int64 = 0
  /// Where the receiver sees itself, for good.
  private var displacement: (azimuth: Double, length: Metres)?
  private var isSecondPresent: Bool

  var inputs: [DriveInput] { receiver.inputs }

  init(_ receiver: Receiver, random: SeededRandom) {
    self.receiver = receiver
    self.random = random
    isSecondPresent = self.random.chance(0.4)
  }

  mutating func hear(_ moment: Road.Moment) {
    var fix = receiver.fix(moment)
    fix.time = fix.time?.advanced(by: clockMs)
    if let displacement { move(&fix, displacement) }
    if let running = episode {
      episode = running.left > 1 ? (running.kind, running.left - 1) : nil
      play(running.kind, fix, moment)
    } else if random.chance(0.012) {
      let kind = random.pick(Episode.allCases, else: .silent)
      episode = (kind, random.whole(3...25))
      receiver.report(fix, at: moment.ms)
    } else {
      if random.chance(0.15) { mishap(fix, moment) } else { receiver.report(fix, at: moment.ms) }
      if isSecondPresent { reportSecond(moment) }
    }
  }

  private mutating func play(_ kind: Episode, _ fix: Fix, _ moment: Road.Moment) {
    var fix = fix
    switch kind {
    case .untimed:
      fix.time = nil
      if random.chance(0.02) { receiver.wallOffsetMs += random.chance(0.5) ? 3 * Self.day : -700 }
      receiver.report(fix, at: moment.ms)
      if random.chance(0.05) { receiver.report(fix, at: moment.ms) }
    case .silent: break
    case .noFix:
      fix.mode = 1
      receiver.report(fix, at: moment.ms)
    case .otherAlone: reportSecond(moment)
    case .both:
      receiver.report(fix, at: moment.ms)
      reportSecond(moment)
    }
  }

  private mutating func reportSecond(_ moment: Road.Moment) {
    var fix = receiver.fix(moment)
    fix.device = Self.other
    let offset = Int64(random.whole(0...1) * 137)
    fix.time = random.chance(0.01) ? nil : fix.time?.advanced(by: offset)
    if random.chance(0.01) { fix.time = fix.time?.advanced(by: -2_000) }
    if random.chance(0.01) { move(&fix, (random.uniform(0, 360), 3_000)) }
    receiver.report(fix, at: moment.ms)
    if random.chance(0.1) { receiver.report(fix, at: moment.ms) }
  }

  /// One fault, in place of the fix or round it.
  private mutating func mishap(_ fix: Fix, _ moment: Road.Moment) {
    switch random.whole(0...5) {
    case 0: repeats(fix, moment.ms)
    case 1: stepsBack(fix, moment.ms)
    case 2: runsAhead(fix, moment.ms)
    case 3: jumps(fix, moment.ms)
    case 4: setsForGood(fix, moment.ms)
    default: receiver.report(spoilt(fix), at: moment.ms)
    }
  }

  /// Two or three reports of one epoch.
  private mutating func repeats(_ fix: Fix, _ ms: Int64) {
    for _ in 0..<random.whole(2...3) {
      var again = fix
      if random.chance(0.5) { again.coordinate = fix.coordinate.map { receiver.shown($0) } }
      receiver.report(again, at: ms)
    }
  }

  /// One to three reports with earlier times, then it goes on.
  private mutating func stepsBack(_ fix: Fix, _ ms: Int64) {
    receiver.report(fix, at: ms)
    let back = Int64(random.whole(3...9)) * 1_000
    for index in 0..<random.whole(1...3) {
      var old = fix
      old.time = fix.time?.advanced(by: Int64(index) * 1_000 - back)
      receiver.report(old, at: ms)
    }
  }

  /// Three reports of one epoch, a day ahead.
  private mutating func runsAhead(_ fix: Fix, _ ms: Int64) {
    var ahead = fix
    ahead.time = fix.time?.advanced(by: Self.day)
    for _ in 0..<3 { receiver.report(ahead, at: ms) }
  }

  /// 5 km off, for this fix.
  private mutating func jumps(_ fix: Fix, _ ms: Int64) {
    var off = fix
    move(&off, (random.uniform(0, 360), 5_000))
    receiver.report(off, at: ms)
  }

  /// From now on 5 km off (or back), or on another clock.
  private mutating func setsForGood(_ fix: Fix, _ ms: Int64) {
    receiver.report(fix, at: ms)
    guard random.chance(0.3) else { return }
    if random.chance(0.5) {
      displacement = displacement == nil ? (random.uniform(0, 360), 5_000) : nil
    } else {
      clockMs += random.pick([-3_600_000, -40_000, 2_000_000, Self.day, -Self.day], else: 0)
    }
  }

  /// A fix that the gate rejects, or must not.
  private mutating func spoilt(_ fix: Fix) -> Fix {
    var bad = fix
    switch random.whole(0...11) {
    case 0: bad.mode = UInt8(random.whole(0...1))
    case 1: bad.coordinate = nil
    case 2: bad.coordinate?.latitude = .nan
    case 3: bad.coordinate?.longitude = random.pick([180.001, -.infinity, 1e300], else: 181)
    case 4: bad.coordinate?.latitude = 90.5
    case 5: bad.coordinate = Coordinate(latitude: 0, longitude: random.chance(0.5) ? 0 : -0.0)
    case 6: bad.horizontalError = random.pick([100, 100.001, 3_000], else: 101)
    case 7: bad.horizontalError = 0
    case 8: bad.origin = .simulated
    case 9: bad.origin = .estimated
    default: bad.time = nil
    }
    return bad
  }

  private func move(_ fix: inout Fix, _ by: (azimuth: Double, length: Metres)) {
    guard let place = fix.coordinate else { return }
    fix.coordinate = receiver.displaced(place, azimuth: by.azimuth, length: by.length)
  }
}
