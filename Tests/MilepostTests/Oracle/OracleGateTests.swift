import Geodesy
import Milepost
import Testing

/// A tiny script of fixes, and what becomes of each.
@Suite struct OracleGateTests {
  struct Row: CustomTestStringConvertible {
    var name: String
    /// Seconds, metres north of 10° N 20° E, what else.
    var fixes: [(Double, Double, String)]
    /// `u` usable, `g5` after a gap of 5 s, `t` new timeline, else the verdict's name.
    var expected: String

    var testDescription: String { name }
  }

  private static let day = 86_400.0

  static let rows: [Row] = [
    Row(name: "in order", fixes: [(0, 0, ""), (1, 20, ""), (2, 40, "")], expected: "first u u"),
    Row(
      name: "duplicate", fixes: [(0, 0, ""), (0, 5, ""), (1, 20, "")], expected: "first duplicate u"
    ),
    Row(
      name: "one step back", fixes: [(5, 0, ""), (3, 0, ""), (6, 0, "")],
      expected: "first pending u"),
    Row(
      name: "two steps back, and on: continues the run",
      fixes: [(5, 0, ""), (3, 0, ""), (4, 0, ""), (6, 0, "")],
      expected: "first pending pending g1"),
    Row(
      name: "set back for good",
      fixes: [(100, 0, ""), (3, 0, ""), (4, 0, ""), (5, 0, ""), (6, 0, "")],
      expected: "first pending pending t u"),
    Row(
      name: "three of one epoch a day ahead",
      fixes: [(0, 0, ""), (day, 0, ""), (day, 0, ""), (day, 0, ""), (1, 0, "")],
      expected: "first pending duplicate duplicate u"),
    Row(
      name: "jump for good",
      fixes: [(0, 0, ""), (1, 5_000, ""), (2, 5_010, ""), (3, 5_020, ""), (4, 5_030, "")],
      expected: "first pending pending g3 u"),
    Row(
      name: "a misfit starts a new run",
      fixes: [(0, 0, ""), (1, 5_000, ""), (2, 9_000, ""), (3, 9_000, ""), (4, 9_000, "")],
      expected: "first pending pending pending g4"),
    Row(name: "50 m in no time", fixes: [(0, 0, ""), (0.001, 49, "")], expected: "first u"),
    Row(name: "500 m in 3 s", fixes: [(0, 0, ""), (3, 500, "")], expected: "first pending"),
    Row(
      name: "long silence", fixes: [(0, 0, ""), (10, 0, ""), (20.001, 0, "")],
      expected: "first u g10.001"),
    Row(
      name: "far hop", fixes: [(0, 0, ""), (9, 501, ""), (18, 1_000, "")], expected: "first g9 u"),
    Row(
      name: "rejected",
      fixes: [
        (0, 0, "mode1"), (0, 0, "none"), (0, 0, "nan"), (0, 0, "null"), (0, 0, "eph101"),
        (0, 0, "simulated"), (0, 0, "estimated"), (0, 0, "eph100"),
      ],
      expected:
        "noFix noFix invalidPosition nullIsland inaccurate simulated estimated first"),
    Row(
      name: "untimed", fixes: [(0, 0, ""), (10, 0, "untimed"), (10.1, 0, "untimed"), (11, 0, "")],
      expected: "first untimed t t"),
    Row(
      name: "another device takes over",
      fixes: [
        (0, 0, ""), (1, 0, "B"), (6, 0, "B"), (11, 0, "B"), (11.001, 0, "B"), (12, 0, ""),
      ],
      expected: "first otherDevice otherDevice otherDevice t otherDevice"),
    Row(
      name: "the pinned one clears the others",
      fixes: [(0, 0, ""), (1, 0, "B"), (6, 0, ""), (11, 0, "B"), (12, 0, "B"), (21.5, 0, "B")],
      expected: "first otherDevice u otherDevice otherDevice t"),
  ]

  @Test(arguments: rows) func verdicts(row: Row) {
    var gate = OracleGate(settings: OracleSettings(), ground: Ground())
    let told = row.fixes.map { seconds, north, what in
      let before = gate.counts
      let outcome = gate.observe(Self.input(seconds, north, what))
      guard let (_, continuity) = outcome else {
        return OracleVerdict.allCases.first { gate.counts[$0] != before[$0] }?.rawValue ?? "?"
      }
      return Self.word(continuity)
    }
    #expect(told.joined(separator: " ") == row.expected)
  }

  private static func word(_ continuity: OracleContinuity) -> String {
    switch continuity {
    case .first: "first"
    case .continuous: "u"
    case .gap(let ms): ms % 1_000 == 0 ? "g\(ms / 1_000)" : "g\(Double(ms) / 1_000)"
    case .newTimeline: "t"
    }
  }

  private static func input(_ seconds: Double, _ north: Double, _ what: String) -> DriveInput {
    let ms = Int64((seconds * 1_000).rounded())
    let time = Timestamp(milliseconds: 1_000_000 + ms)
    var fix = Fix(
      coordinate: Coordinate(latitude: 10 + north / 110_600, longitude: 20), time: time)
    switch what {
    case "mode1": fix.mode = 1
    case "none": fix.coordinate = nil
    case "nan": fix.coordinate?.latitude = .nan
    case "null": fix.coordinate = Coordinate(latitude: 0, longitude: -0.0)
    case "eph100": fix.horizontalError = 100
    case "eph101": fix.horizontalError = 101
    case "simulated": fix.origin = .simulated
    case "estimated": fix.origin = .estimated
    case "untimed": fix.time = nil
    case "B": fix.device = DeviceID(2)
    default: break
    }
    return DriveInput(fix: fix, receiptWall: time, receiptBootMs: ms)
  }
}
