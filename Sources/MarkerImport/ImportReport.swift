package import Milepost

/// The account of an import: every row read is written, merged, rejected or left out.
package struct ImportReport: Sendable {
  package struct Road: Sendable {
    package var name: String
    package var count: Int
    package var first: Mileage
    package var last: Mileage
  }

  package var rowsRead = 0
  package var written = 0
  package var merged = 0
  /// By `Every` and `Where`.
  package var leftOut = 0
  package var rejected = 0
  package var pins = 0
  /// Lines as `12` or, of several files, `FILE:12`; in the order met.
  package var rejections: [(reason: String, lines: [String])] = []
  /// Odd, and used all the same.
  package var warnings: [(text: String, lines: [String])] = []
  package var roads: [Road] = []

  package init() {}

  /// Lines that are listed of one reason; the rest is counted.
  static let listed = 40

  package var text: String {
    var lines = [
      "\(rowsRead) rows read, \(written) \(pins == written && pins > 0 ? "pins" : "mileposts") written, "
        + "\(merged) merged, \(rejected) rejected, \(leftOut) left out"
    ]
    for (reason, places) in rejections {
      lines.append("rejected \(places.count): \(reason): \(Self.list(places))")
    }
    for (text, places) in warnings {
      lines.append("warning: \(places.count) \(text): \(Self.list(places))")
    }
    for road in roads {
      lines.append("\(road.name): \(road.count), \(road.first) to \(road.last)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ places: [String]) -> String {
    let shown = places.prefix(listed).joined(separator: ", ")
    let rest = places.count - listed
    return "line\(places.count == 1 ? "" : "s") \(shown)" + (rest > 0 ? " and \(rest) more" : "")
  }
}
