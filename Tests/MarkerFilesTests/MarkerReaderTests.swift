import Geodesy
import MarkerFiles
import Milepost
import Testing

/// Reads one file's text as `m.csv`.
func read(_ text: String, options: MarkerOptions = MarkerOptions()) -> MarkerSet {
  var reader = MarkerReader(options: options)
  reader.read(Array(text.utf8), file: "m.csv")
  return reader.finish()
}

private let header = "road,mileage,latitude,longitude"

@Suite struct MarkerReaderTests {
  @Test("a row becomes a fence with the default radius")
  func plainRow() throws {
    let set = read("\(header)\n國道5號,015K+200,24.8581,121.7714\n")
    let fence = try #require(set.fences.first)
    #expect(set.fences.count == 1 && set.reports.isEmpty && set.rowsRead == 1)
    #expect(fence.id == "國道5號/15K+200")
    #expect(fence.kind == "milepost")
    #expect(fence.centre == Coordinate(latitude: 24.8581, longitude: 121.7714))
    #expect(fence.radius == 40)
    #expect(
      fence.milepost
        == Milepost(road: "國道5號", mileage: Mileage(micrometres: 15_200_000_000)))
  }

  @Test("columns are found by name in any order and case, others are not read")
  func columns() throws {
    let set = read(
      "Plate,x,LONGITUDE,Latitude,Section,Radius,Mileage,Carriageway,Road,Name,Category,Kind\n"
        + "015K+200,?,121.7714,24.8581,520,80m,15.2,L,A1,Bridge,freeway,MilePost\n")
    let fence = try #require(set.fences.first)
    #expect(fence.id == "A1/520/15K+200")
    #expect(fence.radius == 80)
    #expect(
      fence.milepost
        == Milepost(
          road: "A1", mileage: Mileage(micrometres: 15_200_000_000), section: "520",
          carriageway: "L", category: "freeway", name: "Bridge", plate: "015K+200"))
  }

  @Test(
    "quotes, CRLF, a line break in quotes, a BOM, blank lines and a missing last line end are read")
  func csvForms() {
    let set = read(
      "\u{FEFF}road,mileage,latitude,longitude,name,note\r\n"
        + "\"A \"\"1\"\"\", 1 ,\"24.5\",121.5,\"x, y\",\"two\nlines\r\nand three\"\r\n\r\n"
        + "A2,2,24.5,121.5,,\nA3,bad,24.5,121.5,,\rA4,4,24.5,121.5,,")
    #expect(set.fences.map(\.id) == ["A \"1\"/1K+000", "A2/2K+000", "A4/4K+000"])
    #expect(set.fences.map(\.milepost?.name) == ["x, y", nil, nil])
    // The faulty row follows the header, three lines of the first row, a blank one and A2.
    #expect(set.reports.map(\.line) == [7])
  }

  @Test("a pin needs a name and no road or mileage")
  func pins() throws {
    let set = read(
      "\(header),kind,name\n,,24.5,121.5,pin,Depot 1/2\nA1,3,24.5,121.5,PIN,\nB,5,1,2,pin,Gate\n")
    #expect(set.fences.map(\.id) == ["pin/Depot 1%2F2", "pin/Gate"])
    #expect(set.fences.allSatisfy { $0.kind == "pin" && $0.milepost == nil })
    #expect(set.reports.map(\.description) == ["m.csv:3: name: is empty (a pin needs a name)"])
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    var row: String
    var reason: String
    var testDescription: String { row }
  }

  @Test(
    "a row with a fault is skipped, and the report says where, what and how to mend it",
    arguments: [
      Fault(row: ",1,2,3,", reason: "road: is empty (write the road's name)"),
      Fault(row: "A,,2,3,", reason: "mileage: is empty (use 15K+200, 15.2 or MP 26.00)"),
      Fault(
        row: "A,x,2,3,", reason: "mileage: \"x\" is not a mileage (use 15K+200, 15.2 or MP 26.00)"),
      Fault(
        row: "A,1.0000000001,2,3,",
        reason: "mileage: \"1.0000000001\" is finer than a micrometre (use fewer decimals)"),
      Fault(row: "A,1,,3,", reason: "latitude: is empty (use decimal degrees, 24.8581)"),
      Fault(
        row: "A,1,25°,3,",
        reason: "latitude: \"25°\" is not a number (use decimal degrees, 24.8581)"),
      Fault(
        row: "A,1,2,nan,",
        reason: "longitude: \"nan\" is not a number (use decimal degrees, 24.8581)"),
      Fault(
        row: "A,1,2,1e1,",
        reason: "longitude: \"1e1\" is not a number (use decimal degrees, 24.8581)"),
      Fault(
        row: "A,1,121.5,24.5,",
        reason: "latitude: 121.5 is out of range (latitude and longitude look swapped)"),
      Fault(row: "A,1,190,24.5,", reason: "latitude: 190.0 is out of range (use -90 to 90)"),
      Fault(row: "A,1,2,181,", reason: "longitude: 181.0 is out of range (use -180 to 180)"),
      Fault(
        row: "A,1,0,0.000,",
        reason: "latitude and longitude are both 0, which is no known place"),
      Fault(row: "A,1,2,3,80ft", reason: "radius: \"80ft\" is not a distance (use 80m)"),
      Fault(row: "A,1,2,3,0.9m", reason: "radius: \"0.9m\" is out of range (use 1m to 100km)"),
      Fault(
        row: "A,1,2,3,100.1km", reason: "radius: \"100.1km\" is out of range (use 1m to 100km)"),
      Fault(row: "A,1,2,3,-5", reason: "radius: \"-5\" is out of range (use 1m to 100km)"),
      Fault(row: "A,1", reason: "has 2 cells where the header has 5"),
      Fault(
        row: "A,1,2,3,4,5",
        reason: "has 6 cells where the header has 5 (quote a cell that holds a comma)"),
      Fault(
        row: "\"A,1,2,3,",
        reason: "a quote is not closed (end the cell with \", write a quote in it as \"\")"),
      Fault(
        row: "\"A\"B,1,2,3,",
        reason: "text follows a closing quote (write a quote in a cell as \"\")"),
      Fault(
        row: "\"A\tB\",1,2,3,", reason: "road: holds a line break or another control character"),
      Fault(
        row: "A\u{9B}31m,1,2,3,", reason: "road: holds a line break or another control character"),
      Fault(
        row: "A\u{202E},1,2,3,", reason: "road: holds a line break or another control character"),
      Fault(
        row: String(repeating: "R", count: 1_025) + ",1,2,3,",
        reason: "road: is longer than 1024 bytes"),
    ])
  func faults(_ row: Fault) {
    let set = read("\(header),radius\nB,1,2,3,\n\(row.row)\nB,2,2,3,\n")
    #expect(set.reports.map(\.description) == ["m.csv:3: \(row.reason)"])
    #expect(set.reports.map(\.severity) == [.skipped])
    #expect(set.fences.map(\.id) == ["B/1K+000", "B/2K+000"])
    #expect(set.rowsRead == 3 && set.rowsSkipped == 1)
  }

  @Test("a file that is cut off in its last row says so")
  func cutOff() {
    let whole = "road,mileage,latitude,longitude,name\nA,1,2,3,\"x, y\"\n"
    // `A,1,2,3,` would be a whole row.
    for length in 38..<whole.utf8.count - 2 where length != 45 {
      var reader = MarkerReader(options: MarkerOptions())
      reader.read(Array(whole.utf8.prefix(length)), file: "m.csv")
      #expect(reader.finish().reports.first?.reason.contains("seems cut off") ?? false, "\(length)")
    }
  }

  @Test("an unknown kind is a fault")
  func unknownKind() {
    let set = read("\(header),kind\nA,1,2,3,pole\nA,1,2,3,\n")
    #expect(
      set.reports.map(\.description) == [
        "m.csv:2: kind: \"pole\" is unknown (use milepost or pin)"
      ])
  }

  struct Failure: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    var report: String
    var testDescription: String { name }
  }

  @Test(
    "a file that cannot be used is a failure",
    arguments: [
      Failure(
        name: "empty", bytes: [],
        report: "m.csv: is empty (begin with the header road,mileage,latitude,longitude)"),
      Failure(
        name: "header only", bytes: Array("\(header)\n".utf8),
        report: "m.csv: has no usable row (add a row below the header)"),
      Failure(
        name: "missing columns", bytes: Array("\nroad,lat,longitude\nA,1,2\n".utf8),
        report: "m.csv:2: columns mileage, latitude missing; the header has road, lat, longitude"),
      Failure(
        name: "missing column", bytes: Array("road,mileage,latitude,lon\n".utf8),
        report: "m.csv:1: column longitude missing; the header has road, mileage, latitude, lon"),
      Failure(
        name: "semicolons", bytes: Array("road;mileage;latitude;longitude\n".utf8),
        report: "m.csv:1: columns road, mileage, latitude, longitude missing; "
          + "the header has road;mileage;latitude;longitude (separate columns by commas)"),
      Failure(
        name: "column twice", bytes: Array("\(header),ROAD\n".utf8),
        report: "m.csv:1: column road occurs twice (rename or remove one)"),
      Failure(
        name: "cp950",
        bytes: Array("\(header)\nA,1,2,3\nB,".utf8) + [0xA4, 0x40] + Array("\n".utf8),
        report: "m.csv:3: byte 3 of the line is not UTF-8 "
          + "(convert the file: iconv -f OLD-ENCODING -t UTF-8)"),
      Failure(
        name: "UTF-16", bytes: [0xFF, 0xFE, 0x72, 0],
        report: "m.csv:1: byte 1 of the line is not UTF-8 "
          + "(convert the file: iconv -f UTF-16 -t UTF-8)"),
    ])
  func failures(_ row: Failure) {
    var reader = MarkerReader(options: MarkerOptions())
    reader.read(row.bytes, file: "m.csv")
    let set = reader.finish()
    #expect(set.reports.map(\.description) == [row.report])
    #expect(set.failures == set.reports)
    #expect(set.fences.isEmpty)
  }

  @Test("a file whose every row is at fault reports each row and the file")
  func allRowsFaulty() {
    let set = read("\(header)\nA,1,x,3\nA,1,2,x\n")
    #expect(set.reports.map(\.line) == [2, 3, nil])
    #expect(set.failures.count == 1)
  }

  @Test("reports beyond ten thousand of a file are counted in one line")
  func reportLimit() {
    let set = read("\(header)\nA,1,2,3\n" + String(repeating: "A,x,2,3\n", count: 10_002))
    #expect(set.reports.count == 10_001)
    #expect(set.reports.last?.description == "m.csv: 2 more reports are not listed")
    #expect(set.rowsSkipped == 10_002 && set.failures.isEmpty)
  }

  @Test("only the roads of the options are taken, pins always, and a road of no file is named")
  func roads() {
    let set = read(
      "\(header),kind,name\nA1,1,2,3,,\nA2,x,2,3,,\nA2,1,2,3,,\n,,2,3,pin,P\n",
      options: MarkerOptions(roads: ["A1", "A9"]))
    #expect(set.fences.map(\.id) == ["A1/1K+000", "pin/P"])
    #expect(set.rowsFilteredOut == 2 && set.reports.isEmpty)
    #expect(set.unmatchedRoads == ["A9"])
    let none = read("\(header)\nA1,1,2,3\n", options: MarkerOptions(roads: ["B"]))
    #expect(none.fences.isEmpty && none.failures.isEmpty)
  }

  struct Radius: CustomTestStringConvertible, Sendable {
    var cell: String
    var metres: Double
    var testDescription: String { cell }
  }

  @Test(
    "the radius column overrides the default",
    arguments: [
      Radius(cell: "", metres: 25), Radius(cell: "80m", metres: 80),
      Radius(cell: "80", metres: 80), Radius(cell: "0.5km", metres: 500),
      Radius(cell: "80 m", metres: 80), Radius(cell: "1", metres: 1),
      Radius(cell: "100km", metres: 100_000), Radius(cell: "12.5m", metres: 12.5),
    ])
  func radii(_ row: Radius) {
    let set = read(
      "\(header),radius\nA,1,2,3,\(row.cell)\n", options: MarkerOptions(defaultRadius: 25))
    #expect(set.fences.map(\.radius) == [row.metres])
  }

  @Test("coordinates are rounded as Swift's own literals are")
  func numbers() {
    let texts = [
      "24.8581", "-0.1", "+7.000000001", "89.999999999999", "12.34567890123456789", "005.5", "0.3",
      "4.35", "1.000000000000001", "-33.8567844", ".5", "5.",
    ]
    for text in texts {
      let set = read("\(header)\nA,1,\(text),3\n")
      let expected = Double(text.hasSuffix(".") ? text + "0" : text)
      #expect(set.fences.first?.centre.latitude == expected, "\(text)")
    }
  }
}
