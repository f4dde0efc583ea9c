import Geodesy
import Milepost

/// The settings that decide events, with the defaults of the documented configuration.
struct OracleSettings {
  var jitterThreshold: Metres = 15
  var maxHorizontalError: Metres = 100
  /// m/s; 500 km/h.
  var maxSpeed: Double = 500 / 3.6
  var maxGapMs: Int64 = 10_000
  var maxGapDistance: Metres = 500
  var exitMargin: Metres = 0
  var deadReckoning = false
  var simulated = false
  /// The only device to be heard. Nil pins the first with a usable fix, until it falls silent.
  var device: DeviceID?
}

/// One fix as it came: with the clocks of the moment.
struct DriveInput {
  var fix: Fix
  var receiptWall: Timestamp
  var receiptBootMs: Int64
}

/// One recorded way of a vehicle, and the fences along it.
struct Drive {
  var name: String
  var seed: UInt64
  var settings: OracleSettings
  var fences: [Geofence]
  var inputs: [DriveInput]
}
