import TestSupport

/// A drive there and half back along a straight road, at 25 m a second: overlapping fences, small
/// ones passed between two fixes, a stop, a tunnel, and a wide fence round the middle.
enum Drive {
  /// The metres along the road, by the second; nil where no fix comes.
  private static let track: [Double?] = {
    var track: [Double?] = []
    for step in 0..<112 {
      let metres = -200 + 25 * Double(step)
      track.append((1_500..<1_900).contains(metres) ? nil : metres)
      if metres == 900 { track += (0..<20).map { 900 + Double($0 % 3) * 2 } }
    }
    return track + (0..<56).map { 2_575 - 25 * Double($0) }
  }()

  private static func place(_ metres: Double) -> String {
    "\(24.85 + 0.000006 * metres),\(121.77 + 0.000007393 * metres)"
  }

  struct Fix {
    /// Unix time.
    var seconds: Int64
    /// As events have it.
    var time: String
    /// All of the line of CSV but its time.
    var rest: String

    var line: String { time + rest }
    /// By another clock.
    func line(shifted: Int64) -> String { "\(seconds + shifted)\(rest)" }
  }

  static let fixes: [Fix] = track.enumerated().compactMap { second, metres in
    guard let metres else { return nil }
    let clock = [9, second / 60, second % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
    // 2026-11-30T09:00:00Z.
    return Fix(
      seconds: 1_796_029_200 + Int64(second), time: "2026-11-30T\(clock.joined(separator: ":"))Z",
      rest: ",\(place(metres)),25,48.2,3\n")
  }

  static let markers: String = {
    var rows = "road,mileage,latitude,longitude,radius\n"
    for metres in stride(from: 0, to: 2_600, by: 60) {
      rows += "A1,\(metres / 1_000)K+\(padded(metres % 1_000)),\(place(Double(metres))),40\n"
    }
    for metres in stride(from: 100, to: 2_600, by: 200) {
      rows += "B7,\(metres / 1_000)K+\(padded(metres % 1_000)),\(place(Double(metres) + 12.5)),6\n"
    }
    return rows + "C9,1K+000,\(place(1_250)),700\n"
  }()

  private static func padded(_ metres: Int) -> String {
    String(repeating: "0", count: 3 - "\(metres)".count) + "\(metres)"
  }

  /// The number of the fix with this time; the first where there is none.
  static func index(ofTime time: String?) -> Int { fixes.firstIndex { $0.time == time } ?? 0 }

  /// The fix that the last event comes with: it leaves a fence behind.
  static let lastToTell = fixes.count - 1
}
