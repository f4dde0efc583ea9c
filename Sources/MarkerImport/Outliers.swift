import Geodesy
import Milepost

/// Finds plates that fit neither their neighbours nor their chainage.
///
/// A road is at least as long as the straight way, so two plates may not be farther apart than their
/// mileages differ. A plate that breaks this by more than ``slack`` with each of the
/// entries of the two mileages before and after fits none of them.
enum Outliers {
  /// Roads are measured a little short here and there, and plates moved.
  static let slack: Metres = 1_000
  /// As much may plate and chainage differ.
  static let chainageSlack: Int64 = 1_000_000_000
  private static let reach = 2
  /// So many entries are looked at on a side.
  private static let limit = 16

  /// The entries' numbers; `order` holds those of one road and section side by side, by mileage.
  static func find(_ entries: [MilepostTable.Entry], order: [Int]) -> [Int] {
    var found: [Int] = []
    var start = 0
    while start < order.count {
      let end = MileageRun.end(from: start, entries, order)
      let wrong = order[start..<end].filter { isDoubtful(entries[$0]) }
      if !wrong.isEmpty {
        let others =
          neighbours(of: start, from: start - 1, step: -1, entries, order)
          + neighbours(of: start, from: end, step: 1, entries, order)
        if !others.isEmpty {
          found += wrong.filter { number in !others.contains { fit(entries[number], $0) } }
        }
      }
      start = end
    }
    return found
  }

  /// It is no pin, and no chainage speaks for it.
  private static func isDoubtful(_ entry: MilepostTable.Entry) -> Bool {
    !entry.isPin && (entry.chainage == .min || !fitsChainage(entry))
  }

  /// The entries of the two mileages before or after: two wrong plates of one mileage do not make each
  /// other right.
  private static func neighbours(
    of place: Int, from first: Int, step: Int, _ entries: [MilepostTable.Entry], _ order: [Int]
  ) -> [MilepostTable.Entry] {
    let entry = entries[order[place]]
    var found: [MilepostTable.Entry] = []
    var mileage = entry.mileage
    var mileages = 0
    var other = first
    while order.indices.contains(other), found.count < limit {
      let neighbour = entries[order[other]]
      guard neighbour.road == entry.road, neighbour.section == entry.section else { break }
      if neighbour.mileage != mileage { mileages += 1 }
      guard mileages <= reach else { break }
      mileage = neighbour.mileage
      found.append(neighbour)
      other += step
    }
    return found
  }

  private static func fitsChainage(_ entry: MilepostTable.Entry) -> Bool {
    let (difference, overflow) = entry.mileage.micrometres
      .subtractingReportingOverflow(entry.chainage)
    return !overflow && difference.magnitude <= UInt64(chainageSlack)
  }

  private static func fit(_ a: MilepostTable.Entry, _ b: MilepostTable.Entry) -> Bool {
    let between = Double(a.mileage.micrometres(since: b.mileage).magnitude) / 1e6
    return ECEF(a.place).distance(to: ECEF(b.place)) <= between + slack
  }
}

/// Entries of one road, section and mileage, which stand side by side.
enum MileageRun {
  /// Behind the last one of the entries that share their mileage with the one at `start` of `order`.
  static func end(from start: Int, _ entries: [MilepostTable.Entry], _ order: [Int]) -> Int {
    let first = entries[order[start]]
    var end = start + 1
    while end < order.count {
      let entry = entries[order[end]]
      guard entry.road == first.road, entry.section == first.section,
        entry.mileage == first.mileage
      else { break }
      end += 1
    }
    return end
  }
}
