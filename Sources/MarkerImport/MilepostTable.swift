import Geodesy
import MarkerFiles
import Milepost

/// The mileposts read, compact: texts are held once, and rows of one place merged.
struct MilepostTable {
  struct Entry {
    var road: Int32
    var section: Int32
    var carriageway: Int32
    var category: Int32
    var name: Int32
    var plate: Int32
    var file: Int32
    var isPin = false
    var mileage: Mileage
    var place: Coordinate
    /// Metres; 0 for none.
    var radius: Double
    /// Micrometres; `Int64.min` for none.
    var chainage: Int64
    var line: Int
  }

  private struct Key: Hashable {
    var road: Int32
    var section: Int32
    var mileage: Mileage
  }

  private struct Sum {
    var point: ECEF
    var count: Double
  }

  private(set) var entries: [Entry] = []
  private(set) var merged = 0
  private(set) var roads: RoadTexts
  private(set) var texts = Texts()
  private var firsts: [Key: Int32] = [:]
  /// Further entries of one road, section and mileage, by their first one.
  private var furthers: [Int32: PlaceList] = [:]
  private var sums: [Int32: Sum] = [:]
  private let merges: Bool

  init(_ settings: ImportSettings) {
    merges = settings.merging == .places
    roads = RoadTexts(settings)
  }

  mutating func add(_ row: ImportRow, file: Int, line: Int) {
    let number = Int32(truncatingIfNeeded: entries.count)
    let entry = entry(of: row, file: file, line: line)
    guard merges, !entry.isPin else {
      entries.append(entry)
      return
    }
    let key = Key(road: entry.road, section: entry.section, mileage: entry.mileage)
    guard let first = firsts[key] else {
      firsts[key] = number
      entries.append(entry)
      return
    }
    let point = ECEF(entry.place)
    if let near = index(near: point, first: first) {
      merge(entry, Sum(point: point, count: 1), into: near)
    } else {
      furthers[first, default: PlaceList()].append(entries.count, at: point)
      entries.append(entry)
    }
  }

  /// The first entry near `point` of those that share their mileage with `first`.
  private func index(near point: ECEF, first: Int32) -> Int32? {
    if ECEF(entries[Int(first)].place).distance(to: point) <= FenceMerger.reach { return first }
    return furthers[first]?.first(near: point).map { Int32(truncatingIfNeeded: $0) }
  }

  /// Puts merged mileposts at the mean of their rows. Those whose means are near each other merge, too,
  /// so that what is written is what milepostd makes of it.
  mutating func finish() {
    for (index, sum) in sums {
      entries[Int(index)].place = FenceMerger.place(of: (1 / sum.count) * sum.point)
    }
    var gone: Set<Int32> = []
    for (first, others) in furthers { settle([first] + others.numbers.map(Int32.init), &gone) }
    if !gone.isEmpty {
      entries = entries.indices.filter { !gone.contains(Int32($0)) }.map { entries[$0] }
    }
    sums = [:]
    firsts = [:]
    furthers = [:]
  }

  /// Merges entries of one mileage until no two are near each other.
  private mutating func settle(_ numbers: [Int32], _ gone: inout Set<Int32>) {
    var (left, before) = (numbers, 0)
    repeat {
      before = left.count
      var kept = PlaceList()
      var changed: Set<Int32> = []
      for number in left {
        let point = ECEF(entries[Int(number)].place)
        guard let near = kept.first(near: point).map(Int32.init) else {
          kept.append(Int(number), at: point)
          continue
        }
        merge(entries[Int(number)], sum(of: number), into: near)
        gone.insert(number)
        changed.insert(near)
      }
      for number in changed {
        let sum = sum(of: number)
        entries[Int(number)].place = FenceMerger.place(of: (1 / sum.count) * sum.point)
      }
      left = kept.numbers.map(Int32.init)
    } while left.count < before && left.count > 1
  }

  /// Of the rows that an entry is made of.
  private func sum(of number: Int32) -> Sum {
    sums[number] ?? Sum(point: ECEF(entries[Int(number)].place), count: 1)
  }

  private mutating func entry(of row: ImportRow, file: Int, line: Int) -> Entry {
    Entry(
      road: roads.number(row.road), section: texts.number(row.section),
      carriageway: texts.number(row.carriageway), category: texts.number(row.category),
      name: texts.number(row.name), plate: texts.number(row.plate),
      file: Int32(truncatingIfNeeded: file), isPin: row.mileage == nil,
      mileage: row.mileage ?? Mileage(micrometres: 0), place: row.place, radius: row.radius ?? 0,
      chainage: row.chainage ?? .min, line: line)
  }

  private mutating func merge(_ entry: Entry, _ added: Sum, into index: Int32) {
    merged += 1
    var sum = sum(of: index)
    sum.point = sum.point + added.point
    sum.count += added.count
    sums[index] = sum
    let place = Int(index)
    entries[place].radius = max(entries[place].radius, entry.radius)
    if entries[place].carriageway != entry.carriageway {
      entries[place].carriageway = Texts.none
    }
  }
}
