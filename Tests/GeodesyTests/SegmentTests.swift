import Geodesy
import Testing

@Suite("A segment meets a sphere")
struct SegmentTests {
  private struct Row {
    var name: String
    var start: (Double, Double)
    var end: (Double, Double)
    var expected: (entry: Double, exit: Double)?
  }

  /// A sphere of radius 5 round the origin; expectations from the 3-4-5 triangle, by hand.
  @Test("where the line enters and leaves")
  func meetings() {
    let rows = [
      Row(name: "through the centre", start: (-10, 0), end: (10, 0), expected: (0.25, 0.75)),
      Row(name: "off the centre by 3", start: (-10, 3), end: (10, 3), expected: (0.3, 0.7)),
      Row(name: "ends inside", start: (-10, 3), end: (0, 3), expected: (0.6, 1.4)),
      Row(name: "begins inside", start: (0, 3), end: (8, 3), expected: (-0.5, 0.5)),
      Row(name: "points away", start: (10, 0), end: (20, 0), expected: (-1.5, -0.5)),
      Row(name: "touches", start: (-10, 5), end: (10, 5), expected: nil),
      Row(name: "misses", start: (-10, 6), end: (10, 6), expected: nil),
      Row(name: "has no length", start: (1, 0), end: (1, 0), expected: nil),
    ]
    for row in rows {
      let segment = Segment(
        from: ECEF(x: row.start.0, y: row.start.1, z: 0),
        to: ECEF(x: row.end.0, y: row.end.1, z: 0))
      let meeting = segment.meets(centre: ECEF(x: 0, y: 0, z: 0), radiusSquared: 25)
      #expect((meeting == nil) == (row.expected == nil), "\(row.name)")
      if let meeting, let expected = row.expected {
        #expect(abs(meeting.entry - expected.entry) < 1e-12, "\(row.name)")
        #expect(abs(meeting.exit - expected.exit) < 1e-12, "\(row.name)")
      }
    }
  }
}
