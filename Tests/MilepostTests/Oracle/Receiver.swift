import Geodesy
import Milepost
import TestSupport

/// A well-behaved receiver: noise, whole units of a degree, a late and unsteady report.
struct Receiver {
  /// 2026-11-30T09:00:00Z.
  static let epochMs: Int64 = 1_796_029_200_000

  private let ground = Ground()
  private let decimals: Double
  private let noise: Metres
  private var random: SeededRandom
  private let delayMs: Int64
  /// What the machine's clock is off.
  var wallOffsetMs: Int64
  private(set) var inputs: [DriveInput] = []

  init(decimals: Double, noise: Metres, random: SeededRandom) {
    self.decimals = decimals
    self.noise = noise
    self.random = random
    delayMs = Int64(self.random.whole(40...300))
    wallOffsetMs = Int64(self.random.whole(-5_000...5_000))
  }

  /// The fix of a moment.
  mutating func fix(_ moment: Road.Moment) -> Fix {
    Fix(
      coordinate: shown(moment.place),
      time: Timestamp(milliseconds: Self.epochMs + moment.ms),
      horizontalError: random.chance(0.5) ? random.uniform(1, 20) : nil)
  }

  mutating func report(_ moment: Road.Moment) { report(fix(moment), at: moment.ms) }

  /// Hands on `fix`, received a little after the moment `ms`.
  mutating func report(_ fix: Fix, at ms: Int64) {
    let previous = inputs.last?.receiptBootMs ?? .min
    let boot = max(60_000 + ms + delayMs + Int64(random.whole(0...20)), previous)
    let wall = Self.epochMs - 60_000 + boot + wallOffsetMs
    inputs.append(
      DriveInput(fix: fix, receiptWall: Timestamp(milliseconds: wall), receiptBootMs: boot))
  }

  /// The place with noise, as the receiver writes it.
  mutating func shown(_ place: Coordinate) -> Coordinate {
    var noisy = place
    if noise > 0 {
      let north = noise * random.normal()
      let east = noise * random.normal()
      noisy = ground.destination(from: noisy, azimuth: 0, length: north).place
      noisy = ground.destination(from: noisy, azimuth: 90, length: east).place
    }
    return Coordinate(
      latitude: (noisy.latitude * decimals).rounded() / decimals,
      longitude: (noisy.longitude * decimals).rounded() / decimals)
  }

  func displaced(_ place: Coordinate, azimuth: Double, length: Metres) -> Coordinate {
    ground.destination(from: place, azimuth: azimuth, length: length).place
  }
}
