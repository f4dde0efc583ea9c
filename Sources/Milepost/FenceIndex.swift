package import Geodesy

/// Finds the fences that can meet a step.
///
/// Earth-centred cubes of 512 m and coarser; a fence stands in the row of each cube of its level
/// from which it is at most ``margin`` further away than its radius. So the row of the cube round a
/// point holds every fence that meets anything within the margin of that cube. Flat arrays only.
///
/// Source of the layout: the cell list of particle simulation (Allen and Tildesley, Computer
/// Simulation of Liquids, section 5.3.2), with one grid for each order of magnitude of radii.
package final class FenceIndex {
  /// How far a step may leave the cube whose row is looked at.
  package static let margin: Metres = 48
  /// Against the rounding of distances of 6.4e6 m: 1 mm is a million times as much.
  static let slack: Metres = 0.001

  /// A fence as geometry: its centre and its squared chord.
  struct Circle: Sendable {
    var centre: ECEF
    var radiusSquared: Double
  }

  fileprivate struct Row {
    /// Of a key that is no cube's.
    static let empty = Row(key: .max, start: 0, count: 0)

    var key: UInt64
    var start: UInt32
    var count: UInt32
  }

  private let centres: [Coordinate]
  /// Of each fence the place of its squared chord in ``squaredChords``.
  private let chordNumbers: [UInt32]
  private let squaredChords: [Double]
  private let rows: UnsafeMutablePointer<Row>
  private let rowMask: Int
  private let ids: UnsafeMutablePointer<Int32>
  /// The levels at which any fence stands.
  let levels: [Cube.Level]

  /// The fences' numbers are their places in `fences`; radii within ``Geofence/radii``.
  package init(_ fences: FenceTable) {
    centres = fences.centres
    chordNumbers = fences.commonNumbers
    let chords = fences.commons.map { WGS84.chord(arc: $0.radius) }
    squaredChords = chords.map { $0 * $0 }
    let rows = Self.rows(of: fences, reaching: chords.map { Cube.Reach(chord: $0) })
    levels = rows.levels
    let capacity = rows.capacity
    rowMask = capacity - 1
    self.rows = .allocate(capacity: capacity)
    ids = .allocate(capacity: max(rows.places.count, 1))
    rows.write(rows: UnsafeMutableBufferPointer(start: self.rows, count: capacity), ids: ids)
  }

  deinit {
    rows.deallocate()
    ids.deallocate()
  }

  /// `reaches` by what fences share.
  private static func rows(of fences: FenceTable, reaching reaches: [Cube.Reach]) -> GrowingRows {
    var rows = GrowingRows(fences: fences.count)
    for (number, centre) in fences.centres.enumerated() {
      let reach = reaches[Int(fences.commonNumbers[number])]
      Cube.forEach(around: ECEF(centre), reach) {
        rows.add(Int32(truncatingIfNeeded: number), to: $0)
      }
    }
    return rows
  }

  private func slot(of key: UInt64) -> Int {
    var slot = Cube.home(of: key, mask: rowMask)
    while rows[slot].key != key && rows[slot].key != Row.empty.key { slot = (slot + 1) & rowMask }
    return slot
  }

  /// Made when it is asked for: a list of all circles would take more room than the fences do.
  @inline(__always)
  func circle(_ number: Int32) -> Circle {
    Self.circle(number, centres, chordNumbers, squaredChords)
  }

  @inline(__always)
  private static func circle(
    _ number: Int32, _ centres: [Coordinate], _ chordNumbers: [UInt32], _ squaredChords: [Double]
  ) -> Circle {
    Circle(
      centre: ECEF(centres[Int(number)]),
      radiusSquared: squaredChords[Int(chordNumbers[Int(number)])])
  }

  /// The numbers of the fences that meet anything within the margin of the cube.
  @inline(__always)
  func row(of cube: Cube) -> UnsafeBufferPointer<Int32> {
    let row = rows[slot(of: cube.key)]
    return UnsafeBufferPointer(start: ids + Int(row.start), count: Int(row.count))
  }

  /// Calls `body` with every fence that can meet the segment; with some of them more than once.
  func forEachCandidate(along segment: Segment, _ body: (Int32) -> Void) {
    let length = segment.lengthSquared.squareRoot()
    let pieces = max(1, (length / Self.margin).rounded(.up))
    for level in levels {
      var previous: UInt64?
      for piece in 0...Int(pieces) {
        let point = segment.start + (Double(piece) / pieces) * segment.direction
        let cube = Cube(holding: point, level: level)
        guard cube.key != previous else { continue }
        previous = cube.key
        row(of: cube).forEach(body)
      }
    }
  }

  /// The fence whose centre is nearest to the point, and how far it is along the ground.
  package func nearest(to point: ECEF) -> (fence: Int32, distance: Metres)? {
    let latitude = point.latitude
    var best: (number: Int, chord: Metres)?
    for (number, centre) in centres.enumerated() {
      let chord = best?.chord ?? .infinity
      if abs(centre.latitude - latitude) * Self.leastChordPerDegree > chord { continue }
      let distance = ECEF(centre).distance(to: point)
      if distance < chord { best = (number, distance) }
    }
    return best.map { (Int32(truncatingIfNeeded: $0.number), WGS84.arc(chord: $0.chord)) }
  }

  /// Two places are no nearer for each degree of latitude between them: a degree is at least
  /// 110,574 m of arc, and a chord at least 2/π of its arc.
  private static let leastChordPerDegree: Metres = 70_000
}

