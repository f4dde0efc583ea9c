import Geodesy
import Milepost
import Testing

@Suite("Which fixes are usable")
struct FixGateTests {
  /// One fix, `second` after the beginning and so far east; received when it was made unless said.
  private struct Sight {
    var second: Double?
    var east: Metres = 0
    var mode: UInt8 = 3
    var error: Metres?
    var origin = Fix.Origin.measured
    var device = DeviceID.unnamed
    var place: Coordinate?
    var received: Double?
  }

  private struct Row {
    var name: String
    var settings = FixGate.Settings()
    var sights: [Sight]
    var expected: [String]
  }

  private func verdicts(_ row: Row) -> [String] {
    var gate = FixGate(settings: row.settings)
    return row.sights.map { sight in
      let place = sight.place ?? Timeline.place(east: sight.east)
      let fix = Fix(
        mode: sight.mode, coordinate: place, time: sight.second.map(Timeline.time),
        horizontalError: sight.error, origin: sight.origin, device: sight.device)
      let received = sight.received ?? sight.second ?? 0
      let receipt = Receipt(
        wall: Timeline.time(received), boot: Int64(received * 1_000))
      let verdict = gate.judge(fix, receipt: receipt)
      guard verdict == .usable, let usable = gate.lastUsable else { return verdict.name }
      switch usable.continuity {
      case .continuous: return "ok"
      case .gap(let milliseconds): return "gap \(secondsText(milliseconds: milliseconds))"
      case .newTimeline: return "new"
      }
    }
  }

