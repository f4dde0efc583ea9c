import MarkerImport
import Testing

/// Every row of a file is written, merged, rejected or left out, however broken its neighbours are.
struct AccountTests {
  /// What becomes of a row.
  enum Fate: CaseIterable { case used, leftOut, rejected }

  /// A piece of a file, and the fates of the rows in it.
  struct Piece {
    var text: String
    var fates: [Fate]
  }

  struct Format: CustomTestStringConvertible, Sendable {
    var name: String
    var settings: String
    /// A good row by its number and tenth kilometres, and broken ones.
    var good: @Sendable (Int, Int) -> String
    var broken: [Piece]
    var file: @Sendable ([String], inout Dice) -> String
    var testDescription: String { name }
  }

  static let formats: [Format] = [csv, collection, array, lines, sequence, kml, gpx, osm]

  @Test("all rows are accounted for, whatever is broken", arguments: formats)
  func accounts(format: Format) {
    for _ in 0..<60 {
      let seed = UInt64.random(in: 0...UInt64.max)
      var dice = Dice(state: seed)
      let last = Piece(text: format.good(90, 0), fates: [.used])
      let pieces =
        (0..<Int.random(in: 0...12, using: &dice)).map { Self.piece(of: format, $0, &dice) }
        + [last]
      let text = format.file(pieces.map(\.text), &dice)
      let imported = Imported(
        format.settings + "Every=1km\n", [Array(text.utf8)],
        chunkSize: Int.random(in: 1...2_000, using: &dice))
      let fates = pieces.flatMap(\.fates)
      let report = imported.report
      #expect(imported.fault == nil, "seed \(seed)")
      #expect(report.rowsRead == fates.count, "seed \(seed): \(text)")
      #expect(
        report.written + report.merged == fates.count { $0 == .used }, "seed \(seed): \(text)")
      #expect(report.leftOut == fates.count { $0 == .leftOut }, "seed \(seed): \(text)")
      #expect(report.rejected == fates.count { $0 == .rejected }, "seed \(seed): \(text)")
      #expect(imported.rows.count == report.written)
    }
  }

  static func piece(of format: Format, _ number: Int, _ dice: inout Dice) -> Piece {
    switch Fate.allCases.randomElement(using: &dice) {
    case .leftOut: Piece(text: format.good(number, 5), fates: [.leftOut])
    case .rejected:
      format.broken.randomElement(using: &dice) ?? Piece(text: format.good(0, 0), fates: [.used])
    // One in three is a row of the same place.
    default: Piece(text: format.good(number / 3, 0), fates: [.used])
    }
  }

  @Test("a row longer than 1 MiB is one rejected row", arguments: [1, 4])
  func tooLong(mebibytes: Int) {
    let long = String(repeating: "x", count: mebibytes << 20)
    let good = #"{"r":"A","m":1,"a":50,"o":8}"#
    let rows = [
      #"{"r":"A","x":"\#(long)","m":1}"#, #"{"\#(long)":{"m":1}}"#, #"{"x":["\#(long)",1],"r":1}"#,
    ]
    let settings = "Road=r\nMileage=m\nLatitude=a\nLongitude=o\n"
    for row in rows {
      for text in ["\(row)\n\(good)\n", #"{"features":[\#(row),\#(good)]}"#] {
        let report = Imported(settings, [Array(text.utf8)], chunkSize: 1 << 18).report
        #expect(report.rowsRead == 2 && report.written == 1)
        #expect(report.rejections.map(\.reason) == ["is longer than 1 MiB"])
      }
    }
  }

  @Test("what is long beside the rows is none of them")
  func longBeside() {
    let long = String(repeating: "x", count: 3 << 20)
    let good = #"{"r":"A","m":1,"a":50,"o":8}"#
    let settings = "Road=r\nMileage=m\nLatitude=a\nLongitude=o\n"
    for text in [
      #"{"x":"\#(long)","features":[\#(good)]}"#, #"{"features":[\#(good)],"x":["\#(long)"]}"#,
      #"{"\#(long)":[{}],"waypoints":[\#(good)],"features":[]}"#,
    ] {
      let imported = Imported(settings, [Array(text.utf8)], chunkSize: 1 << 18)
      #expect(imported.fault == nil)
      #expect(imported.report.rowsRead == 1 && imported.report.written == 1)
    }
  }

  @Test("both lists of an object are read, and each row knows its line")
  func lineNumbers() {
    let text = """
      {"features": [1,
        "two", null,
        [4, {"r": "A"}], {"r":"A","m":1,"a":50,"o":8}
      ], "waypoints": [{"r":"A","m":2,"a":50.1,"o":8},
        {"r":"A","m":nil}]}
      true
      """
    let report = Imported("Road=r\nMileage=m\nLatitude=a\nLongitude=o\n", text).report
    #expect(report.rowsRead == 8 && report.written == 2)
    #expect(report.rejections.map(\.reason) == ["is no object", "is no valid JSON"])
    #expect(report.rejections.map(\.lines.texts) == [["1", "2", "2", "3", "6"], ["5"]])
  }
}

extension AccountTests {
  static let columns = "Road=r\nMileage=m\nLatitude=a\nLongitude=o\n"

