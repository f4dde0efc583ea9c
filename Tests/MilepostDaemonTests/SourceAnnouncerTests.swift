import Testing

@testable import MilepostDaemon

struct SourceAnnouncerTests {
  struct Row: CustomTestStringConvertible {
    var name: String
    /// (second, state from then on)
    var states: [(Double, SourceState)]
    var until: Double
    /// (second, state told)
    var told: [(Double, SourceState)]
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "a first fix at once", states: [(0, .fix)], until: 5, told: [(0, .fix)]),
    Row(
      name: "a first trouble after 2 s", states: [(0, .unreachable)], until: 9,
      told: [(2, .unreachable)]),
    Row(
      name: "a trouble of less than 2 s is not told",
      states: [(0, .fix), (20, .noFix), (21.9, .fix)], until: 60, told: [(0, .fix)]),
    Row(
      name: "a trouble of 2 s is",
      states: [(0, .fix), (20, .noFix), (22, .fix)], until: 60,
      told: [(0, .fix), (22, .noFix), (22, .fix)]),
    Row(
      name: "a connection that ends is told at once, and the fix that is back",
      states: [(0, .fix), (20, .unreachable), (20.5, .noFix), (21, .fix)], until: 60,
      told: [(0, .fix), (20, .unreachable), (21, .fix)]),
    Row(
      name: "from trouble to trouble 10 s must pass",
      states: [(0, .fix), (20, .unreachable), (30, .noDevice), (39.9, .noFix), (45, .fix)],
      until: 60, told: [(0, .fix), (20, .unreachable), (45, .fix)]),
    Row(
      name: "and after 10 s it is told",
      states: [(0, .fix), (20, .unreachable), (30, .noDevice)], until: 60,
      told: [(0, .fix), (20, .unreachable), (40, .noDevice)]),
    Row(
      name: "stale is told at once: it comes late anyway",
      states: [(0, .fix), (20, .stale), (25, .fix)], until: 60,
      told: [(0, .fix), (20, .stale), (25, .fix)]),
    Row(
      name: "a source that comes and goes is told of three times, then only when it is steady",
      states: [
        (0, .fix), (1, .unreachable), (2, .fix), (3, .unreachable), (4, .fix), (5, .unreachable),
        (6, .fix),
      ], until: 60,
      told: [
        (0, .fix), (1, .unreachable), (2, .fix), (3, .unreachable), (4, .fix), (5, .unreachable),
        (16, .fix),
      ]),
  ]

  @Test("lasting changes are told, and each once", arguments: rows)
  func tells(_ row: Row) {
    var announcer = StateAnnouncer()
    var told: [String] = []
    func update(_ state: SourceState, _ now: Int64) {
      if let it = announcer.update(state, at: now) { told.append("\(now) \(it.state)") }
    }
    for (index, (second, state)) in row.states.enumerated() {
      let next = index + 1 < row.states.count ? row.states[index + 1].0 : row.until
      var now = Int64(second * 1_000)
      update(state, now)
      while let deadline = announcer.deadline, deadline <= Int64(next * 1_000), deadline > now {
        now = deadline
        update(state, now)
      }
    }
    #expect(told == row.told.map { "\(Int64($0.0 * 1_000)) \($0.1)" })
  }

  @Test func `a fix that is back says how long it was lost`() {
    var announcer = StateAnnouncer()
    _ = announcer.update(.fix, at: 0)
    _ = announcer.update(.unreachable, at: 20_000)
    #expect(
      announcer.update(.fix, at: 54_500)
        == .init(state: .fix, previous: .unreachable, lostFor: 34_500))
  }

  @Test func `the waits double from half a second to 30 and stay, with a quarter of jitter`() {
    var backoff = Backoff(seed: 7)
    for whole: Int64 in [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000] {
      #expect((whole * 3 / 4...whole).contains(backoff.next()))
    }
    backoff.reset()
    #expect((375...500).contains(backoff.next()))
    var other = Backoff(seed: 8)
    #expect(other.next() != backoff.next())
  }
}
