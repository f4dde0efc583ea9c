import Geodesy
import MarkerFiles
import MarkerImport
import Milepost
import Testing

/// Rows of one mileage, in crowds and apart, merged by the importer, on load and by brute force.
struct MergingTests {
  struct Row {
    var mileage: Int
    var place: Coordinate
  }

  /// A milepost: its first and its last row, of which the last has the largest radius, and its place.
  struct Merged: Equatable {
    var first: Int
    var last: Int
    var place: Coordinate

    /// The order of a sum may tell in the last of nine decimals.
    static func == (a: Merged, b: Merged) -> Bool {
      a.first == b.first && a.last == b.last
        && abs(a.place.latitude - b.place.latitude) < 1.5e-9
        && abs(a.place.longitude - b.place.longitude) < 1.5e-9
    }
  }

  struct Field: CustomTestStringConvertible {
    var name: String
    var rows: Int
    var mileages: Int
    /// Metres from one side to the other.
    var width: Double
    /// How many rows on average stand about each place.
    var crowd: Double
    var origin: Coordinate
    var testDescription: String { name }
  }

  static let fields = [
    Field(
      name: "few apart", rows: 200, mileages: 20, width: 2_000, crowd: 1,
      origin: Coordinate(latitude: 24, longitude: 121)),
    Field(
      name: "as many as are looked through, and one more", rows: 400, mileages: 12, width: 550,
      crowd: 1, origin: Coordinate(latitude: -33, longitude: 151)),
    Field(
      name: "hundreds of one mileage", rows: 1_500, mileages: 2, width: 5_000, crowd: 2,
      origin: Coordinate(latitude: 60, longitude: -179.99)),
    Field(
      name: "dense", rows: 1_500, mileages: 1, width: 1_200, crowd: 1,
      origin: Coordinate(latitude: 0.001, longitude: 0.001)),
    Field(
      name: "at the pole", rows: 600, mileages: 2, width: 3_000, crowd: 3,
      origin: Coordinate(latitude: 89.99, longitude: 10)),
  ]

  static func rows(_ field: Field, seed: UInt64) -> [Row] {
    var dice = Dice(state: seed)
    let metre = 1 / 111_000.0
    var rows: [Row] = []
    while rows.count < field.rows {
      let north = Double.random(in: 0...field.width, using: &dice) * metre
      let east = Double.random(in: 0...field.width, using: &dice) * metre
      let mileage = Int.random(in: 0..<field.mileages, using: &dice)
      for _ in 0..<Int(Double.random(in: 1..<2 * field.crowd + 0.01, using: &dice)) {
        let jitter = Double.random(in: -80...80, using: &dice) * metre
        let place = Coordinate(
          latitude: min(90, field.origin.latitude + north + jitter),
          longitude: field.origin.longitude + east)
        rows.append(Row(mileage: mileage, place: rounded(place)))
      }
    }
    return Array(rows.prefix(field.rows))
  }

  /// As it is written into the file: nine decimals.
  static func rounded(_ place: Coordinate) -> Coordinate {
    Coordinate(
      latitude: (place.latitude * 1e9).rounded() / 1e9,
      longitude: (place.longitude * 1e9).rounded() / 1e9)
  }

  /// Each row is compared with the first rows of all mileposts before it.
  static func groups(_ rows: [Row]) -> [[Int]] {
    var found: [(mileage: Int, first: ECEF, members: [Int])] = []
    for (number, row) in rows.enumerated() {
      let point = ECEF(row.place)
      let near = found.indices.first {
        found[$0].mileage == row.mileage && found[$0].first.distance(to: point) <= 100
      }
      if let near {
        found[near].members.append(number)
      } else {
        found.append((row.mileage, point, [number]))
      }
    }
    return found.map(\.members)
  }

  /// Mileposts whose means are near each other merge, until there are none.
  static func settled(_ groups: [[Int]], _ rows: [Row]) -> [[Int]] {
    var kept: [(mean: ECEF, members: [Int])] = []
    for members in groups {
      let mean = ECEF(place(of: members, rows))
      let near = kept.indices.first {
        rows[kept[$0].members[0]].mileage == rows[members[0]].mileage
          && kept[$0].mean.distance(to: mean) <= 100
      }
      if let near { kept[near].members += members } else { kept.append((mean, members)) }
    }
    let left = kept.map(\.members)
    return left.count < groups.count ? settled(left, rows) : left
  }

  static func place(of members: [Int], _ rows: [Row]) -> Coordinate {
    if members.count == 1 { return rows[members[0]].place }
    let points = members.map { ECEF(rows[$0].place) }
    let sum = points.dropFirst().reduce(points[0]) { $0 + $1 }
    return rounded(FenceMerger.place(of: (1 / Double(points.count)) * sum))
  }

  static func merged(_ groups: [[Int]], _ rows: [Row]) -> [Merged] {
    groups.map {
      Merged(first: $0[0], last: $0.max() ?? 0, place: place(of: $0, rows))
    }
  }

