import Geodesy
import Glibc
import Milepost

/// Makes fences of rows: the rows of one milepost become one fence.
///
/// Rows of one road, section and mileage within 100 m of the first make one fence, whatever their
/// carriageway (a driver passes one milepost, not its left and right plate): its centre their mean,
/// its radius the largest, the rest as in the first row, and the carriageway only where all rows agree.
/// A row farther off makes a further fence, `#2`. Pins of one name follow the same rule.
struct FenceMerger {
  /// What became of a row.
  enum Outcome {
    case first
    case merged
    /// A further fence of the milepost that `file`:`line` began, `distance` metres away.
    case further(ordinal: Int, file: Int, line: Int, distance: Metres)
    /// The milepost has ``ordinalLimit`` fences already.
    case refused
  }

  /// Rows of one milepost within this distance of the first are one fence.
  static let reach: Metres = 100
  /// So many places of one name are a fault of the file, and slow.
  static let ordinalLimit = 1_000

  private struct Key: Hashable {
    var road: String
    var section: String?
    var carriageway: String?
    var mileage: Mileage?
  }

  /// Where a fence comes from, and the next one of the same key.
  private struct Origin {
    var file: Int
    var line: Int
    var next: Int?
    var ordinal: Int
  }

  private struct Sum {
    var point: ECEF
    var count: Double
  }

  private let splitCarriageways: Bool
  private var firsts: [Key: Int] = [:]
  private var fences: [Geofence] = []
  private var origins: [Origin] = []
  /// Of the fences of more than one row.
  private var sums: [Int: Sum] = [:]
  /// Two different rows may have got one id.
  private var mayClash = false

  init(splitCarriageways: Bool) { self.splitCarriageways = splitCarriageways }

  mutating func reserve(_ rows: Int) {
    let total = fences.count + rows
    fences.reserveCapacity(total)
    origins.reserveCapacity(total)
    firsts.reserveCapacity(total)
  }

  mutating func add(_ row: MarkerRow, radius: Metres, file: Int, line: Int) -> Outcome {
    let key = key(of: row)
    let origin = Origin(file: file, line: line, next: nil, ordinal: 1)
    let known = firsts[key]
    guard let first = known else {
      firsts[key] = fences.count
      append(row, radius: radius, origin: origin)
      return .first
    }
    let point = ECEF(row.coordinate)
    var index = first
    while true {
      if ECEF(fences[index].centre).distance(to: point) <= Self.reach {
        merge(row, at: point, radius: radius, into: index)
        return .merged
      }
      guard let next = origins[index].next else { break }
      index = next
    }
    let ordinal = origins[index].ordinal + 1
    guard ordinal <= Self.ordinalLimit else { return .refused }
    origins[index].next = fences.count
    append(row, radius: radius, origin: Origin(file: file, line: line, next: nil, ordinal: ordinal))
    return .further(
      ordinal: ordinal, file: origins[first].file, line: origins[first].line,
      distance: ECEF(fences[first].centre).distance(to: point))
  }

  /// The fences, each in its final place, in the order of their first rows.
  consuming func finish() -> [Geofence] {
    for (index, sum) in sums {
      fences[index].centre = Self.place(of: (1 / sum.count) * sum.point)
    }
    if mayClash { separate() }
    return fences
  }

  private func key(of row: MarkerRow) -> Key {
    guard let milepost = row.milepost else { return Key(road: row.pinName ?? "") }
    return Key(
      road: milepost.road, section: milepost.section,
      carriageway: splitCarriageways ? milepost.carriageway : nil, mileage: milepost.mileage)
  }

  private mutating func append(_ row: MarkerRow, radius: Metres, origin: Origin) {
    let id: String
    if let milepost = row.milepost {
      id = FenceIdentity.milepost(
        milepost, splitCarriageways: splitCarriageways, ordinal: origin.ordinal)
    } else {
      id = FenceIdentity.pin(row.pinName ?? "", ordinal: origin.ordinal)
    }
    mayClash = mayClash || canClash(row)
    fences.append(
      Geofence(
        id: id, kind: row.milepost == nil ? "pin" : "milepost", centre: row.coordinate,
        radius: radius, milepost: row.milepost))
    origins.append(origin)
  }

  private mutating func merge(
    _ row: MarkerRow, at point: ECEF, radius: Metres, into index: Int
  ) {
    var sum = sums[index] ?? Sum(point: ECEF(fences[index].centre), count: 1)
    sum.point = sum.point + point
    sum.count += 1
    sums[index] = sum
    fences[index].radius = max(fences[index].radius, radius)
    if fences[index].milepost?.carriageway != row.milepost?.carriageway {
      fences[index].milepost?.carriageway = nil
    }
  }
}

extension FenceMerger {
  /// The place above or below a point that is at most a few metres off the ellipsoid, to 10⁻⁹ degrees
  /// (0.1 mm), so that the mean of equal places is that place.
  ///
  /// tan(latitude) = z / ((1 - e²) p) holds on the ellipsoid; the mean of places within 100 m lies less
  /// than a millimetre below it.
  static func place(of point: ECEF) -> Coordinate {
    let p = hypot(point.x, point.y)
    let latitude = atan2(point.z, (1 - WGS84.eccentricitySquared) * p) * 180 / .pi
    let longitude = atan2(point.y, point.x) * 180 / .pi
    return Coordinate(
      latitude: (latitude * 1e9).rounded() / 1e9, longitude: (longitude * 1e9).rounded() / 1e9)
  }

  /// A row whose texts could make the id of another one: a road called `pin`, a `#` in a name, or a
  /// carriageway that may read like a mileage.
  private func canClash(_ row: MarkerRow) -> Bool {
    let hash = UInt8(ascii: "#")
    guard let milepost = row.milepost else { return row.pinName?.utf8.contains(hash) ?? false }
    return milepost.road == "pin"
      || splitCarriageways && milepost.carriageway != nil
  }

  /// Gives a later fence of an id in use the next free `#` number.
  private mutating func separate() {
    var used = Set<String>(minimumCapacity: fences.count)
    for index in fences.indices where !used.insert(fences[index].id).inserted {
      let base = fences[index].id
      var number = 2
      while !used.insert("\(base)#\(number)").inserted { number += 1 }
      fences[index].id = "\(base)#\(number)"
    }
  }
}
