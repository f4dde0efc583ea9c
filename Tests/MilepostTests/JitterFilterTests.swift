import Geodesy
import Milepost
import TestSupport
import Testing

@Suite("The jitter rule")
struct JitterFilterTests {
  private func usable(_ place: Coordinate, _ second: Double) -> UsableFix {
    let time = Timeline.time(second)
    return UsableFix(
      coordinate: place, point: ECEF(place), time: time,
      timeSource: .fix)
  }

  /// As a receiver with nine decimals would say it.
  private func rounded(_ place: Coordinate) -> Coordinate {
    Coordinate(
      latitude: (place.latitude * 1e9).rounded() / 1e9,
      longitude: (place.longitude * 1e9).rounded() / 1e9)
  }

  private func accepts(_ distance: Metres, _ random: inout SeededRandom) -> Bool {
    let start = rounded(
      Coordinate(
        latitude: .random(in: -89...89, using: &random),
        longitude: .random(in: -180...180, using: &random)))
    let end = rounded(
      Geodesic.destination(
        from: start, azimuth: .random(in: 0..<360, using: &random), distance: distance))
    var filter = JitterFilter(threshold: 15)
    _ = filter.observe(usable(start, 0))
    return filter.observe(usable(end, 1)) != nil
  }

  @Test("a fix exactly 15 m away is ignored, wherever and in whatever direction")
  func exactly15() {
    var random = SeededRandom.fresh(for: "exactly15")
    for _ in 0..<1_000 { #expect(!accepts(15, &random)) }
  }

  @Test("a fix 15.002 m away is accepted")
  func justOver15() {
    var random = SeededRandom.fresh(for: "justOver15")
    for _ in 0..<1_000 { #expect(accepts(15.002, &random)) }
  }

  @Test("the first fix is accepted at once")
  func first() {
    var filter = JitterFilter(threshold: 15)
    guard case .first = filter.observe(usable(Timeline.origin, 0)) else {
      Issue.record("not accepted")
      return
    }
  }

  @Test("ignored fixes do not move the anchor: a creep is accepted when it has gone over 15 m")
  func creep() {
    var filter = JitterFilter(threshold: 15)
    let accepted = (0...40).filter { second in
      filter.observe(usable(Timeline.place(east: Double(second)), Double(second))) != nil
    }
    #expect(accepted == [0, 16, 32])
  }

  /// A parked hour: σ = 4 m each way, 1 Hz.
  private func parkedHour(
    from centre: Metres, margin: Metres = 0, _ random: inout SeededRandom
  ) -> (transitions: Int, accepted: UInt64) {
    var timeline = Timeline(fences: [("circle", 0, 100)])
    timeline.settings.exitMargin = margin
    var engine = timeline.engine()
    var count = 0
    for second in 0..<3_600 {
      let east = centre + random.gaussian(sigma: 4)
      let fix = Timeline.fix(Double(second), east: east, north: random.gaussian(sigma: 4))
      count += Timeline.tell(&engine, fix).count
    }
    return (count, engine.acceptedCount)
  }

  @Test("an hour parked 30 m inside or outside the circle makes no transition")
  func parkedClear() {
    var random = SeededRandom.fresh(for: "parkedClear")
    // 6 sigma inside the rim: the one transition is the first fix's enter.
    #expect(parkedHour(from: 70, &random).transitions == 1)
    #expect(parkedHour(from: 130, &random).transitions == 0)
  }

  @Test("an hour parked on the circle makes at most one transition for an accepted fix")
  func parkedOnTheRim() {
    var random = SeededRandom.fresh(for: "parkedOnTheRim")
    let (transitions, accepted) = parkedHour(from: 100, &random)
    #expect(UInt64(transitions) <= accepted)
  }

  @Test("with an exit margin of 25 m, an hour parked on the circle makes at most two transitions")
  func parkedOnTheRimWithMargin() {
    var random = SeededRandom.fresh(for: "parkedOnTheRimWithMargin")
    for _ in 0..<5 { #expect(parkedHour(from: 100, margin: 25, &random).transitions <= 2) }
  }
}
