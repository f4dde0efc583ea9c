import Geodesy
import Glibc
import Milepost
import TestSupport
import Testing

/// Expectations by hand. On the equator the geodesic is the equator: a degree is
/// 6,378,137 m · π/180 = 111,319.491 m, and 0.0005° = 55.660 m.
@Suite struct OracleTests {
  private static func input(
    _ ms: Int64, _ longitude: Double, latitude: Double = 0
  ) -> DriveInput {
    let time = Timestamp(milliseconds: ms)
    let place = Coordinate(latitude: latitude, longitude: longitude)
    return DriveInput(
      fix: Fix(coordinate: place, time: time), receiptWall: time, receiptBootMs: ms)
  }

  /// East along the equator from 10° E, 0.0005° a second.
  private static func straight(_ seconds: ClosedRange<Int64>) -> [DriveInput] {
    seconds.map { input($0 * 1_000, 10 + Double($0) * 0.0005) }
  }

  private static func run(
    _ inputs: [DriveInput], _ longitude: Double, latitude: Double = 0, radius: Metres,
    exitMargin: Metres = 0
  ) -> [String] {
    let fence = Geofence(
      id: "a", centre: Coordinate(latitude: latitude, longitude: longitude), radius: radius)
    var settings = OracleSettings()
    settings.exitMargin = exitMargin
    let drive = Drive(name: "", seed: 0, settings: settings, fences: [fence], inputs: inputs)
    return Oracle.run(drive).events.map {
      let gap = $0.gapMs.map { " after \($0)" } ?? ""
      return "\($0.time.milliseconds) \($0.kind) \($0.cause)\(gap)\($0.interpolated ? "" : " at")"
    }
  }

  @Test("A circle on a straight road is entered and left where the road meets it")
  func straightRoad() {
    // 100 m are 0.000898315°: from 0.009101685° to 0.010898315°, each over 0.0005°.
    let events = Self.run(Self.straight(0...40), 10.01, radius: 100)
    #expect(events == ["18203 enter crossing", "21797 exit crossing"])
  }

  @Test("A circle between two fixes is a passage")
  func passage() {
    // 10 m are 0.0000898315°: 0.00525° minus and plus that, over 0.0005°.
    let events = Self.run(Self.straight(0...40), 10.00525, radius: 10)
    #expect(events == ["10320 enter crossing", "10680 exit crossing"])
  }

  @Test("A circle beside the road is crossed along its chord")
  func besideTheRoad() {
    // 8 m north (110,574.28 m a degree at the equator) of a circle of 10 m: 6 m either way,
    // 6 / 55.660 of a second before and after 10.5 s.
    let events = Self.run(
      Self.straight(0...40), 10.00525, latitude: 8 / 110_574.28, radius: 10)
    #expect(events == ["10392 enter crossing", "10608 exit crossing"])
    let missed = Self.run(
      Self.straight(0...40), 10.00525, latitude: 10.01 / 110_574.28, radius: 10)
    #expect(missed == [])
  }

  @Test("With a margin the exit is at the outer circle")
  func exitMargin() {
    // 125 m are 0.001122894°: left at 0.011122894°, or 22.2458 s.
    let events = Self.run(Self.straight(0...40), 10.01, radius: 100, exitMargin: 25)
    #expect(events == ["18203 enter crossing", "22246 exit crossing"])
    // The fix at 22 s is 111.32 m away, within 86.9 + 25 m: left 111.9 m on, after 22.0104 s.
    let within = Self.run(Self.straight(0...40), 10.01, radius: 86.9, exitMargin: 25)
    #expect(within == ["18439 enter crossing", "22010 exit crossing"])
    // A passage of 10 m ends 27.83 m past the centre, within 35 m of it: left in the next step,
    // 0.00525° + 0.000314410° over 0.0005°.
    let stays = Self.run(Self.straight(0...40), 10.00525, radius: 10, exitMargin: 25)
    #expect(stays == ["10320 enter crossing", "11129 exit crossing"])
  }

  @Test("A car that parks and drives off crosses when it moves")
  func parked() {
    // Ten minutes at the anchor, then 55.66 m in a second; the rim is 22.26 m (0.0002°) on.
    let stop = (0...600).map { Self.input($0 * 1_000, 10) }
    let metre = 6_378_137 * Double.pi / 180
    let events = Self.run(stop + [Self.input(601_000, 10.0005)], 10.001, radius: 0.0008 * metre)
    #expect(events == ["600400 enter crossing"])
  }

  @Test("The first fix tells where it is")
  func firstFix() {
    #expect(Self.run([Self.input(5_000, 10)], 10, radius: 10) == ["5000 enter initial at"])
  }

