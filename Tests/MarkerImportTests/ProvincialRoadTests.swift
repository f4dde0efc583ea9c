import Geodesy
import MarkerFiles
import MarkerImport
import Milepost
import Testing

/// The provincial roads of Taiwan, whole: `markers/tw-provincial-7040.cp950.csv` of the shared data.
///
/// What is expected comes from a plain split of the file's bytes here: cp950's second bytes are neither
/// commas nor quotes, so columns can be told without decoding.
struct ProvincialRoadTests {
  struct Row {
    var line: Int
    /// In cp950.
    var road: [UInt8]
    /// Thousandths of a kilometre.
    var plate: Int64
    var latitude: Double
    var longitude: Double
  }

  static let bytes = Shared.bytes("markers/tw-provincial-7040.cp950.csv") ?? []
  static let rows = split(bytes)
  static let imported = Imported(preset: "tw-provincial", [bytes])
  static let all = everyRow()

  static func everyRow() -> RoadBook {
    guard !bytes.isEmpty, let text = try? keptRows() else { return RoadBook([]) }
    var options = MarkerOptions()
    options.keepsRows = true
    var reader = MarkerReader(options: options)
    reader.read(text, file: "m")
    return RoadBook(reader.finish().fences)
  }

  static func keptRows() throws -> [UInt8] {
    var settings = ImportSettings()
    try Preset.load("tw-provincial", folders: [Shared.root + "/Config/presets"], into: &settings)
    try settings.set("KeepDuplicates", "yes")
    var importer = try Importer(settings)
    try importer.read(ByteSource(bytes: bytes, name: "f"))
    var text: [UInt8] = []
    let report = try importer.finish { (piece) throws(ImportFault) in text += piece }
    #expect(report.written == 30_079 && report.merged == 0)
    return text
  }

  static func split(_ bytes: [UInt8]) -> [Row] {
    var rows: [Row] = []
    var cells: [[UInt8]] = [[]]
    var (isQuoted, line, first) = (false, 1, 1)
    for byte in bytes {
      if byte == 0x22 {
        isQuoted.toggle()
      } else if byte == 0x2C, !isQuoted {
        cells.append([])
      } else if byte == 10, !isQuoted {
        if first > 1, let row = row(cells, line: first) { rows.append(row) }
        cells = [[]]
        first = line + 1
      } else {
        cells[cells.count - 1].append(byte)
      }
      if byte == 10 { line += 1 }
    }
    return rows
  }

  static func row(_ cells: [[UInt8]], line: Int) -> Row? {
    guard cells.count == 23, let plate = Double(String(decoding: cells[18], as: UTF8.self)),
      let longitude = Double(String(decoding: cells[8], as: UTF8.self)),
      let latitude = Double(String(decoding: cells[9], as: UTF8.self))
    else { return nil }
    return Row(
      line: line, road: cells[0], plate: Int64((plate * 1_000).rounded()), latitude: latitude,
      longitude: longitude)
  }

  static let isThere = !bytes.isEmpty
  static let absence: Comment = "skipped: no tw-provincial-7040.cp950.csv in the shared data"

  @Test("every row is accounted for", .enabled(if: isThere, absence))
  func accounted() throws {
    let report = Self.imported.report
    #expect(Self.rows.count == 30_079)
    #expect(report.rowsRead == 30_079)
    #expect(report.rejected == 0 && report.leftOut == 0)
    #expect(report.written + report.merged == 30_079)
    #expect(report.roads.reduce(0) { $0 + $1.count } == report.written)
    #expect(report.roads.count == 101)
  }

  @Test("no key of road and plate is lost or made up", .enabled(if: isThere, absence))
  func keys() throws {
    let keys = Set(Self.rows.map { $0.road + Array(" \($0.plate)".utf8) })
    let written = Set(
      Self.imported.rows.map {
        $0.split(separator: ",", maxSplits: 2).prefix(2).joined(separator: " ")
      })
    #expect(keys.count == 20_002)
    #expect(written.count == keys.count)
  }

  @Test("rows of one plate within 100 m of its first are one", .enabled(if: isThere, absence))
  func merging() {
    let plates = Dictionary(grouping: Self.rows, by: Self.key).values.map { rows in
      rows.map {
        MergingTests.Row(
          mileage: 0, place: Coordinate(latitude: $0.latitude, longitude: $0.longitude))
      }
    }
    let count = plates.reduce(0) { $0 + MergingTests.settled(MergingTests.groups($1), $1).count }
    #expect(Self.imported.report.written == count)
  }

  @Test("milepostd makes as many mileposts of it as are written", .enabled(if: isThere, absence))
  func loaded() {
    var reader = MarkerReader(options: MarkerOptions())
    reader.read(Array((Self.imported.lines.joined(separator: "\n") + "\n").utf8), file: "m")
    let set = reader.finish()
    #expect(set.rowsMerged == 0 && set.rowsSkipped == 0)
    #expect(set.fences.count == Self.imported.report.written)
  }

  @Test("the 32 rows in the other zone are named", .enabled(if: isThere, absence))
  func otherZone() {
    let warning = Self.imported.report.warnings.first { $0.text.contains("EPSG:3825") }
    #expect(warning?.lines.count == 32)
  }