  static let csv = Format(
    name: "CSV", settings: "Format=csv\n" + columns,
    good: { "A,\($0).\($1),5\($0 % 10),8" },
    broken: ["A,1,50", "A,1,50,8,9", "A,1,50,\"8\"x", "A,x,50,8", ",,,", "A,1,,8", "A,1,99,8", "A"]
      .map { Piece(text: $0, fates: [.rejected]) },
    file: { rows, dice in
      let end = ["\n", "\r\n", "\r"].randomElement(using: &dice) ?? ""
      return (["r,m,a,o"] + rows).joined(separator: end) + (Bool.random(using: &dice) ? end : "")
    })

  static let object: @Sendable (Int, Int) -> String = {
    #"{"r":"A{\"[","m":\#($0).\#($1),"a":5\#($0 % 10),"o":8}"#
  }
  /// Objects that are none of a milepost.
  static let brokenObjects = [
    "{}", #"{"r":"A","m":nil}"#, #"{"r":"A" "m":1}"#, #"{"r":["]","}"]}"#, #"{"x":{"r":1}}"#,
    #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2]]},"properties":{}}"#,
  ].map { Piece(text: $0, fates: [.rejected]) }
  /// In a list.
  static let brokenElements =
    brokenObjects
    + ["1", "null", "true", #""a, {\" [""#, "[]", #"[{"r":"A","m":1,"a":1,"o":1},2]"#, "-1.5e9"]
    .map { Piece(text: $0, fates: [.rejected]) }
    + [Piece(text: "{} 1", fates: [.rejected, .rejected]), Piece(text: "", fates: [])]

  static let collection = Format(
    name: "GeoJSON", settings: "Format=json\n" + columns, good: object, broken: brokenElements,
    file: { rows, dice in
      let key = ["features", "waypoints"].randomElement(using: &dice) ?? ""
      let half = rows.count / 2
      return #"{"name":"[{","\#(key)":["# + rows[..<half].joined(separator: ",\n")
        + #"],"crs":{"features":[1]},"features":["# + rows[half...].joined(separator: " , ") + "]}"
    })

  static let array = Format(
    name: "JSON array", settings: "Format=json\n" + columns, good: object, broken: brokenElements,
    file: { rows, _ in "[" + rows.joined(separator: ",") + "]\n" })

  static let lines = Format(
    name: "JSON lines", settings: "Format=json\n" + columns, good: object,
    broken: brokenObjects
      + ["1", "null", "x y z", #""a { [" 1"#, "r,m,a,o"].map { Piece(text: $0, fates: [.rejected]) },
    file: { rows, dice in
      rows.joined(separator: "\n") + (Bool.random(using: &dice) ? "\n" : "")
    })

  static let sequence = Format(
    name: "JSON sequence", settings: "Format=json\n" + columns, good: object,
    broken: brokenObjects
      + ["1", #"{"r":"A"#, #"{"r":"A","m":1"#, #"{"x":[{"r":"#, "{\"r\":\"A\\"].map {
        Piece(text: $0, fates: [.rejected])
      },
    file: { rows, _ in
      rows.map { "\u{1E}\($0)\n" }.joined() + "\u{1E}\n"
    })

  static let kml = Format(
    name: "KML", settings: "Format=xml\nRoad=folder\nMileage=name\n",
    good: { "<Placemark><name>\($0).\($1)</name>\(Self.point(50 + $0 % 10))</Placemark>" },
    broken: [
      "<Placemark/>", "<Placemark><name>1</name></Placemark>",
      "<Placemark><name>x</name>\(point(50))</Placemark>",
      "<Placemark><name>1</name><MultiGeometry>\(point(50))\(point(51))</MultiGeometry></Placemark>",
      "<Placemark><name>1</name><Point><coordinates>8</coordinates></Point></Placemark>",
    ].map { Piece(text: $0, fates: [.rejected]) } + [
      Piece(
        text: "<Placemark><name>1</name><Placemark/>\(point(50))</Placemark>",
        fates: [.rejected, .rejected])
    ],
    file: { rows, _ in
      "<kml><Document><Folder><name>A</name>" + rows.joined(separator: "\n")
        + "</Folder></Document></kml>"
    })

  static func point(_ latitude: Int) -> String {
    "<Point><coordinates>8,\(latitude)</coordinates></Point>"
  }

  static let gpx = Format(
    name: "GPX", settings: "Format=xml\nRoad==A\nMileage=name\n",
    good: { "<wpt lat='5\($0 % 10)' lon='8'><name>\($0).\($1)</name></wpt>" },
    broken: [
      "<wpt/>", "<wpt lat='50' lon='8'/>", "<wpt lon='8'><name>1</name></wpt>",
      "<wpt lat='x' lon='8'><name>1</name></wpt>",
    ].map { Piece(text: $0, fates: [.rejected]) },
    file: { rows, _ in "<gpx><trk><name>t</name></trk>" + rows.joined() + "</gpx>" })

  static let osm = Format(
    name: "OSM", settings: "Format=xml\nRoad==A\nMileage=distance\n",
    good: { node("lat='5\($0 % 10)' lon='8'", "<tag k='distance' v='\($0).\($1)'/>") },
    broken: [
      node("lat='50' lon='8'", ""), node("lat='50'", "<tag k='distance' v='1'/>"),
      node("lat='50' lon='8'", "<tag k='distance' v='x'/>"),
    ].map { Piece(text: $0, fates: [.rejected]) } + [
      Piece(text: "<node id='9' lat='50' lon='8'/>", fates: [])
    ],
    file: { rows, _ in "<osm>" + rows.joined() + "</osm>" })

  static func node(_ place: String, _ tags: String) -> String {
    "<node id='1' \(place)><tag k='highway' v='milestone'/>\(tags)</node>"
  }
}