  @Test("After a gap only the end counts")
  func gap() {
    // From 10.0045° (9 s) to 10.010° (20 s): 11 s.
    let events = Self.run(
      Self.straight(0...9) + Self.straight(20...40), 10.01, radius: 100)
    #expect(events == ["20000 enter gap after 11000 at", "21797 exit crossing"])
    let passed = Self.run(Self.straight(0...9) + Self.straight(20...40), 10.007, radius: 100)
    #expect(passed == [])
  }

  @Test("A gap that ends within the jitter leaves the anchor its place, and the next step counts")
  func gapThenIgnored() {
    let inputs = [
      Self.input(0, 10), Self.input(60_000, 10.0001), Self.input(61_000, 10.0005),
    ]
    let metre = 6_378_137 * Double.pi / 180
    // The anchor is at 10° at 60 s, the fix at 10.0005° at 61 s, the rim at 10.0002°.
    #expect(
      Self.run(inputs, 10.001, radius: 0.0008 * metre) == ["60400 enter crossing"])
  }

  @Test("Ignored fixes of before a gap, or of an earlier step, tell no time")
  func trailStartsAnew() {
    let metre = 6_378_137 * Double.pi / 180
    let overGap = [
      Self.input(0, 10), Self.input(5_000, 10.0001), Self.input(60_000, 10.0001),
      Self.input(61_000, 10.0005),
    ]
    #expect(Self.run(overGap, 10.001, radius: 0.0008 * metre) == ["60400 enter crossing"])
    let overStep = [
      Self.input(0, 10), Self.input(1_000, 10.0001), Self.input(2_000, 10.0005),
      Self.input(3_000, 10.001),
    ]
    #expect(Self.run(overStep, 10.0017, radius: 0.001 * metre) == ["2400 enter crossing"])
  }

  @Test("A fix 15 m and half a millimetre away is ignored, one further is not")
  func jitter() {
    let metre = 6_378_137 * Double.pi / 180
    func accepted(_ distance: Metres) -> Int {
      let drive = Drive(
        name: "", seed: 0, settings: OracleSettings(), fences: [],
        inputs: [Self.input(0, 10), Self.input(1_000, 10 + distance / metre)])
      return Oracle.run(drive).accepted
    }
    #expect(accepted(15) == 1)
    #expect(accepted(15.0004) == 1)
    #expect(accepted(15.0006) == 2)
  }

  @Test("The trail keeps what is nearer than all later, and the fix right after each")
  func thinning() {
    let levels = [3, 5, 4, 4, 4, 9]
    let ignored = levels.enumerated().map { index, level in
      OracleStep.Ignored(
        place: Coordinate(latitude: 0, longitude: 10),
        time: Timestamp(milliseconds: Int64(index)), level: level)
    }
    #expect(OracleStep.thinned(ignored).map { $0.time.milliseconds } == [0, 1, 4, 5])
  }

  @Test("Events of one instant: exits of held fences, enters, then ids by bytes")
  func order() {
    let (here, there) = (
      Coordinate(latitude: 0, longitude: 10), Coordinate(latitude: 0, longitude: 10.1)
    )
    let fences = [
      Geofence(id: "🛣", centre: here, radius: 20),
      Geofence(id: "\u{FF5E}", centre: here, radius: 9),
      Geofence(id: "b", centre: there, radius: 20), Geofence(id: "B", centre: there, radius: 20),
    ]
    let drive = Drive(
      name: "", seed: 0, settings: OracleSettings(), fences: fences,
      inputs: [Self.input(0, 10), Self.input(3_600_000, 10.1)])
    let told = Oracle.run(drive).events.map { "\($0.kind) \($0.fence)" }
    #expect(
      told == [
        "enter \u{FF5E}", "enter 🛣", "exit \u{FF5E}", "exit 🛣", "enter B", "enter b",
      ])
  }

  @Test("A place becomes a vector and the same place again")
  func vectors() {
    let ground = Ground()
    var random = SeededRandom(seed: 1)
    for _ in 0..<1_000 {
      let place = Coordinate(
        latitude: random.uniform(-90, 90), longitude: random.uniform(-180, 180))
      #expect(ground.distance(place, ground.place(ground.vector(place))) < 1e-8)
    }
  }

  @Test("The tie covers what a chord of the mean radius is off", arguments: [10.0, 64, 85])
  func tieBound(latitude: Double) {
    let ground = Ground()
    var random = SeededRandom(seed: 2)
    for _ in 0..<2_000 {
      let centre = Coordinate(
        latitude: latitude + random.uniform(-1, 1), longitude: random.uniform(-180, 180))
      let radius = random.logarithmic(1, 100_000)
      let rim = ground.destination(
        from: centre, azimuth: random.uniform(0, 360), length: radius
      ).place
      let between = ground.vector(rim) - ground.vector(centre)
      let chord = 2 * 6_371_008.8 * sin(radius / (2 * 6_371_008.8))
      let fault = abs(between.dot(between).squareRoot() - chord)
      #expect(fault < Circle.tie(radius: radius), "radius \(radius)")
    }
  }
}
