package import Geodesy

/// Where a fix's time comes from. Times of different sources are never compared.
package enum TimeSource: String, Sendable {
  /// The receiver.
  case fix
  /// The system's clock when the fix came in.
  case system
}

/// The time of a fix, and whose clock told it.
package struct FixTime: Equatable, Sendable {
  package var time: Timestamp
  package var source: TimeSource

  package init(time: Timestamp, source: TimeSource) {
    self.time = time
    self.source = source
  }
}

/// When a fix came in: by the system's clock, and by one that never steps.
package struct Receipt: Sendable {
  package var wall: Timestamp
  /// Milliseconds of CLOCK_BOOTTIME.
  package var boot: Int64

  package init(wall: Timestamp, boot: Int64) {
    self.wall = wall
    self.boot = boot
  }
}

/// How a usable fix follows the usable one before it.
package enum Continuity: Equatable, Sendable {
  case continuous
  /// Nothing usable for too long or too far; the milliseconds since the last usable fix.
  case gap(milliseconds: Int64)
  /// The times on either side cannot be compared.
  case newTimeline
}

/// A fix that the gate let through: it has a place and a time.
package struct UsableFix: Sendable {
  package var coordinate: Coordinate
  package var point: ECEF
  package var time: Timestamp
  package var timeSource: TimeSource
  package var continuity: Continuity
  /// Speed over ground, m/s.
  package var speed: Double?
  /// Course over ground, degrees clockwise from true north.
  package var track: Double?
  package var horizontalError: Metres?

  package init(
    coordinate: Coordinate, point: ECEF, time: Timestamp, timeSource: TimeSource,
    continuity: Continuity = .continuous, speed: Double? = nil, track: Double? = nil,
    horizontalError: Metres? = nil
  ) {
    self.coordinate = coordinate
    self.point = point
    self.time = time
    self.timeSource = timeSource
    self.continuity = continuity
    self.speed = speed
    self.track = track
    self.horizontalError = horizontalError
  }
}
