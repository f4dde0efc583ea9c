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
  struct Circle {
    var centre: ECEF
    var radiusSquared: Double
  }

  private struct Row {
    var key: UInt64
    var start: UInt32
    var count: UInt32
  }

  package let count: Int
  private let circles: UnsafeMutablePointer<Circle>
  private let rows: UnsafeMutablePointer<Row>
  private let rowMask: Int
  private let ids: UnsafeMutablePointer<Int32>
  /// The levels at which any fence stands.
  let levels: [Cube.Level]

  /// The fences' numbers are their places in `fences`; radii within ``Geofence/radii``.
  package convenience init(_ fences: [Geofence]) {
    self.init(count: fences.count) { (fences[$0].centre, fences[$0].radius) }
  }

  /// - Parameters:
  ///   - count: how many fences, numbered from 0.
  ///   - circle: centre and radius of the fence of a number.
  package init(count: Int, circle: (Int) -> (Coordinate, Metres)) {
    self.count = count
    circles = .allocate(capacity: max(count, 1))
    var present = Set<Cube.Level>()
    for number in 0..<count {
      let (centre, radius) = circle(number)
      let chord = WGS84.chord(arc: radius)
      circles[number] = Circle(centre: ECEF(centre), radiusSquared: chord * chord)
      present.insert(Cube.Level(holding: chord))
    }
    levels = present.sorted()
    let table = RowCounts(circles: UnsafeBufferPointer(start: circles, count: count))
    rowMask = table.keys.count - 1
    rows = .allocate(capacity: table.keys.count)
    var start: UInt32 = 0
    for slot in table.keys.indices {
      rows[slot] = Row(key: table.keys[slot], start: start, count: 0)
      start &+= table.counts[slot]
    }
    ids = .allocate(capacity: max(Int(start), 1))
    fill()
  }

  deinit {
    circles.deallocate()
    rows.deallocate()
    ids.deallocate()
  }

  private func fill() {
    for number in 0..<count {
      Cube.forEach(meeting: circles[number]) { cube in
        let slot = slot(of: cube.key)
        ids[Int(rows[slot].start &+ rows[slot].count)] = Int32(truncatingIfNeeded: number)
        rows[slot].count &+= 1
      }
    }
  }

  private func slot(of key: UInt64) -> Int {
    var slot = RowCounts.home(of: key, mask: rowMask)
    while rows[slot].key != key && rows[slot].key != RowCounts.empty { slot = (slot + 1) & rowMask }
    return slot
  }

  @inline(__always)
  func circle(_ number: Int32) -> Circle { circles[Int(number)] }

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
    var best: (number: Int, distanceSquared: Double)?
    for number in 0..<count {
      let distanceSquared = circles[number].centre.distanceSquared(to: point)
      if distanceSquared < best?.distanceSquared ?? .infinity { best = (number, distanceSquared) }
    }
    return best.map {
      (Int32(truncatingIfNeeded: $0.number), WGS84.arc(chord: $0.distanceSquared.squareRoot()))
    }
  }
}

/// How many fences stand in each row, by open addressing: the first pass of building an index.
private struct RowCounts {
  static let empty = UInt64.max

  private(set) var keys: [UInt64]
  private(set) var counts: [UInt32]
  private var used = 0

  init(circles: UnsafeBufferPointer<FenceIndex.Circle>) {
    keys = [UInt64](repeating: Self.empty, count: 1_024)
    counts = [UInt32](repeating: 0, count: 1_024)
    for circle in circles {
      Cube.forEach(meeting: circle) { add($0.key, 1) }
    }
  }

  @inline(__always)
  static func home(of key: UInt64, mask: Int) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  private mutating func add(_ key: UInt64, _ count: UInt32) {
    if used * 2 >= keys.count { grow() }
    let mask = keys.count - 1
    var slot = Self.home(of: key, mask: mask)
    while keys[slot] != key && keys[slot] != Self.empty { slot = (slot + 1) & mask }
    if keys[slot] == Self.empty {
      keys[slot] = key
      used += 1
    }
    counts[slot] &+= count
  }

  private mutating func grow() {
    let (oldKeys, oldCounts) = (keys, counts)
    keys = [UInt64](repeating: Self.empty, count: oldKeys.count * 2)
    counts = [UInt32](repeating: 0, count: oldKeys.count * 2)
    used = 0
    for slot in oldKeys.indices where oldKeys[slot] != Self.empty {
      add(oldKeys[slot], oldCounts[slot])
    }
  }
}