/// The rows while an index is built: numbered as they come, found by open addressing.
private struct GrowingRows {
  /// A fence in a row.
  struct Place {
    var row: UInt32
    var fence: Int32
  }

  private static let free = UInt32.max

  /// Row numbers.
  private var slots: [UInt32]
  private(set) var places: [Place] = []
  private var keys: [UInt64] = []
  /// Rows found lately, by some bits of their cubes' keys: neighbours mostly share their cubes.
  private var recent = [(key: UInt64, row: UInt32)](repeating: (.max, 0), count: 16)
  /// A bit for each level that holds a fence.
  private var levelBits: UInt32 = 0

  /// Room for roads of mileposts, which share their cubes; more grows.
  init(fences: Int) {
    var capacity = 1_024
    while capacity < fences { capacity *= 2 }
    slots = [UInt32](repeating: Self.free, count: capacity)
    places.reserveCapacity(fences * 2)
  }

  /// The levels at which any fence stands, the finest first.
  var levels: [Cube.Level] {
    (0..<32).filter { levelBits & (1 << UInt32($0)) != 0 }.map { Cube.Level($0) }
  }

  @inline(__always)
  mutating func add(_ fence: Int32, to cube: Cube) {
    levelBits |= 1 << UInt32(truncatingIfNeeded: cube.level.rawValue)
    let place = Int(cube.x &+ 3 &* cube.y &+ 5 &* cube.z) & 15
    if recent[place].key != cube.key { recent[place] = (cube.key, row(of: cube.key)) }
    places.append(Place(row: recent[place].row, fence: fence))
  }

  private mutating func row(of key: UInt64) -> UInt32 {
    var slot = Cube.home(of: key, mask: slots.count - 1)
    while slots[slot] != Self.free {
      if keys[Int(slots[slot])] == key { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    let row = UInt32(truncatingIfNeeded: keys.count)
    slots[slot] = row
    keys.append(key)
    if keys.count * 2 >= slots.count { grow() }
    return row
  }

  private mutating func grow() {
    slots = [UInt32](repeating: Self.free, count: slots.count * 2)
    for row in keys.indices {
      var slot = Cube.home(of: keys[row], mask: slots.count - 1)
      while slots[slot] != Self.free { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: row)
    }
  }

  /// How many slots compressed rows take, so that a quarter of them is free.
  var capacity: Int {
    var capacity = 16
    while capacity * 3 < keys.count * 4 { capacity *= 2 }
    return capacity
  }

  /// Writes compressed rows: each slot's key with where its fences' numbers lie in `ids`.
  func write(
    rows: UnsafeMutableBufferPointer<FenceIndex.Row>, ids: UnsafeMutablePointer<Int32>
  ) {
    var ends = starts()
    var rest = ends.mutableSpan
    for place in places {
      ids[Int(rest[Int(place.row)])] = place.fence
      rest[Int(place.row)] &+= 1
    }
    for slot in rows.indices { rows[slot] = .empty }
    var start: UInt32 = 0
    for row in keys.indices {
      var slot = Cube.home(of: keys[row], mask: rows.count - 1)
      while rows[slot].key != FenceIndex.Row.empty.key { slot = (slot + 1) & (rows.count - 1) }
      rows[slot] = FenceIndex.Row(key: keys[row], start: start, count: ends[row] &- start)
      start = ends[row]
    }
  }

  /// Where the fences of each row begin.
  private func starts() -> [UInt32] {
    var starts = [UInt32](repeating: 0, count: keys.count)
    var counts = starts.mutableSpan
    for place in places { counts[Int(place.row)] &+= 1 }
    var start: UInt32 = 0
    for row in counts.indices {
      let count = counts[row]
      counts[row] = start
      start &+= count
    }
    return starts
  }
}

extension Cube {
  /// Where the search for a key begins.
  @inline(__always)
  fileprivate static func home(of key: UInt64, mask: Int) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }
}
