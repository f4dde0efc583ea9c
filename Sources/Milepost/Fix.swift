package import Geodesy

/// The number that a decoder gives a receiver's name (`/dev/ttyUSB0`).
package struct DeviceID: Hashable, Sendable {
  package let rawValue: UInt16

  package init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// The device of sources that name none.
  package static let unnamed = DeviceID(0)
}

/// One position with its time, from one epoch of one receiver, as decoded: not yet judged.
///
/// Decoders give a fix for every report that could carry one, mode 0 and 1 too, so that
/// ``FixGate`` counts it.
package struct Fix: Equatable, Sendable {
  /// How the receiver came by the position.
  package enum Origin: UInt8, Sendable {
    case measured
    /// Dead reckoning (gpsd status 5, NMEA mode E).
    case estimated
    /// A simulator (gpsd status 8, NMEA mode S).
    case simulated
  }

  /// gpsd's mode: 0 unknown, 1 no fix, 2 two-dimensional, 3 three-dimensional.
  package var mode: UInt8
  /// Nil where the report holds no position. May be out of range or NaN: the gate rejects that.
  package var coordinate: Coordinate?
  /// Nil where the receiver gave no time.
  package var time: Timestamp?
  /// Speed over ground, m/s.
  package var speed: Double?
  /// Course over ground, degrees clockwise from true north, 0 to 360.
  package var track: Double?
  /// Horizontal error: eph, else the larger of epx and epy.
  package var horizontalError: Metres?
  package var origin: Origin
  package var device: DeviceID

  package init(
    mode: UInt8 = 3, coordinate: Coordinate?, time: Timestamp?, speed: Double? = nil,
    track: Double? = nil, horizontalError: Metres? = nil, origin: Origin = .measured,
    device: DeviceID = .unnamed
  ) {
    self.mode = mode
    self.coordinate = coordinate
    self.time = time
    self.speed = speed
    self.track = track
    self.horizontalError = horizontalError
    self.origin = origin
    self.device = device
  }
}
