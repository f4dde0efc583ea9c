/// Rows of one file or category that became part of another one's mileposts: two agencies' posts at one
/// place are one circle, which is right, but not what counting rows tells.
package struct SharedMileposts: Hashable, Sendable {
  package var file: String
  /// Of the first such row.
  package var line: Int
  package var category: String?
  /// Where the mileposts come from.
  package var firstFile: String
  package var firstCategory: String?
  package var rows = 0
  /// In the order met.
  package var roads: [String] = []

  /// As many roads are named.
  private static let shownRoads = 5

  /// `35 rows of 省道 are mileposts of free.csv (國道) already: 台2己`
  var reason: String {
    let names = roads.prefix(Self.shownRoads).joined(separator: ", ")
    let rest = roads.count - Self.shownRoads
    let from = firstFile == file ? "this file" : firstFile
    return
      "\(rows) \(rows == 1 ? "row" : "rows")\(category.map { " of \($0)" } ?? "") from here on "
      + "\(rows == 1 ? "is a milepost" : "are mileposts") of \(from)"
      + "\(firstCategory.map { " (\($0))" } ?? "") already: \(names)"
      + (rest > 0 ? " and \(rest) more roads" : "")
  }
}

extension SharedMileposts: CustomStringConvertible {
  /// `file:line: reason`
  package var description: String { "\(file):\(line): \(reason)" }
}

/// Gathers them while files are read.
struct SharedMilepostCounts {
  /// Pairs that are told apart; the rows of further ones are not counted.
  private static let limit = 100

  private struct Pair: Hashable {
    var file: Int
    var firstFile: Int
    var category: String?
    var firstCategory: String?
  }

  private var places: [Pair: Int] = [:]
  private var seenRoads: Set<[String]> = []
  private(set) var all: [SharedMileposts] = []

  mutating func add(
    _ row: borrowing MarkerRow, _ foreign: FenceMerger.Foreign, files: [String], line: Int
  ) {
    let file = files.count - 1
    let category = row.isPin ? nil : row.category
    let pair = Pair(
      file: file, firstFile: foreign.file, category: category, firstCategory: foreign.category)
    let place = places[pair] ?? all.count
    if place == all.count {
      guard all.count < Self.limit else { return }
      places[pair] = place
      all.append(
        SharedMileposts(
          file: files[file], line: line, category: category, firstFile: files[foreign.file],
          firstCategory: foreign.category))
    }
    all[place].rows += 1
    let road = row.isPin ? "pin \(row.name ?? "")" : row.road
    if seenRoads.insert(["\(place)", road]).inserted { all[place].roads.append(road) }
  }
}
