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
    /// Rows of which it is made.
    var rows: Int32 = 1
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
      merge(entry, at: point, into: near)
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

  /// Puts merged mileposts at the mean of their rows.
  mutating func finish() {
    for (index, sum) in sums {
      entries[Int(index)].place = FenceMerger.place(of: (1 / sum.count) * sum.point)
    }
    sums = [:]
    firsts = [:]
    furthers = [:]
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

  private mutating func merge(_ entry: Entry, at point: ECEF, into index: Int32) {
    merged += 1
    var sum = sums[index] ?? Sum(point: ECEF(entries[Int(index)].place), count: 1)
    sum.point = sum.point + point
    sum.count += 1
    sums[index] = sum
    let place = Int(index)
    entries[place].rows += 1
    entries[place].radius = max(entries[place].radius, entry.radius)
    if entries[place].carriageway != entry.carriageway {
      entries[place].carriageway = Texts.none
    }
  }
}

/// Texts, each held once, by number; 0 is the empty one.
struct Texts {
  static let none: Int32 = 0
  private(set) var all = [""]
  private var numbers: [String: Int32] = ["": 0]
  private var last: (bytes: ArraySlice<UInt8>, number: Int32) = ([], 0)

  subscript(number: Int32) -> String { all[Int(number)] }

  mutating func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
    if bytes.isEmpty { return Self.none }
    if bytes == last.bytes { return last.number }
    let number = number(bytes.text)
    last = (Array(bytes)[...], number)
    return number
  }

  mutating func number(_ text: String) -> Int32 {
    if let number = numbers[text] { return number }
    let number = Int32(truncatingIfNeeded: all.count)
    numbers[text] = number
    all.append(text)
    return number
  }
}

/// Roads by number: spellings of one road have one number, and the name of the first.
struct RoadTexts {
  private var spellings = Texts()
  private var roadOfSpelling: [Int32: Int32] = [:]
  private var roadOfKey: [String: Int32] = [:]
  private(set) var names: [String] = []
  private let normalises: Bool
  private let renamed: [String: String]

  init(_ settings: ImportSettings) {
    normalises = settings.normalisesRoads
    let pairs = settings.renamedRoads.map { [normalises] in
      (normalises ? RoadName.key($0.from) : $0.from, $0.to)
    }
    renamed = Dictionary(pairs) { $1 }
  }

  subscript(number: Int32) -> String {
    names.indices.contains(Int(number)) ? names[Int(number)] : ""
  }

  /// -1 for the empty name.
  mutating func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
    if bytes.isEmpty { return -1 }
    let spelling = spellings.number(bytes)
    if let road = roadOfSpelling[spelling] { return road }
    let text = bytes.text
    let written = renamed[normalises ? RoadName.key(text) : text] ?? text
    let name = normalises ? RoadName.normalised(written) : written
    let key = normalises ? RoadName.key(written) : written
    let road = roadOfKey[key] ?? Int32(truncatingIfNeeded: names.count)
    if roadOfKey.updateValue(road, forKey: key) == nil { names.append(name) }
    roadOfSpelling[spelling] = road
    return road
  }
}
