import Geodesy
import Glibc
import Milepost
import TestSupport

/// A vehicle's true way, laid down as it drives, and what its receiver shows of it.
struct Road {
  /// The vehicle at an instant.
  struct Moment {
    var ms: Int64
    var place: Coordinate
    /// Degrees clockwise from true north, of the way ahead.
    var heading: Double
    /// Metres driven since the start.
    var odometer: Metres
    /// False in tunnels, with the power off.
    var isSeen: Bool
  }

  let ground = Ground()
  private(set) var moments: [Moment]
  /// Milliseconds between two fixes.
  var periodMs: Int64 = 1_000
  private var random: SeededRandom
  private var bend = 0.0

  init(start: Coordinate, heading: Double, random: SeededRandom) {
    moments = [Moment(ms: 0, place: start, heading: heading, odometer: 0, isSeen: true)]
    self.random = random
  }

  var last: Moment { moments[moments.count - 1] }

  var seen: Int { moments.count { $0.isSeen } }

  /// Goes on for `seconds` at about `speed` m/s, on a winding way.
  mutating func drive(speed: Double, seconds: Double, isSeen: Bool = true) {
    for _ in 0..<max(1, Int(seconds * 1_000 / Double(periodMs))) {
      bend = 0.9 * bend + 0.1 * random.uniform(-0.01, 0.01)
      let length =
        speed == 0 ? 0 : speed * random.uniform(0.9, 1.1) * Double(periodMs) / 1_000
      move(length: length, turn: bend * length * 2, ms: periodMs, isSeen: isSeen)
    }
  }

  /// Is `length` metres on after `seconds`, without a fix in between.
  mutating func jump(length: Metres, turn: Double = 0, seconds: Double) {
    move(length: length, turn: turn, ms: Int64(seconds * 1_000), isSeen: true)
  }

  private mutating func move(length: Metres, turn: Double, ms: Int64, isSeen: Bool) {
    var next = last
    let azimuth = next.heading + turn
    let arrival = ground.destination(from: next.place, azimuth: azimuth, length: length)
    next.ms += ms
    next.place = length == 0 ? next.place : arrival.place
    next.heading = length == 0 ? azimuth : arrival.azimuth
    next.odometer += length
    next.isSeen = isSeen
    moments.append(next)
  }

  /// The place `length` metres off `place`.
  func offset(_ place: Coordinate, azimuth: Double, length: Metres) -> Coordinate {
    ground.destination(from: place, azimuth: azimuth, length: length).place
  }
}

/// Fences along a road and beside it.
struct Fencing {
  let road: Road
  private var random: SeededRandom
  private(set) var fences: [Geofence] = []

  init(road: Road, random: SeededRandom) {
    self.road = road
    self.random = random
  }

  /// Names whose order differs between bytes, UTF-16 and the alphabet.
  private static let roads = ["國道5號", "A 3", "a3", "Z", "é", "\u{FF5E}", "🛣", "B/1"]

  private mutating func add(_ centre: Coordinate, _ radius: Metres) {
    let name = random.pick(Self.roads, else: "")
    fences.append(
      Geofence(id: "\(name)/\(fences.count)K+000", centre: centre, radius: radius))
  }

  /// Mileposts every 100 to 500 m, closer together on a short road, each a little beside it.
  mutating func addMileposts(upTo count: Int) {
    let length = road.last.odometer
    let spacing = min(random.uniform(100, 500), max(length, 1) / 40)
    var due = random.uniform(0, spacing)
    for moment in road.moments where moment.odometer >= due && fences.count < count {
      due = moment.odometer + spacing
      let radius = random.pick([10, 12.5, 15, 25, 40, 60, random.uniform(10, 90)], else: 40)
      let side = random.chance(0.5) ? 90.0 : -90
      add(
        road.offset(
          moment.place, azimuth: moment.heading + side, length: radius * random.uniform(0, 1.15)),
        radius)
    }
  }

  /// Circles whose rim crosses the road near some fix, mostly by more than 30 degrees.
  mutating func addRims(_ count: Int, radii: ClosedRange<Metres>) {
    for _ in 0..<count {
      let moment = random.pick(road.moments, else: road.last)
      let radius = random.logarithmic(radii.lowerBound, radii.upperBound)
      let azimuth = moment.heading + random.uniform(-60, 60) + (random.chance(0.5) ? 180 : 0)
      let length = max(radius + random.uniform(-20, 20), radius / 2)
      add(road.offset(moment.place, azimuth: azimuth, length: length), radius)
    }
  }

  /// Circles anywhere near the road, met or not.
  mutating func addStrays(_ count: Int) {
    for _ in 0..<count {
      let moment = random.pick(road.moments, else: road.last)
      let centre = road.offset(
        moment.place, azimuth: random.uniform(0, 360), length: random.logarithmic(1, 3_000))
      add(centre, random.logarithmic(10, 1_000))
    }
  }

  /// Circles of growing radius round one spot, two of them alike.
  mutating func addNest(at spot: Coordinate, count: Int, radii: ClosedRange<Metres>) {
    let growth = radii.upperBound / radii.lowerBound
    for index in 0..<count {
      let share = Double(max(index, 1)) / Double(count)
      add(spot, radii.lowerBound * pow(growth, share))
    }
  }
}
