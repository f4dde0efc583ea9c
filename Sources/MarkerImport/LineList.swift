/// Where something was met: the first lines, and how many there are in all.
package struct LineList: Sendable {
  package private(set) var count = 0
  /// `12`, of several files `FILE:12`, with a remark.
  package private(set) var texts: [String] = []

  /// As many lines are named where nothing else is said.
  static let limit = 1_000
  private let limit: Int

  init(limit: Int = LineList.limit) { self.limit = limit }

  mutating func add(_ line: Int, file: String?, remark: String = "") {
    count += 1
    guard texts.count < limit else { return }
    texts.append((file.map { "\($0):" } ?? "") + "\(line)" + remark)
  }

  /// `line 7` or `lines 3, 5, 9 and 12 more`.
  var text: String {
    let rest = count - texts.count
    return (count == 1 ? "line " : "lines ") + texts.joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }
}
