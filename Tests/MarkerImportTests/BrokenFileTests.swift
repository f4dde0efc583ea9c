import MarkerImport
import Testing

struct BrokenFileTests {
  struct Row: CustomTestStringConvertible {
    var name: String
    var settings = FormatTests.columns
    var text: [UInt8]
    var complaint: String
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ complaint: String, _ settings: String? = nil) {
      self.name = name
      self.text = Array(text.utf8)
      self.complaint = complaint
      if let settings { self.settings = settings }
    }

    init(_ name: String, bytes: [UInt8], _ complaint: String) {
      (self.name, text, self.complaint) = (name, bytes, complaint)
    }
  }

  @Test(
    "a broken file ends in a line that says where and why",
    arguments: [
      Row("empty", "", "f: is empty"),
      Row("header alone", "r,m,a,o\n", "f: has no rows"),
      Row("a column is missing", "r,m,a\n", "f: no column \"o\"; the header has r, m, a"),
      Row("no latitude", "r,m\nA,1\n", "where is the latitude?", "Road=r\nMileage=m\n"),
      Row(
        "wrong encoding",
        bytes: Array("r,m,a,o\nA1,1,2,3\nA\u{C}".utf8) + [0xA5, 0x78]
          + [UInt8](repeating: 65, count: 9),
        "f:3: byte 3 of the line, 0xA5, is not utf-8 (try --encoding with one of cp950"),
      Row(
        "cut off within a character", bytes: Array("r,m,a,o\nA1,1,2,3\n".utf8) + [0xE5, 0x8F],
        "f:3: the file ends within a utf-8 character (is it cut off?)"),
      Row("an archive", "PK\u{3}\u{4}rest", "f: is a ZIP archive"),
      Row(
        "a header in another encoding", "路,m,a,o\n",
        "no column \"r\"; the header has 路, m, a, o (or is it"),
      Row(
        "header without an end", "\"r,m,a,o\nA1,1,50,8\n", "f:1: the header a quote is not closed"),
      Row(
        "XML cut off", "<gpx><wpt lat='1' lon='2'><name>1</name>", "is the file cut off?",
        "Road=r\nMileage=name\n"),
      Row("XML broken", "<gpx>\n<wpt></gpx>", "f:2: byte", "Road=r\nMileage=name\n"),
      Row(
        "another XML", "<html></html>", "<html> is neither kml, gpx nor osm",
        "Road=r\nMileage=name\n"),
      Row(
        "JSON cut off", "{\"features\":[{\"a\":1}\n", "f: ends within line 2",
        "Road=r\nMileage=name\n"),
      Row("JSON closed twice", "{}\n}", "f:2: a bracket is closed", "Road=r\nMileage=name\n"),
      Row(
        "unknown encoding", "r\n", "encoding \"x-y\" is unknown",
        FormatTests.columns + "Encoding=x-y\n"),
      Row("bad expression", "r\n", "is not a regular expression", "Road=r ~ (\nMileage=m\n"),
      Row(
        "bad system", "r\n", "is no coordinate system", "Road=r\nMileage=m\nX=x\nY=y\nCRS=EPSG:0\n"),
      Row("no mileage wanted", "r\n", "where is the mileage?", "Road=r\n"),
      Row("bad key", "r\n", "p:2: Rode: Rode is unknown", "Rode=r\n"),
      Row("bad value", "r\n", "p:2: Unit: \"furlong\" is unknown", "Unit=furlong\n"),
    ])
  func broken(row: Row) {
    let imported = Imported(row.settings, [row.text])
    let text = imported.fault?.description ?? "no fault"
    #expect(text.contains(row.complaint), "\(text)")
    #expect(!text.contains("\n"))
  }

  struct Rejected: CustomTestStringConvertible {
    var row: String
    var reason: String
    var testDescription: String { row }
  }

  @Test(
    "a row at fault is rejected with its reason and line, and the others are written",
    arguments: [
      Rejected(
        row: "A1,1,121.5,25.5",
        reason: "latitude and longitude are swapped (exchange --lat and --lon)"),
      Rejected(
        row: "A1,1,250000,2700000",
        reason: "latitude or longitude is out of range (are these degrees?)"),
      Rejected(row: "A1,1,0,0", reason: "latitude and longitude are both 0"),
      Rejected(row: "A1,1,,8", reason: "latitude or longitude is empty"),
      Rejected(row: "A1,1,x,8", reason: "latitude is not a number"),
      Rejected(
        row: "A1,1,50,\"8,5\"",
        reason: "longitude is not a number (has it a decimal comma? --decimal-comma)"),
      Rejected(row: "A1,,50,8", reason: "mileage is empty"),
      Rejected(row: ",1,50,8", reason: "road is empty"),
      Rejected(row: "A1,km,50,8", reason: "mileage \"km\" is none in the notation set"),
      Rejected(row: "A1,0.0000000001,50,8", reason: "mileage is finer than a micrometre"),
      Rejected(row: "A1,9999999,50,8", reason: "mileage is beyond 1000000 km"),
      Rejected(row: "A1,1,50", reason: "has another number of cells than the header"),
      Rejected(row: "A1,1,50,\"8\"x", reason: "text follows a closing quote"),
      Rejected(
        row: "A1,1,50," + String(repeating: "8", count: 1_200_000),
        reason: "is longer than 1 MiB (is a quote left open, or the file no CSV?)"),
    ])
  func rejected(row: Rejected) {
    let imported = Imported(
      FormatTests.columns, "r,m,a,o\nA1,1,50,8\n\(row.row)\nA1,2,50.1,8\n", chunkSize: 65_536)
    #expect(imported.report.rejections.map(\.reason) == [row.reason])
    #expect(imported.report.rejections.first?.lines.texts == ["3"])
    #expect(imported.rows.count == 2)
    #expect(imported.report.rowsRead == 3 && imported.report.written == 2)
  }

  @Test("a quote left open spoils its own line alone")
  func openQuote() {
    let imported = Imported(FormatTests.columns, "r,m,a,o\nA1,1,50,\"8\nA1,2,50.1,8\n")
    #expect(
      imported.report.rejections.map(\.reason) == [
        "a quote is not closed (is it a stray one, or the file cut off?)"
      ])
    #expect(imported.rows == ["A1,2K+000,50.1,8,,,,,,,2"])
  }

  @Test("a file that is cut off anywhere in its last row says so")
  func cutOff() {
    let whole = "r,m,a,o,n\nA1,1,50,8,\nA1,2,50.01,8.001,\"x, y\"\n"
    let start = whole.utf8.count - #"A1,2,50.01,8.001,"x, y""#.utf8.count
    for length in start..<whole.utf8.count {
      let imported = Imported(
        FormatTests.columns + "Name=n\n", [Array(whole.utf8.prefix(length))], chunkSize: 7)
      let report = imported.report
      let said = report.rejections.map(\.reason) + report.warnings.map(\.text)
      #expect(said.count == 1 && said[0].contains("cut off"), "\(length): \(said)")
      #expect(report.rowsRead == 2)
      #expect(report.text.contains(": line 3\n"))
    }
    #expect(Imported(FormatTests.columns + "Name=n\n", whole).report.warnings.isEmpty)
  }

  @Test("an XML tag of over 1 MiB ends the import at once; a long file of short ones does not")
  func longTag() {
    func waypoint(_ name: Int) -> String {
      #"<wpt lat="25" lon="121"><name>\#(name)</name></wpt>"#
    }
    let settings = "Format=xml\nRoad==A\nMileage=name\n"
    let long = "<gpx>" + waypoint(1) + "<wpt lat=\"" + String(repeating: "1", count: 3 << 20)
    let fault = Imported(settings, [Array(long.utf8)]).fault?.description ?? ""
    #expect(fault.contains("longer than 1 MiB"))
    let many = "<gpx>" + (0..<60_000).map(waypoint).joined() + "</gpx>"
    #expect(many.utf8.count > 2 << 20)
    #expect(Imported(settings, [Array(many.utf8)]).fault == nil)
  }

  @Test("features that are no points are rejected")
  func noPoint() {
    let line =
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"r":"A","m":1}}"#
    let imported = Imported(FormatTests.geo, line)
    #expect(imported.report.rejections.map(\.reason) == ["is no point"])
    let none = Imported(FormatTests.geo, #"{"type":"Feature","geometry":null,"properties":{}}"#)
    #expect(none.report.rejections.map(\.reason) == ["is no point"])
    let bad = Imported(FormatTests.geo, #"{"type":"Feature","geometry":nil}"#)
    #expect(bad.report.rejections.map(\.reason) == ["is no valid JSON"])
  }

  @Test("a road or pin of control characters alone is empty, as it would be to milepostd")
  func controlCharacters() {
    let imported = Imported(
      "Road=road\nMileage=km\nLatitude=y\nLongitude=x\nKind=kind\nName=name",
      "road,km,y,x,kind,name\n\u{1},1,2,3,,\nA\u{1}\u{9B},1,2,3,,\n,,2,3,pin,\u{7F}\u{202E}\n")
    #expect(imported.report.rejections.map(\.reason) == ["road is empty", "name is empty"])
    #expect(imported.rows.map { $0.prefix(2) } == ["A,"])
  }

  @Test("damaged files never crash, and every row read is accounted for")
  func fuzz() {
    var dice = Dice(state: 20_261_130)
    for row in FormatTests.csv + FormatTests.encodings + FormatTests.others {
      for _ in 0..<150 {
        var bytes = row.bytes
        for _ in 0...Int.random(in: 0..<4, using: &dice) {
          let place = Int.random(in: 0..<bytes.count, using: &dice)
          switch Int.random(in: 0..<4, using: &dice) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
          case 1: bytes.removeSubrange(place..<min(bytes.count, place + 3))
          case 2:
            bytes.insert(
              contentsOf: Array("\"<{[,\n".utf8).shuffled(using: &dice).prefix(2), at: place)
          default: bytes = Array(bytes.prefix(place + 1))
          }
          if bytes.isEmpty { bytes = [10] }
        }
        let imported = Imported(
          row.settings, [bytes], chunkSize: Int.random(in: 1...40, using: &dice))
        let report = imported.report
        guard imported.fault == nil else { continue }
        #expect(
          report.rowsRead == report.written + report.merged + report.rejected + report.leftOut)
      }
    }
  }
}
