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
    for (place, number) in order.enumerated() {
      let entry = entries[number]
      if entry.isPin { continue }
      if entry.chainage != .min, fitsChainage(entry) { continue }
      let others =
        neighbours(of: place, entries, order, step: -1)
        + neighbours(of: place, entries, order, step: 1)
      if !others.isEmpty, !others.contains(where: { fit(entry, $0) }) { found.append(number) }
    }
    return found
  }

  /// The entries of the two mileages before or after: two wrong plates of one mileage do not make each
  /// other right.
  private static func neighbours(
    of place: Int, _ entries: [MilepostTable.Entry], _ order: [Int], step: Int
  ) -> [MilepostTable.Entry] {
    let entry = entries[order[place]]
    var found: [MilepostTable.Entry] = []
    var mileage = entry.mileage
    var mileages = 0
    var other = place + step
    while order.indices.contains(other), found.count < limit {
      let neighbour = entries[order[other]]
      guard neighbour.road == entry.road, neighbour.section == entry.section else { break }
      if neighbour.mileage != mileage { mileages += 1 }
      guard mileages <= reach else { break }
      mileage = neighbour.mileage
      if mileages > 0 { found.append(neighbour) }
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