  static func text(_ rows: [Row]) -> String {
    "road,mileage,latitude,longitude,name,radius\n"
      + rows.enumerated().map { number, row in
        "A,\(row.mileage),\(decimalText(row.place.latitude, places: 9)),"
          + "\(decimalText(row.place.longitude, places: 9)),\(number),\(number + 1)m\n"
      }.joined()
  }

  @Test("rows merge as by comparing each with all before it", arguments: fields)
  func bruteForce(field: Field) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let rows = Self.rows(field, seed: seed)
    let expected = Self.merged(Self.settled(Self.groups(rows), rows), rows)
    let imported = Imported(
      "Road=road\nMileage=mileage\nLatitude=latitude\nLongitude=longitude\nName=name\nRadius=radius",
      Self.text(rows))
    #expect(imported.fault == nil, "seed \(seed)")
    #expect(imported.report.merged == rows.count - expected.count, "seed \(seed)")
    let written = try imported.rows.map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return Merged(
        first: try #require(Int(cells[7])), last: try #require(Int(cells[8].dropLast())) - 1,
        place: Coordinate(
          latitude: try #require(Double(cells[2])), longitude: try #require(Double(cells[3]))))
    }
    #expect(written.sorted { $0.first < $1.first } == expected, "seed \(seed)")
    // It is what milepostd makes of it.
    var reader = MarkerReader(options: MarkerOptions())
    reader.read(Array((imported.lines.joined(separator: "\n") + "\n").utf8), file: "m")
    let set = reader.finish()
    #expect(set.rowsMerged == 0 && set.fences.count == expected.count, "seed \(seed)")
  }

  @Test("marker files merge on load as by comparing each row with all before it", arguments: fields)
  func bruteForceOnLoad(field: Field) {
    let seed = UInt64.random(in: 0...UInt64.max)
    let rows = Self.rows(field, seed: seed)
    var reader = MarkerReader(options: MarkerOptions())
    reader.read(Array(Self.text(rows).utf8), file: "m")
    let loaded = reader.finish().fences.map { fence in
      Merged(
        first: Int(fence.milepost?.name ?? "") ?? -1, last: Int(fence.radius) - 1,
        place: fence.centre)
    }
    #expect(loaded == Self.merged(Self.groups(rows), rows), "seed \(seed)")
  }

  @Test("of many rows of one mileage those are named that fit no neighbour")
  func outliers() {
    // 0.002° of latitude are 222 m, from line 3 on: more mileposts of 1K+000 than are looked at on a side.
    let crowd = (0..<40).map { "A,1,\(50 + 0.0001 * Double($0 * 20)),8\n" }.joined()
    let imported = Imported(
      "Road=r\nMileage=m\nLatitude=a\nLongitude=o\n",
      "r,m,a,o\nA,0,50,8\n\(crowd)A,1,60,8\nA,2,50.01,8\n")
    let named = imported.report.warnings.first { $0.text.contains("neither") }?.lines.texts ?? []
    // 1 km of road and 1 km of slack from 2K+000 are 0.01798° of latitude, 111,250 m each at 50° N.
    #expect(imported.report.written == 43)
    #expect(named.filter { $0.hasSuffix("(A 1K+000)") } == (17...43).map { "\($0) (A 1K+000)" })
  }

  static let columns = "Road=r\nMileage=m\nLatitude=a\nLongitude=o\nSection=s\n"

  @Test("rows over 1 km from the first one of their road, section and mileage are named with both")
  func misplaced() {
    // 0.0089° of latitude are 990 m, 0.0091° 1,012 m at 50° N (111,229 m a degree).
    let text = """
      r,m,a,o,s
      A,1,50,8,
      A,2,50,8,
      A,1.5,50,8,
      A,1.5,50.0089,8,
      A,1,50.0091,8,
      A,1,50.2,8,B
      A,1,50.2,8,
      A,2,50.2,8,
      A,1,50.3,8,B

      """
    for duplicates in ["no", "yes"] {
      let imported = Imported(Self.columns + "KeepDuplicates=\(duplicates)\n", text)
      let warning = imported.report.warnings.first { $0.text.hasPrefix("rows over 1 km") }
      #expect(
        warning?.lines.texts == [
          "6 (A 1K+000, 1.0 km from line 2)", "8 (A 1K+000, 22.2 km from line 2)",
          "9 (A 2K+000, 22.2 km from line 3)", "10 (A B 1K+000, 11.1 km from line 7)",
        ])
    }
    let two = Imported(Self.columns, [Array(text.utf8), Array("r,m,a,o,s\nA,2,60,8,\n".utf8)])
    #expect(two.report.text.contains("f1:2 (A 2K+000, 1111.8 km from f:3)"))
  }

  @Test("fifty misplaced rows are named, the others counted")
  func manyMisplaced() {
    let rows = (0..<60).map { "A,1,\($0),8,\n" }.joined()
    let report = Imported(Self.columns, "r,m,a,o,s\n" + rows).report
    #expect(report.text.contains("warning: 59 rows over 1 km from the first one of their road"))
    #expect(report.text.contains("52 (A 1K+000, 5366.6 km from line 2) and 9 more\n"))
  }
}
