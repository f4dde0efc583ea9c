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
  /// In the order met.
  package var rejections: [(reason: String, lines: LineList)] = []
  /// Odd, and used all the same.
  package var warnings: [(text: String, lines: LineList)] = []
  package var roads: [Road] = []

  package init() {}

  package var text: String {
    var lines = [
      "\(rowsRead) rows read, \(written) \(pins == written && pins > 0 ? "pins" : "mileposts") written, "
        + "\(merged) merged, \(rejected) rejected, \(leftOut) left out"
    ]
    for (reason, places) in rejections {
      lines.append("rejected \(places.count): \(reason): \(places.text)")
    }
    for (text, places) in warnings {
      lines.append("warning: \(places.count) \(text): \(places.text)")
    }
    for road in roads {
      lines.append("\(road.name): \(road.count), \(road.first) to \(road.last)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  mutating func add(
    warning text: String, line: Int, file: String?, remark: String = "",
    limit: Int = LineList.limit
  ) {
    let index = warnings.firstIndex { $0.text == text } ?? warnings.count
    if index == warnings.count { warnings.append((text, LineList(limit: limit))) }
    warnings[index].lines.add(line, file: file, remark: remark)
  }
}