  @Test("the mileage is the plate's, not the chainage", .enabled(if: isThere, absence))
  func plates() {
    // 台61 in cp950
    let plates = Set(
      Self.rows.filter { $0.road == [0xA5, 0x78] + Array("61".utf8) }.map { $0.plate * 1_000_000 })
    let road = Self.all.roads(named: "台61").first
    #expect(
      Set(road?.fences.compactMap { $0.milepost?.mileage.micrometres } ?? []) == plates)
  }

  @Test("a plate that is wrong by far is reported", .enabled(if: isThere, absence))
  func outliers() {
    let wrong = Self.rows.first {
      $0.road == [0xA5, 0x78] + Array("3".utf8) && $0.plate == 0 && $0.latitude < 23
    }
    let named =
      Self.imported.report.warnings.first { $0.text.contains("neither") }?.lines.texts ?? []
    #expect(named.contains { $0.hasPrefix("\(wrong?.line ?? 0) ") })
    #expect(named.count < 100)
  }

  @Test(
    "rows of one plate over 1 km apart are named, both lines and the distance",
    .enabled(if: isThere, absence))
  func misplaced() throws {
    let named =
      Self.imported.report.warnings.first { $0.text.hasPrefix("rows over 1 km") }?.lines.texts ?? []
    // Distances computed apart, in Python, from ECEF coordinates.
    for expected in [
      "7210 (台9 37K+200, 17.5 km from line 7209)", "9405 (台9 442K+000, 2.6 km from line 9404)",
      "15470 (台24 5K+000, 7.9 km from line 15469)", "26549 (台76 11K+000, 8.7 km from line 26541)",
      "26560 (台76 11K+500, 8.5 km from line 26543)",
    ] { #expect(named.contains(expected), "\(named)") }
    let lines = named.compactMap { Int($0.prefix { $0.isNumber }) }
    let byLine = Dictionary(uniqueKeysWithValues: Self.rows.map { ($0.line, $0) })
    var firsts: [[UInt8]: ECEF] = [:]
    for row in Self.rows {
      let point = Self.point(of: row)
      let first = firsts[Self.key(of: row)] ?? point
      firsts[Self.key(of: row)] = first
      // Mileposts stand at the mean of rows within 100 m of the first.
      let isNamed = try lines.contains {
        let other = try #require(byLine[$0])
        return Self.key(of: other) == Self.key(of: row)
          && Self.point(of: other).distance(to: point) <= 100
      }
      if first.distance(to: point) > 1_200 { #expect(isNamed, "line \(row.line)") }
      if first.distance(to: point) < 800 { #expect(!isNamed, "line \(row.line)") }
    }
  }

  static func key(of row: Row) -> [UInt8] { row.road + Array(" \(row.plate)".utf8) }

  static func point(of row: Row) -> ECEF {
    ECEF(Coordinate(latitude: row.latitude, longitude: row.longitude))
  }

  @Test("find gives what looking at every row gives", .enabled(if: isThere, absence))
  func find() throws {
    var plates: [String: [Int64]] = [:]
    for road in Self.all.roads {
      plates[road.name] = road.fences.compactMap { $0.milepost?.mileage.micrometres }
    }
    #expect(plates.values.reduce(0) { $0 + $1.count } == 30_079)
    var dice = Dice(state: 4)
    for road in Self.all.roads {
      let values = Array(Set(plates[road.name] ?? []))
      for _ in 0..<40 {
        let near = values.randomElement(using: &dice) ?? 0
        let asked = near + Int64.random(in: -30...30, using: &dice) * 100_000_000
        let distance = values.map { abs($0 - asked) }.min() ?? .max
        let nearest = values.filter { abs($0 - asked) == distance }
        for tie in [RoadBook.Road.Tie.smaller, .larger] {
          let expected = tie == .smaller ? nearest.min() : nearest.max()
          let found = road.nearest(to: Mileage(micrometres: asked), tie: tie)
          let mileages = Set(found.compactMap { $0.milepost?.mileage.micrometres })
          #expect(mileages == (distance <= 2_000_000_000 ? Set([expected ?? 0]) : []))
          let count = (plates[road.name] ?? []).filter { $0 == expected }.count
          #expect(found.count == (distance <= 2_000_000_000 ? count : 0))
        }
      }
    }
  }

  @Test("each row's own plate is found on its road", .enabled(if: isThere, absence))
  func ownPlates() {
    var roads: [[UInt8]: Set<Int64>] = [:]
    for row in Self.rows { roads[row.road, default: []].insert(row.plate) }
    let expected = roads.values.map { $0.sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
    let found = Self.all.roads.map { road in
      Set(
        road.fences.flatMap { fence in
          road.nearest(to: fence.milepost?.mileage ?? Mileage(micrometres: -1)).compactMap {
            ($0.milepost?.mileage.micrometres).map { $0 / 1_000_000 }
          }
        }
      ).sorted()
    }
    // A road a few thousand rows long is looked up once a row: the answers are its own plates.
    #expect(found.sorted { $0.lexicographicallyPrecedes($1) } == expected)
  }
}
