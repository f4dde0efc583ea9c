import Geodesy
import Milepost
import Testing

@Suite("Fences that change, and restarts")
struct ReloadTests {
  private let before = Timeline(fences: [("A", 100, 40), ("B", 100, 60)])

  private func reload(
    _ engine: inout Engine, _ fences: [(id: String, east: Metres, radius: Metres)]
  ) -> [String] {
    let old = engine.fences
    let exits = engine.reload(
      settings: before.settings, fences: Timeline(fences: fences).fenceSet())
    return exits.map { Timeline.describe($0, old) }
  }

  @Test("a held fence that is gone is left at once, as of the last usable fix")
  func removed() {
    var engine = before.engine()
    _ = Timeline.tell(&engine, Timeline.fix(0, east: 100))
    _ = Timeline.tell(&engine, Timeline.fix(5, east: 101))
    #expect(reload(&engine, [("A", 100, 40)]) == ["exit B removed 5 inside 5"])
    #expect(Timeline.tell(&engine, Timeline.fix(6, east: 125)) == [])
  }

  @Test("a fence that is new round the vehicle is entered at the next accepted fix")
  func added() {
    var engine = before.engine()
    _ = Timeline.tell(&engine, Timeline.fix(0, east: 0))
    #expect(reload(&engine, before.fences + [("C", 0, 50)]) == [])
    #expect(Timeline.tell(&engine, Timeline.fix(1, east: 10)) == [])
    #expect(Timeline.tell(&engine, Timeline.fix(2, east: 20)) == ["enter C initial 2"])
  }

  @Test("a fence resized away from the vehicle is left as removed; one still round it stays")
  func resized() {
    var engine = before.engine()
    _ = Timeline.tell(&engine, Timeline.fix(0, east: 100))
    #expect(reload(&engine, [("A", 200, 40), ("B", 100, 80)]) == [])
    #expect(Timeline.tell(&engine, Timeline.fix(2, east: 120)) == ["exit A removed 2 inside 2"])
    #expect(
      Timeline.tell(&engine, Timeline.fix(3, east: 200)) == [
        "enter A crossing ~2.5", "exit B crossing ~2.75 inside 2.75",
      ])
  }

  @Test(
    "with no fences left nothing is near; those that come back are entered and left as new ones")
  func toNoneAndBack() {
    var engine = before.engine()
    #expect(
      Timeline.tell(&engine, Timeline.fix(0, east: 75)) == [
        "enter A initial 0", "enter B initial 0",
      ])
    #expect(reload(&engine, []) == ["exit A removed 0 inside 0", "exit B removed 0 inside 0"])
    #expect(Timeline.tell(&engine, Timeline.fix(1, east: 95)) == [])
    #expect(Timeline.tell(&engine, Timeline.fix(2, east: 170)) == [])
    #expect(reload(&engine, before.fences) == [])
    // Both are new, so that only where the vehicle now is counts: not the way through them.
    #expect(
      Timeline.tell(&engine, Timeline.fix(3, east: 120)) == [
        "enter A initial 3", "enter B initial 3",
      ])
    #expect(reload(&engine, []) == ["exit A removed 3 inside 0", "exit B removed 3 inside 0"])
    #expect(reload(&engine, before.fences) == [])
    #expect(Timeline.tell(&engine, Timeline.fix(4, east: 150)) == ["enter B initial 4"])
    #expect(
      Timeline.tell(&engine, Timeline.fix(5, east: 170)) == ["exit B crossing ~4.5 inside 0.5"])
  }

  @Test("fences given back in another order and with others before them are the same ones")
  func reordered() {
    var engine = before.engine()
    _ = Timeline.tell(&engine, Timeline.fix(0, east: 100))
    #expect(reload(&engine, [("C", 900, 40)] + before.fences.reversed()) == [])
    #expect(
      Timeline.tell(&engine, Timeline.fix(10, east: 200)) == [
        "exit A crossing ~4 inside 4", "exit B crossing ~6 inside 6",
      ])
  }

  @Test("the trail starts anew: a reload while parked does not move a crossing back")
  func trailStartsAnew() {
    var engine = before.engine()
    _ = Timeline.tell(&engine, Timeline.fix(0, east: 30))
    for second in 1...9 { _ = Timeline.tell(&engine, Timeline.fix(Double(second), east: 31)) }
    _ = reload(&engine, before.fences)
    // From 30 at second 9 (the last usable fix) to 70 at 19: B's rim at 40, A's at 60.
    #expect(
      Timeline.tell(&engine, Timeline.fix(19, east: 70)) == [
        "enter B crossing ~11.5", "enter A crossing ~16.5",
      ])
  }

  @Test("after a restart inside, silence; changes have cause restart and the time away")
  func restart() {
    var timeline = before
    timeline.start = .restored(
      ["A": Timeline.time(0), "B": nil, "gone": nil],
      lastFix: FixTime(time: Timeline.time(10), source: .fix))
    #expect(timeline.events([(100, 100)]) == [])
    #expect(
      timeline.events([(100, 150)]) == ["exit A restart 100 gap 90 inside 100"])
    timeline.start = .restored([:], lastFix: FixTime(time: Timeline.time(10), source: .fix))
    #expect(
      timeline.events([(100, 150), (101, 200)]) == [
        "enter B restart 100 gap 90", "exit B crossing ~100.2 inside 0.2",
      ])
  }

  @Test("a change after a restart that the fix's error could explain waits for the next fix")
  func restartInDoubt() {
    var timeline = Timeline(fences: [("A", 100, 40)])
    timeline.start = .restored(
      ["A": Timeline.time(0)], lastFix: FixTime(time: Timeline.time(10), source: .fix))
    // 5 m outside with 6 m of error, then clearly out, or back in.
    let doubtful = Timeline.fix(100, east: 145, error: 6)
    #expect(
      timeline.events([doubtful, Timeline.fix(101, east: 165)]) == [
        "exit A restart 101 gap 90 inside 101"
      ])
    #expect(timeline.events([doubtful, Timeline.fix(101, east: 120)]) == [])
    #expect(timeline.events([Timeline.fix(100, east: 145, error: 4.99)]).count == 1)
  }

  @Test("over a new timeline a duration is absent")
  func newTimeline() {
    let fixes = [
      Timeline.fix(9_000, east: 100), Timeline.fix(0, east: 100), Timeline.fix(1, east: 100),
      Timeline.fix(2, east: 100), Timeline.fix(3, east: 130), Timeline.fix(4, east: 170),
    ]
    #expect(
      before.events(fixes) == [
        "enter A initial 9000", "enter B initial 9000", "exit A crossing ~3.25",
        "exit B crossing ~3.75",
      ])
  }

  @Test("after a restart, times of another source or of a clock set back are not compared")
  func restartOnAnotherClock() {
    var timeline = before
    let lasts = [
      FixTime(time: Timeline.time(10), source: .system),
      FixTime(time: Timeline.time(9_000), source: .fix),
    ]
    for last in lasts {
      timeline.start = .restored(["A": Timeline.time(0)], lastFix: last)
      #expect(timeline.events([(100, 200)]) == ["exit A restart 100"])
    }
  }
}
