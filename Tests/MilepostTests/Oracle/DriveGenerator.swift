import Geodesy
import Milepost
import TestSupport

/// What a drive is like.
enum DriveKind: String, CaseIterable {
  case stops, noise, gaps, mixedRadii, nested, antimeridian, north64, north85, jam, creep, dirty
  case exitMargin
}

/// Drives that a kind and a seed determine.
struct DriveGenerator {
  private let kind: DriveKind
  private let seed: UInt64
  private var random: SeededRandom
  private var road: Road
  /// Deviation of the receiver's noise, metres.
  private var noise: Metres = 0

  static func drive(_ kind: DriveKind, seed: UInt64) -> Drive {
    var generator = DriveGenerator(kind, seed: seed)
    return generator.make()
  }

  private init(_ kind: DriveKind, seed: UInt64) {
    self.kind = kind
    self.seed = seed
    random = SeededRandom(seed: seed &* 31 &+ UInt64(kind.rawValue.utf8.reduce(0) { $0 + Int($1) }))
    let start = Self.start(kind, &random)
    road = Road(
      start: start.place, heading: start.heading, random: SeededRandom(seed: random.next()))
  }

  private static func start(
    _ kind: DriveKind, _ random: inout SeededRandom
  ) -> (place: Coordinate, heading: Double) {
    var place = Coordinate(
      latitude: random.uniform(-60, 60), longitude: random.uniform(-180, 180))
    var heading = random.uniform(0, 360)
    switch kind {
    case .antimeridian:
      let isEastward = random.chance(0.5)
      place.longitude = (isEastward ? 1 : -1) * random.uniform(179.97, 179.995)
      heading = (isEastward ? 90 : 270) + random.uniform(-25, 25)
    case .north64: place.latitude = random.uniform(63.9, 64.1)
    case .north85: place.latitude = random.uniform(84.9, 85.1)
    default: break
    }
    return (place, heading)
  }

  private mutating func make() -> Drive {
    drive()
    var settings = OracleSettings()
    if kind == .exitMargin || random.chance(0.15) { settings.exitMargin = 25 }
    var fencing = Fencing(road: road, random: SeededRandom(seed: random.next()))
    addFences(&fencing)
    let inputs = receive()
    return Drive(
      name: kind.rawValue, seed: seed, settings: settings, fences: fencing.fences,
      inputs: inputs)
  }

  private mutating func drive() {
    if random.chance(0.4) { noise = random.uniform(0.2, 2) }
    switch kind {
    case .stops: driveWithStops()
    case .noise:
      noise = 3
      driveWithStops()
    case .gaps: driveWithGaps()
    case .nested: driveThroughNest()
    case .jam: driveInJam()
    case .creep: creep()
    case .mixedRadii: cruise(seconds: 500, speeds: 15...40)
    case .exitMargin:
      for _ in 0..<25 {
        cruise(seconds: 8, speeds: 8...36)
        road.drive(speed: 25, seconds: random.uniform(2, 9), isSeen: false)
      }
      driveWithStops(until: 550)
    case .antimeridian, .north64, .north85, .dirty:
      cruise(seconds: 300, speeds: 8...36)
      driveWithStops(until: 550)
    }
  }

  private mutating func cruise(seconds: Double, speeds: ClosedRange<Double>) {
    var left = seconds
    while left > 0 {
      let part = random.uniform(10, 60)
      road.drive(speed: random.uniform(speeds.lowerBound, speeds.upperBound), seconds: part)
      left -= part
    }
  }

  private mutating func driveWithStops(until count: Int = 600) {
    while road.seen < count {
      cruise(seconds: random.uniform(10, 60), speeds: 3...28)
      road.drive(speed: 0, seconds: random.uniform(5, 90))
    }
  }

  private mutating func driveInJam() {
    if random.chance(0.7) { noise = random.uniform(0.3, 3) }
    cruise(seconds: 40, speeds: 10...20)
    var hasStoodLong = false
    while road.seen < 700 {
      road.drive(speed: random.uniform(0.5, 6), seconds: random.uniform(2, 12))
      let stands = !hasStoodLong && road.seen > 200 ? 300 : random.logarithmic(2, 60)
      hasStoodLong = hasStoodLong || stands == 300
      road.drive(speed: 0, seconds: stands)
    }
    cruise(seconds: 20, speeds: 10...20)
  }

