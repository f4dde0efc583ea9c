import Geodesy
import Milepost

/// The sentences of one time of day, as one fix in the making.
struct NMEAEpoch {
  private(set) var timeOfDay: Int64?
  /// The kinds of sentence so far, one bit each.
  private(set) var kinds: UInt8 = 0
  var isEmitted = false
  private var day: NMEASentence.Day?
  private var coordinate: Coordinate?
  private var speed: Double?
  private var track: Double?
  private var hasAltitude = false
  private var origin = Fix.Origin.measured

  /// True where `sentence` speaks of this epoch: of the same time, or one of the two untimed and the
  /// kind not yet seen.
  func accepts(_ sentence: NMEASentence) -> Bool {
    if let mine = timeOfDay, let other = sentence.timeOfDay { return mine == other }
    return kinds & sentence.kind.rawValue == 0
  }

  /// The first valid position counts, and of all valid sentences the least trustworthy origin.
  mutating func add(_ sentence: NMEASentence) {
    kinds |= sentence.kind.rawValue
    timeOfDay = timeOfDay ?? sentence.timeOfDay
    day = day ?? sentence.day
    guard let position = sentence.coordinate else { return }
    coordinate = coordinate ?? position
    speed = speed ?? sentence.speed
    track = track ?? sentence.track
    hasAltitude = hasAltitude || sentence.hasAltitude
    if sentence.origin.rawValue > origin.rawValue { origin = sentence.origin }
  }

  /// The fix as far as known; `last`, the time of the fix before, dates a time of day without date.
  func fix(after last: Timestamp?) -> Fix {
    Fix(
      mode: coordinate == nil ? 1 : hasAltitude ? 3 : 2, coordinate: coordinate,
      time: time(after: last), speed: speed, track: track, origin: origin)
  }

  private func time(after last: Timestamp?) -> Timestamp? {
    guard let timeOfDay else { return nil }
    if let midnight = day?.midnight { return midnight.advanced(by: timeOfDay) }
    guard let last else { return nil }
    let day: Int64 = 86_400_000
    var ahead = (timeOfDay - last.milliseconds) % day
    if ahead <= -day / 2 { ahead += day }
    if ahead > day / 2 { ahead -= day }
    return last.advanced(by: ahead)
  }
}
