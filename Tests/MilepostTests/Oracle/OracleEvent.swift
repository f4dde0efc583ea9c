import Geodesy
import Milepost

/// An event as the oracle tells it.
struct OracleEvent {
  enum Kind: String { case enter, exit }
  enum Cause: String { case initial, crossing, gap }

  var kind: Kind
  var fence: String
  var cause: Cause
  /// Rounded to the nearest millisecond, halves away from zero.
  var time: Timestamp
  var interpolated: Bool
  var gapMs: Int64?
  /// Centre to the accepted fix, along the geodesic.
  var distance: Metres

  /// Which input made it, counted from 0.
  var input: Int
  /// Milliseconds since 1970 that the time may be where the circle were as much larger or smaller as
  /// chords can make it: ``Circle/tie(radius:)``.
  var range: ClosedRange<Double>
  var radius: Metres
  /// Exits of fences held before come first, then enters, then exits that end a passage.
  var rank: Int

  /// The order of one step's events.
  static func precedes(_ a: OracleEvent, _ b: OracleEvent) -> Bool {
    if a.time != b.time { return a.time < b.time }
    if a.rank != b.rank { return a.rank < b.rank }
    return a.fence.utf8.lexicographicallyPrecedes(b.fence.utf8)
  }
}

extension OracleEvent: CustomStringConvertible {
  var description: String {
    "\(kind) \(fence) \(cause) \(time) interpolated=\(interpolated) gap_ms=\(gapMs ?? -1)"
      + " distance=\(distance) radius=\(radius) input=\(input)"
  }
}

/// What can be said of all circles.
enum Circle {
  /// How near to a circle chords and the geodesic may disagree about a side, metres.
  ///
  /// 1 µm for arithmetic; the depth of a 515 m segment under the ground (5.2 mm), which a chord of
  /// length r sees as depth² / 2r; and the chord's own error, 12 µm at 10 km and 12 mm at 100 km,
  /// which grows with the cube of the radius (the bound is tested).
  static func tie(radius: Metres) -> Metres {
    let part = radius / 100_000
    return 1e-6 + 1.4e-5 / max(radius, 1) + 15e-3 * part * part * part + 5e-5 * part
  }
}