  private func check(_ rows: [Row]) {
    for row in rows { #expect(verdicts(row) == row.expected, "\(row.name)") }
  }

  @Test("a fix without position, out of range, inaccurate or invented is rejected")
  func rejections() {
    let nowhere = Coordinate(latitude: .nan, longitude: 0)
    check([
      Row(name: "mode 1", sights: [Sight(second: 0, mode: 1)], expected: ["no-fix"]),
      Row(
        name: "NaN", sights: [Sight(second: 0, place: nowhere)], expected: ["invalid-position"]),
      Row(
        name: "beyond the pole",
        sights: [Sight(second: 0, place: Coordinate(latitude: 90.1, longitude: 0))],
        expected: ["invalid-position"]),
      Row(
        name: "0,0", sights: [Sight(second: 0, place: Coordinate(latitude: 0, longitude: 0))],
        expected: ["null-island"]),
      Row(
        name: "error at and over 100 m, 0 and unknown",
        sights: [
          Sight(second: 0, error: 100), Sight(second: 1, error: 100.1), Sight(second: 2, error: 0),
          Sight(second: 3),
        ], expected: ["ok", "inaccurate", "ok", "ok"]),
      Row(
        name: "simulated and estimated",
        sights: [Sight(second: 0, origin: .simulated), Sight(second: 1, origin: .estimated)],
        expected: ["simulated", "estimated"]),
    ])
    var allowed = FixGate.Settings()
    allowed.simulated = true
    allowed.deadReckoning = true
    check([
      Row(
        name: "allowed", settings: allowed,
        sights: [Sight(second: 0, origin: .simulated), Sight(second: 1, origin: .estimated)],
        expected: ["ok", "ok"])
    ])
  }

  @Test("a contradiction waits until three fixes agree")
  func pending() {
    check([
      Row(
        name: "a spike for one fix is dropped",
        sights: [Sight(second: 0), Sight(second: 1, east: 5_000), Sight(second: 2, east: 20)],
        expected: ["ok", "too-fast", "ok"]),
      Row(
        name: "a leap for good comes after a gap",
        sights: [
          Sight(second: 0), Sight(second: 1, east: 5_000), Sight(second: 2, east: 5_020),
          Sight(second: 3, east: 5_040), Sight(second: 4, east: 5_060),
        ], expected: ["ok", "too-fast", "too-fast", "gap 3", "ok"]),
      Row(
        name: "a clock set back begins a new timeline",
        sights: [
          Sight(second: 7_200), Sight(second: 0), Sight(second: 1), Sight(second: 2),
          Sight(second: 3),
        ], expected: ["ok", "earlier", "earlier", "new", "ok"]),
      Row(
        name: "three reports of one epoch a day ahead are one",
        sights: [
          Sight(second: 0), Sight(second: 86_401), Sight(second: 86_401), Sight(second: 86_401),
          Sight(second: 2),
        ], expected: ["ok", "far-ahead", "duplicate", "duplicate", "ok"]),
      Row(
        name: "a day ahead for good is a new timeline",
        sights: [
          Sight(second: 0), Sight(second: 86_401), Sight(second: 86_402), Sight(second: 86_403),
        ], expected: ["ok", "far-ahead", "far-ahead", "new"]),
      Row(
        name: "a misfit begins a new run",
        sights: [
          Sight(second: 0), Sight(second: 1, east: 5_000), Sight(second: 2, east: -5_000),
          Sight(second: 3, east: 5_000), Sight(second: 4, east: 5_020),
          Sight(second: 5, east: 5_040),
        ], expected: ["ok", "too-fast", "too-fast", "too-fast", "too-fast", "gap 5"]),
      Row(
        name: "a plausible fix that continues a run of two comes after a gap",
        sights: [
          Sight(second: 0), Sight(second: 1, east: 400), Sight(second: 2, east: 420),
          Sight(second: 5, east: 440),
        ], expected: ["ok", "too-fast", "too-fast", "gap 5"]),
      Row(
        name: "exactly 50 m and exactly 500 km/h are believed",
        sights: [
          Sight(second: 0), Sight(second: 0.1, east: 49.99), Sight(second: 1.1, east: 188.8),
        ], expected: ["ok", "ok", "ok"]),
    ])
  }

  @Test("fixes without time count only while no timed ones come")
  func untimed() {
    check([
      Row(
        name: "alone, they take the time of receipt",
        sights: [Sight(received: 0), Sight(east: 20, received: 0), Sight(east: 40, received: 1)],
        expected: ["ok", "ok", "ok"]),
      Row(
        name: "beside timed ones they are dropped",
        sights: [Sight(second: 0), Sight(received: 10), Sight(received: 10.001)],
        expected: ["ok", "untimed", "new"]),
      Row(
        name: "a timed one after them begins a new timeline",
        sights: [Sight(received: 0), Sight(second: -900, received: 1)], expected: ["ok", "new"]),
      Row(
        name: "their speed is judged over at least a second",
        sights: [Sight(received: 0), Sight(east: 138, received: 0.001)], expected: ["ok", "ok"]),
    ])
  }

  @Test("of two receivers one is used, until it falls silent")
  func devices() {
    let (a, b) = (DeviceID(1), DeviceID(2))
    check([
      Row(
        name: "interleaved",
        sights: [
          Sight(second: 0, device: a), Sight(second: 0.5, device: b), Sight(second: 1, device: a),
          Sight(second: 12, device: b),
        ], expected: ["ok", "other-device", "ok", "other-device"]),
      Row(
        name: "over 10 s of the other's own time without the first",
        sights: [
          Sight(second: 0, device: a), Sight(second: 100, device: b),
          Sight(second: 110, device: b), Sight(second: 110.1, device: b),
          Sight(second: 2, device: a),
        ], expected: ["ok", "other-device", "other-device", "new", "other-device"]),
    ])
    var chosen = FixGate.Settings()
    chosen.device = b
    check([
      Row(
        name: "the chosen one only", settings: chosen,
        sights: [Sight(second: 0, device: a), Sight(second: 1, device: b)],
        expected: ["other-device", "ok"])
    ])
  }

  @Test("every verdict is counted")
  func counted() {
    var gate = FixGate()
    for second in [0, 0, 1] {
      let fix = Timeline.fix(Double(second), east: 0)
      _ = gate.judge(fix, receipt: Receipt(wall: Timeline.begin, boot: 0))
    }
    #expect(gate.counts.description == "usable 2, duplicate 1")
    #expect(gate.counts.total == 3)
  }
}
