import Geodesy
import Milepost

/// Finds rows that stand far from the first one of their road, section and mileage.
struct Misplaced {
  /// A plate may be repeated where a road was moved; farther off it is a mistake.
  static let distance: Metres = 1_000

  /// As many are named, the others counted.
  static let shownLimit = 50

  /// The entry's number.
  var number: Int
  /// The number of the first one.
  var first: Int
  /// Metres.
  var distance: Metres

  /// `order` holds entries of one road, section and mileage side by side, as read.
  static func find(_ entries: [MilepostTable.Entry], order: [Int]) -> [Misplaced] {
    var found: [Misplaced] = []
    var start = 0
    while start < order.count {
      let end = MileageRun.end(from: start, entries, order)
      let first = order[start]
      if end - start > 1, !entries[first].isPin {
        let point = ECEF(entries[first].place)
        for number in order[start + 1..<end] {
          let distance = ECEF(entries[number].place).distance(to: point)
          guard distance > Self.distance else { continue }
          found.append(Misplaced(number: number, first: first, distance: distance))
        }
      }
      start = end
    }
    return found
  }
}
