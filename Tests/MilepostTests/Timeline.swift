import Geodesy
import Milepost
import TestSupport

/// A story of fixes: (second, metres east of a place in open country), told to an engine.
struct Timeline {
  static let origin = Coordinate(latitude: 48, longitude: 11)
  static let begin = Timestamp(milliseconds: 1_764_493_200_000)

  var settings = Engine.Settings()
  /// Centres in metres east of the origin.
  var fences: [(id: String, east: Metres, radius: Metres)]
  var start = GeofenceTracker.Start.firstRun

  static func place(east: Metres, north: Metres = 0) -> Coordinate {
    let foot = Geodesic.destination(from: origin, azimuth: 90, distance: east)
    return Geodesic.destination(from: foot, azimuth: 0, distance: north)
  }

  static func time(_ second: Double) -> Timestamp {
    begin.advanced(by: Int64((second * 1_000).rounded()))
  }

  static func fix(
    _ second: Double, east: Metres, north: Metres = 0, error: Metres? = nil,
    device: DeviceID = .unnamed
  ) -> Fix {
    Fix(
      coordinate: place(east: east, north: north), time: time(second), horizontalError: error,
      device: device)
  }

  func fenceSet() -> FenceSet {
    FenceSet(
      fences.map {
        Geofence(id: $0.id, centre: Self.place(east: $0.east), radius: $0.radius)
      })
  }

  func engine() -> Engine { Engine(settings: settings, fences: fenceSet(), start: start) }

  /// The transitions as readable words: `enter A crossing 12.345`, seconds after the beginning,
  /// with `~` where the time is interpolated and `gap 20` where one is given.
  func events(_ fixes: [(Double, Metres)]) -> [String] {
    events(fixes.map { Self.fix($0.0, east: $0.1) })
  }

  func events(_ fixes: [Fix]) -> [String] {
    var engine = engine()
    return fixes.flatMap { Self.tell(&engine, $0) }
  }

  static func tell(_ engine: inout Engine, _ fix: Fix) -> [String] {
    let receipt = Receipt(wall: fix.time ?? begin, boot: (fix.time ?? begin).milliseconds)
    let observation = engine.observe(fix, receipt: receipt)
    let fences = engine.fences
    return observation.transitions.map { describe($0, fences) }
  }

  static func describe(_ transition: Transition, _ fences: FenceSet) -> String {
    let seconds = Double(transition.time.since(begin)) / 1_000
    let gap = transition.gap.map { " gap \(secondsText(milliseconds: $0))" } ?? ""
    let inside = transition.inside.map { " inside \(secondsText(milliseconds: $0))" } ?? ""
    return "\(transition.kind.rawValue) \(fences[transition.fence].id) "
      + "\(transition.cause.rawValue) \(transition.interpolated ? "~" : "")"
      + "\(decimalText(seconds, places: 3))\(gap)\(inside)"
  }
}
