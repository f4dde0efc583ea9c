package import Geodesy
import Glibc
import Milepost

/// Makes fences of rows: the rows of one milepost become one fence.
///
/// Rows of one road, section and mileage within 100 m of the first make one fence, whatever their
/// carriageway (a driver passes one milepost, not its left and right plate): its centre their mean,
/// its radius the largest, the rest as in the first row, and the carriageway only where all rows agree.
/// A row farther off makes a further fence, `#2`. Pins of one name follow the same rule.
package struct FenceMerger {
  /// What became of a row.
  enum Outcome {
    case first
    /// It became part of a fence, which may be one of another file or category.
    case merged(Foreign?)
    /// A further fence of the milepost that `file`:`line` began, `distance` metres away.
    case further(ordinal: Int, file: Int, line: Int, distance: Metres)
    /// The milepost has ``ordinalLimit`` fences already.
    case refused
  }

  /// Where the fence comes from that a row of another file or category became part of.
  struct Foreign {
    var file: Int
    var category: String?
  }

  /// Rows of one milepost within this distance of the first are one fence.
  package static let reach: Metres = 100
  /// So many places of one name are a fault of the file.
  static let ordinalLimit = 1_000

  /// What the rows of one fence share beside their mileage.
  private struct Line: Hashable {
    /// A pin's name where `isPin`.
    var road: String
    var section: String?
    var carriageway: String?
    var isPin: Bool
  }

  /// Where a fence comes from.
  private struct Origin {
    var file: UInt32
    /// From 1 in its file, which has fewer than 2³¹.
    var line: UInt32
    var ordinal: UInt32 = 1
  }

  /// What was found for the row before: mostly the next one's too.
  private struct Recent {
    var file = -1
    var lineChanges = -1
    /// Of the line.
    var number: UInt32 = 0
  }

  /// Of one that is equal, the fence shares all that it can share.
  private struct CommonKey: Equatable {
    var file: Int
    var lineChanges: Int
    var categoryChanges: Int
    var radius: Metres
    var notation: Mileage.Notation
  }

  private struct Sum {
    var point: ECEF
    var count: Double
  }

  private let splitCarriageways: Bool
  private let keepsRows: Bool
  private var lines: [Line: UInt32] = [:]
  private var recent = Recent()
  private var recentCommon: (key: CommonKey, number: UInt32)?
  private var firsts = FirstFences()
  private var fences = FenceTable()
  private var origins: [Origin] = []
  /// Further fences of a milepost, each where its first row stands, by the milepost's first fence.
  private var furthers: [Int: PlaceList] = [:]
  /// Of the fences of more than one row.
  private var sums: [Int: Sum] = [:]
  /// Two different rows may have got one id.
  private var mayClash = false

  init(splitCarriageways: Bool, keepsRows: Bool = false) {
    self.splitCarriageways = splitCarriageways
    self.keepsRows = keepsRows
  }

  /// Makes room for `rows` more rows, at most a million at once.
  mutating func reserve(_ rows: Int) {
    let total = fences.count + min(rows, 1_000_000)
    fences.reserve(total)
    origins.reserveCapacity(total)
    firsts.reserve(total)
  }

  mutating func add(_ row: borrowing MarkerRow, radius: Metres, file: Int, line: Int) -> Outcome {
    let end = UInt32(clamping: fences.count)
    let origin = Origin(file: UInt32(clamping: file), line: UInt32(clamping: line))
    let first = keepsRows ? Int(end) : Int(firsts.fence(of: key(of: row, file: file), new: end))
    if first == Int(end) {
      append(row, radius: radius, origin: origin)
      return .first
    }
    return addAgain(row, radius: radius, origin: origin, first: first)
  }

  /// Adds a row of a milepost whose first fence is `first`.
  private mutating func addAgain(
    _ row: borrowing MarkerRow, radius: Metres, origin: consuming Origin, first: Int
  ) -> Outcome {
    let point = ECEF(row.coordinate)
    let distance = ECEF(fences.centre(of: first)).distance(to: point)
    if distance <= Self.reach {
      return .merged(merge(row, at: point, radius: radius, file: Int(origin.file), into: first))
    }
    if let near = furthers[first]?.first(near: point) {
      return .merged(merge(row, at: point, radius: radius, file: Int(origin.file), into: near))
    }
    let ordinal = (furthers[first]?.count ?? 0) + 2
    guard ordinal <= Self.ordinalLimit else { return .refused }
    furthers[first, default: PlaceList()].append(fences.count, at: point)
    origin.ordinal = UInt32(clamping: ordinal)
    append(row, radius: radius, origin: origin)
    return .further(
      ordinal: ordinal, file: Int(origins[first].file), line: Int(origins[first].line),
      distance: distance)
  }

  /// The fences, each in its final place, in the order of their first rows.
  consuming func finish() -> FenceTable {
    for (index, sum) in sums {
      fences.setCentre(Self.place(of: (1 / sum.count) * sum.point), of: index)
    }
    if mayClash, !keepsRows { separate() }
    return fences
  }

  private mutating func key(of row: borrowing MarkerRow, file: Int) -> FirstFences.Key {
    if row.isPin {
      recent = Recent()
      let pin = Line(road: row.name ?? "", section: nil, carriageway: nil, isPin: true)
      return FirstFences.Key(line: number(of: pin))
    }
    if recent.file != file || recent.lineChanges != row.lineChanges {
      let line = Line(
        road: row.road, section: row.section,
        carriageway: splitCarriageways ? row.carriageway : nil, isPin: false)
      recent = Recent(file: file, lineChanges: row.lineChanges, number: number(of: line))
    }
    return FirstFences.Key(line: recent.number, row.mileage)
  }

  private mutating func number(of line: Line) -> UInt32 {
    let next = UInt32(clamping: lines.count)
    let number = lines[line] ?? next
    if number == next { lines[line] = next }
    return number
  }

  private mutating func append(
    _ row: borrowing MarkerRow, radius: Metres, origin: consuming Origin
  ) {
    mayClash = mayClash || canClash(row)
    let common = common(of: row, radius: radius, file: Int(origin.file))
    let ordinal = Int(origin.ordinal)
    if row.isPin {
      let id = FenceIdentity.pin(row.name ?? "", ordinal: ordinal)
      fences.append(common: common, centre: row.coordinate, id: id)
    } else {
      fences.append(
        common: common, centre: row.coordinate, micrometres: row.mileage.micrometres,
        id: ordinal > 1 ? id(of: row, ordinal: ordinal) : nil, name: row.name, plate: row.plate)
    }
    origins.append(origin)
  }

  private func id(of row: borrowing MarkerRow, ordinal: Int) -> String {
    let milepost = Milepost(
      road: row.road, mileage: row.mileage, section: row.section, carriageway: row.carriageway)
    return FenceIdentity.milepost(
      milepost, splitCarriageways: splitCarriageways, ordinal: ordinal)
  }

  /// The number of what the row's fence shares with others.
  private mutating func common(of row: borrowing MarkerRow, radius: Metres, file: Int) -> UInt32 {
    if row.isPin {
      var common = FenceTable.Common(radius: radius)
      common.kind = "pin"
      return fences.number(of: common)
    }
    let key = CommonKey(
      file: file, lineChanges: row.lineChanges, categoryChanges: row.categoryChanges,
      radius: radius, notation: row.mileage.notation)
    if let recentCommon, recentCommon.key == key { return recentCommon.number }
    var common = FenceTable.Common(radius: radius)
    common.road = row.road
    common.section = row.section
    common.carriageway = row.carriageway
    common.category = row.category
    common.notation = row.mileage.notation
    common.splitsCarriageways = splitCarriageways
    let number = fences.number(of: common)
    recentCommon = (key, number)
    return number
  }

  private mutating func merge(
    _ row: borrowing MarkerRow, at point: ECEF, radius: Metres, file: Int, into index: Int
  ) -> Foreign? {
    var sum = sums[index] ?? Sum(point: ECEF(fences.centre(of: index)), count: 1)
    sum.point = sum.point + point
    sum.count += 1
    sums[index] = sum
    let before = fences.common(of: index)
    let keepsCarriageway = row.isPin || before.carriageway == row.carriageway
    if before.radius < radius || !keepsCarriageway {
      fences.changeCommon(of: index) {
        $0.radius = max($0.radius, radius)
        if !keepsCarriageway { $0.carriageway = nil }
      }
    }
    let firstFile = Int(origins[index].file)
    guard firstFile != file || !row.isPin && before.category != row.category else { return nil }
    return Foreign(file: firstFile, category: before.category)
  }
}

