import Geodesy
import Milepost
import Testing

/// Fixes in, events out; all expectations by hand: the vehicle drives east, so that a fence's rim
/// is at its centre ± its radius and crossing times are proportions.
@Suite("Enter and exit")
struct GeofenceTrackerTests {
  private static let circle = Timeline(fences: [("A", 100, 40)])

  @Test("crossing times are where the step meets the rim")
  func crossing() {
    let events = Self.circle.events([(0, 0), (1, 20), (2, 50), (3, 80), (4, 110), (5, 150)])
    // The rim lies at 60 and 140: a third of the way from 50 to 80, three quarters from 110 to 150.
    #expect(events == ["enter A crossing ~2.333", "exit A crossing ~4.75 inside 2.417"])
  }

  @Test("a fence crossed between two fixes is entered and left")
  func passage() {
    let events = Self.circle.events([(0, 0), (4, 200)])
    #expect(events == ["enter A crossing ~1.2", "exit A crossing ~2.8 inside 1.6"])
  }

  @Test("a step that passes the circle outside its radius makes nothing")
  func pastTheCircle() {
    let fixes = [
      Timeline.fix(0, east: 0, north: 41), Timeline.fix(1, east: 100, north: 41),
      Timeline.fix(2, east: 200, north: 41),
    ]
    #expect(Self.circle.events(fixes) == [])
  }

  @Test("a circle that touches the step is not passed; one nearer by a hair is")
  func graze() {
    func events(_ north: Metres) -> Int {
      Self.circle.events([
        Timeline.fix(0, east: 0, north: north), Timeline.fix(4, east: 200, north: north),
      ]).count
    }
    #expect(events(40.001) == 0)
    #expect(events(39.999) == 2)
  }

  @Test("the first fix inside is an initial enter, not interpolated")
  func initial() {
    #expect(Self.circle.events([(7, 90)]) == ["enter A initial 7"])
  }

  @Test("a parked vehicle that drives off crosses when it drives off, not while it stands")
  func driveOff() {
    // Parked 10 min at 55, 5 m before the rim, then 20 m in one second.
    let parked = (1...600).map { (Double($0), 55.0) }
    let events = Self.circle.events([(0, 30)] + parked + [(601, 75)])
    // The anchor is 55 (25 m from 30) at second 1; the rim is a quarter of the last step.
    #expect(events == ["enter A crossing ~600.25"])
  }

  @Test("a creep crosses when it reached the rim, though it was ignored then")
  func creepOverTheRim() {
    let events = Self.circle.events((0...20).map { (Double($0), 50 + Double($0)) })
    // At 1 m/s from 50; accepted at 66, the rim at 60 is reached in second 10.
    #expect(events == ["enter A crossing ~10"])
  }

  @Test("after a gap in time only the end state counts, at the fix's time")
  func gapInTime() {
    #expect(Self.circle.events([(0, 0), (11, 200)]) == [])
    #expect(Self.circle.events([(0, 0), (11, 100)]) == ["enter A gap 11 gap 11"])
    #expect(
      Self.circle.events([(0, 100), (10.5, 200)]) == [
        "enter A initial 0", "exit A gap 10.5 gap 10.5 inside 10.5",
      ])
  }

  @Test("ten seconds are no gap yet")
  func noGap() {
    #expect(
      Self.circle.events([(0, 0), (10, 200)]) == [
        "enter A crossing ~3", "exit A crossing ~7 inside 4",
      ])
  }

  @Test("a leap of over 500 m is a gap")
  func gapInSpace() {
    #expect(Self.circle.events([(0, 0), (9, 501)]) == [])
    #expect(Self.circle.events([(0, 0), (9, 499)]).count == 2)
  }

  @Test("after a gap that ends where the vehicle stood, the next step is no gap")
  func gapWhileParked() {
    let events = Self.circle.events([(0, 55), (600, 56), (601, 75)])
    // The anchor stays at 55 and takes the time 600.
    #expect(events == ["enter A crossing ~600.25"])
  }

  @Test("with an exit margin, the outer circle is left")
  func exitMargin() {
    var timeline = Self.circle
    timeline.settings.exitMargin = 20
    let events = timeline.events([(0, 0), (1, 100), (2, 150), (3, 120), (4, 150), (5, 170)])
    // Inner rim at 60, outer at 160; wandering between 140 and 160 stays inside.
    #expect(events == ["enter A crossing ~0.6", "exit A crossing ~4.5 inside 3.9"])
  }

  @Test("a step that cuts the inner circle and ends within the margin enters and stays")
  func endsWithinMargin() {
    var timeline = Self.circle
    timeline.settings.exitMargin = 20
    #expect(timeline.events([(0, 0), (2, 150)]) == ["enter A crossing ~0.8"])
    #expect(
      timeline.events([(0, 0), (2, 200)]) == [
        "enter A crossing ~0.6", "exit A crossing ~1.6 inside 1",
      ])
  }

  @Test("events of one step: by time, then exits of held, enters, exits of passages, then id")
  func order() {
    let timeline = Timeline(fences: [
      ("b", 100, 40), ("a", 100, 40), ("ä", 100, 40), ("Z", 180, 40), ("c", 300, 40),
    ])
    let events = timeline.events([(0, 100), (2, 180)])
    // The rims of a, b, ä and of Z meet at 140: half-way. UTF-8 order puts ä last.
    #expect(
      events == [
        "enter a initial 0", "enter b initial 0", "enter ä initial 0",
        "exit a crossing ~1 inside 1", "exit b crossing ~1 inside 1",
        "exit ä crossing ~1 inside 1", "enter Z crossing ~1",
      ])
  }

  @Test("a hundred nested circles are entered and left from outside in and inside out")
  func nested() {
    let radii = (1...100).map { Double($0) * 3 }
    let timeline = Timeline(
      fences: radii.map { ("r\(Int($0))", 0, $0) })
    let events = timeline.events([(0, -400), (10, 0), (20, 400)])
    let words = events.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    #expect(
      words == radii.reversed().map { "enter r\(Int($0))" } + radii.map { "exit r\(Int($0))" })
  }
}
