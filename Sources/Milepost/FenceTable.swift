package import Geodesy

/// Fences side by side in flat arrays, about 25 bytes each; a ``Geofence`` is made when one is asked
/// for.
///
/// What many fences share stands once, a mileage in whole metres takes four bytes, and an id is
/// stored only where ``FenceIdentity`` would make another one of the milepost.
package struct FenceTable: Sendable {
  /// What the fences of one road mostly share.
  package struct Common: Hashable, Sendable {
    package var radius: Metres
    package var kind = "milepost"
    /// Nil where the fences have no milepost.
    package var road: String?
    package var section: String?
    package var carriageway: String?
    package var category: String?
    package var notation = Mileage.Notation.kilometres
    /// Carriageways are kept apart, so that ids name them.
    package var splitsCarriageways = false

    package init(radius: Metres) { self.radius = radius }

    /// By the texts' bytes: equal characters may be written in several ways, and ids keep theirs.
    package static func == (a: Common, b: Common) -> Bool {
      a.radius == b.radius && a.notation == b.notation
        && a.splitsCarriageways == b.splitsCarriageways && isSame(a.road, b.road)
        && isSame(a.section, b.section) && isSame(a.carriageway, b.carriageway)
        && isSame(a.category, b.category) && isSame(a.kind, b.kind)
    }

    private static func isSame(_ a: String?, _ b: String?) -> Bool {
      guard let a, let b else { return a == nil && b == nil }
      return a.utf8.elementsEqual(b.utf8)
    }
  }

  private(set) var centres: [Coordinate] = []
  /// Of each fence its place in ``commons``.
  private(set) var commonNumbers: [UInt32] = []
  private(set) var commons: [Common] = []
  private var mileages = MileageColumn()
  private var texts = FenceTexts()
  private var numbers: [Common: UInt32] = [:]

  package init() {}

  package init(_ fences: some Collection<Geofence>) {
    reserve(fences.count)
    for fence in fences { append(fence) }
  }

  /// Makes room for so many fences in all.
  package mutating func reserve(_ count: Int) {
    centres.reserveCapacity(count)
    commonNumbers.reserveCapacity(count)
    mileages.reserve(count)
  }

  /// The number by which ``append(common:centre:micrometres:id:name:plate:)`` knows what fences share.
  package mutating func number(of common: Common) -> UInt32 {
    let next = UInt32(clamping: commons.count)
    let number = numbers[common] ?? next
    if number == next {
      numbers[common] = next
      commons.append(common)
    }
    return number
  }

  /// Adds a fence; one of a milepost where what it shares has a road.
  ///
  /// `id` is nil where it is the one that ``FenceIdentity`` makes of the milepost.
  package mutating func append(
    common: UInt32, centre: Coordinate, micrometres: Int64 = 0, id: String? = nil,
    name: String? = nil, plate: String? = nil
  ) {
    commonNumbers.append(common)
    centres.append(centre)
    mileages.append(micrometres)
    texts.append(id: id, name: name, plate: plate)
  }

  package mutating func append(_ fence: Geofence) {
    var common = Common(radius: fence.radius)
    common.kind = fence.kind
    guard let milepost = fence.milepost else {
      return append(common: number(of: common), centre: fence.centre, id: fence.id)
    }
    common.road = milepost.road
    common.section = milepost.section
    common.carriageway = milepost.carriageway
    common.category = milepost.category
    common.notation = milepost.mileage.notation
    let made = FenceIdentity.milepost(milepost, splitCarriageways: false)
    append(
      common: number(of: common), centre: fence.centre, micrometres: milepost.mileage.micrometres,
      id: made.utf8.elementsEqual(fence.id.utf8) ? nil : fence.id, name: milepost.name,
      plate: milepost.plate)
  }
}

extension FenceTable {
  /// What a fence shares with others.
  package func common(of fence: Int) -> Common { commons[Int(commonNumbers[fence])] }

  /// Changes what a fence shares with others, of this one alone; not to be another road.
  package mutating func changeCommon(of fence: Int, _ change: (inout Common) -> Void) {
    let before = common(of: fence)
    var common = before
    change(&common)
    if common != before { commonNumbers[fence] = number(of: common) }
  }

  package func radius(of fence: Int) -> Metres { commons[Int(commonNumbers[fence])].radius }

  /// True where the fence is the same circle as the one of number `other` in another table.
  func isCircle(_ fence: Int, _ other: Int, of table: FenceTable) -> Bool {
    centres[fence] == table.centres[other] && radius(of: fence) == table.radius(of: other)
  }

  package func centre(of fence: Int) -> Coordinate { centres[fence] }

  package mutating func setCentre(_ centre: Coordinate, of fence: Int) { centres[fence] = centre }

  package func id(of fence: Int) -> String {
    var id: [UInt8] = []
    writeID(of: fence, to: &id)
    return String(decoding: id, as: UTF8.self)
  }

  package mutating func setID(_ id: String, of fence: Int) { texts.setID(id, of: fence) }

  /// Appends the id in UTF-8.
  func writeID(of fence: Int, to id: inout [UInt8]) {
    if texts.writeID(of: fence, to: &id) { return }
    let common = common(of: fence)
    guard let road = common.road else { return }
    FenceIdentity.writeMilepost(
      road: road, section: common.section, mileage: mileage(of: fence, common),
      carriageway: common.splitsCarriageways ? common.carriageway : nil, to: &id)
  }

  /// The numbers of the fences that may have one of these ids, in order.
  func numbers(thatMayHave wanted: WantedIDs) -> [Int] {
    let owners = texts.owners(ofIDs: wanted)
    let made = indices.filter { wanted.mayHave(mileage: mileages[$0]) }
    return Array(Set(owners).union(made)).sorted()
  }

  private func mileage(of fence: Int, _ common: Common) -> Mileage {
    Mileage(micrometres: mileages[fence], notation: common.notation)
  }

  private func milepost(of fence: Int, _ common: Common) -> Milepost? {
    guard let road = common.road else { return nil }
    let texts = texts[fence]
    return Milepost(
      road: road, mileage: mileage(of: fence, common), section: common.section,
      carriageway: common.carriageway, category: common.category, name: texts.name,
      plate: texts.plate)
  }
}

extension FenceTable: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { centres.count }

  package subscript(fence: Int) -> Geofence {
    let common = common(of: fence)
    return Geofence(
      id: id(of: fence), kind: common.kind, centre: centres[fence], radius: common.radius,
      milepost: milepost(of: fence, common))
  }
}