extension FenceMerger {
  /// The place above or below a point that is at most a few metres off the ellipsoid, to 10⁻⁹ degrees
  /// (0.1 mm), so that the mean of equal places is that place.
  ///
  /// The mean of places within 100 m lies less than a millimetre below the ellipsoid.
  package static func place(of point: ECEF) -> Coordinate {
    let longitude = atan2(point.y, point.x) * 180 / .pi
    return Coordinate(
      latitude: (point.latitude * 1e9).rounded() / 1e9, longitude: (longitude * 1e9).rounded() / 1e9
    )
  }

  /// A row whose texts could make the id of another one: a road called `pin`, a `#` in a name, or a
  /// carriageway that may read like a mileage.
  private func canClash(_ row: borrowing MarkerRow) -> Bool {
    if row.isPin { return row.name?.utf8.contains(UInt8(ascii: "#")) ?? false }
    return row.road == "pin" || splitCarriageways && row.carriageway != nil
  }

  /// Gives a later fence of an id in use the next free `#` number.
  private mutating func separate() {
    var used = Set<String>(minimumCapacity: fences.count)
    for index in fences.indices {
      let base = fences.id(of: index)
      guard !used.insert(base).inserted else { continue }
      var number = 2
      while !used.insert("\(base)#\(number)").inserted { number += 1 }
      fences.setID("\(base)#\(number)", of: index)
    }
  }
}