  private mutating func creep() {
    noise = random.pick([0, 0.3, 1, 3], else: 0)
    road.periodMs = 100
    while road.seen < 1_400 {
      road.drive(speed: random.uniform(0.8, 1.2), seconds: random.uniform(5, 30))
      if random.chance(0.3) { road.drive(speed: 0, seconds: random.uniform(1, 10)) }
    }
  }

  private mutating func driveWithGaps() {
    while road.seen < 450 {
      cruise(seconds: random.uniform(10, 50), speeds: 5...30)
      switch random.whole(0...6) {
      case 0: road.drive(speed: 25, seconds: random.uniform(11, 90), isSeen: false)
      case 1: road.jump(length: random.uniform(505, 900), seconds: random.uniform(7.5, 9.5))
      case 2: road.drive(speed: 20, seconds: random.uniform(3, 12), isSeen: false)
      case 3: park(seconds: random.uniform(60, 1_200), moved: 0)
      case 4: park(seconds: random.uniform(60, 1_200), moved: random.uniform(2, 14))
      case 5: park(seconds: random.uniform(60, 1_200), moved: random.uniform(16, 400))
      default: park(seconds: random.uniform(600, 3_600), moved: random.uniform(1_000, 20_000))
      }
    }
  }

  /// Stops, loses power, and is found again a little or far away, standing or on its way.
  private mutating func park(seconds: Double, moved: Metres) {
    road.drive(speed: 0, seconds: random.uniform(1, 20))
    road.jump(length: moved, turn: random.uniform(-90, 90), seconds: seconds)
    if random.chance(0.5) { road.drive(speed: 0, seconds: random.uniform(1, 20)) }
  }

  /// In towards the spot where the nest will be, and out again by driving and by leaps.
  private mutating func driveThroughNest() {
    cruise(seconds: 150, speeds: 10...25)
    road.drive(speed: 0, seconds: 20)
    for _ in 0..<4 {
      road.jump(length: random.uniform(90, 130), turn: 180, seconds: 1)
      road.drive(speed: 12, seconds: 8)
    }
    road.jump(length: random.uniform(300, 490), seconds: random.uniform(5, 9))
    cruise(seconds: 60, speeds: 10...30)
    road.jump(length: random.uniform(2_000, 9_000), turn: 170, seconds: random.uniform(120, 400))
    cruise(seconds: 60, speeds: 10...30)
    road.jump(length: random.uniform(120_000, 200_000), seconds: 3_600)
    cruise(seconds: 60, speeds: 10...30)
  }

  private mutating func addFences(_ fencing: inout Fencing) {
    switch kind {
    case .nested:
      let arrival: Road.Moment = road.moments.last { $0.ms <= 160_000 } ?? road.last
      let largest = random.pick([1e3, 1e4, 1e5], else: 1e3)
      fencing.addNest(at: arrival.place, count: 100, radii: 10...largest)
      fencing.addMileposts(upTo: 130)
    case .mixedRadii:
      fencing.addMileposts(upTo: 60)
      fencing.addRims(80, radii: 10...100_000)
      fencing.addStrays(20)
    default:
      fencing.addMileposts(upTo: 90)
      fencing.addRims(35, radii: 10...2_000)
      fencing.addStrays(30)
      if random.chance(0.3) { fencing.addRims(5, radii: 2_000...100_000) }
    }
  }

  /// What the receiver makes of the road.
  private mutating func receive() -> [DriveInput] {
    let decimals = random.chance(0.5) ? 1e7 : 1e9
    var receiver = Receiver(
      decimals: decimals, noise: noise, random: SeededRandom(seed: random.next()))
    if kind == .dirty {
      var dirty = DirtyReceiver(receiver, random: SeededRandom(seed: random.next()))
      for moment in road.moments where moment.isSeen { dirty.hear(moment) }
      return dirty.inputs
    }
    for moment in road.moments where moment.isSeen { receiver.report(moment) }
    return receiver.inputs
  }
}
