import Glibc
import MarkerImport
import Testing

/// One file a format; what is expected is written by hand.
struct FormatTests {
  struct Row: CustomTestStringConvertible {
    var name: String
    var settings: String
    var bytes: [UInt8]
    var expected: [String]
    var testDescription: String { name }

    init(_ name: String, _ settings: String, _ text: String, _ expected: [String]) {
      self.init(name, settings, bytes: Array(text.utf8), expected)
    }

    init(_ name: String, _ settings: String, bytes: [UInt8], _ expected: [String]) {
      (self.name, self.settings, self.bytes, self.expected) = (name, settings, bytes, expected)
    }
  }

  static let columns = "Road=r\nMileage=m\nLatitude=a\nLongitude=o\n"
  static let a1 = ["A1,1K+500,50.5,8.25,,,,,,,1.5"]

  static let csv = [
    Row("plain", columns, "r,m,a,o\nA1,1.5,50.5,8.25\n", a1),
    Row("byte order mark and CRLF", columns, "\u{FEFF}r,m,a,o\r\nA1,1.5,50.5,8.25\r\n", a1),
    Row("CR alone, no line end", columns, "r,m,a,o\rA1,1.5,50.5,8.25", a1),
    Row("semicolons found", columns, "r;m;a;o\nA1;1.5;50.5;8.25\n", a1),
    Row("tabs found", columns, "r\tm\ta\to\nA1\t1.5\t50.5\t8.25\n", a1),
    Row("delimiter given", columns + "Delimiter=:\n", "r:m:a:o\nA1:1.5:50.5:8.25\n", a1),
    Row(
      "another quote", columns + "Quote='\n", "r,m,a,o\n'A,1',1.5,50.5,8.25\n",
      ["\"A,1\",1K+500,50.5,8.25,,,,,,,1.5"]),
    Row(
      "no quotes", columns + "Quote=none\n", "r,m,a,o\n\"A1,1.5,50.5,8.25\n",
      ["\"\"\"A1\",1K+500,50.5,8.25,,,,,,,1.5"]),
    Row(
      "newlines and quotes within quotes", columns + "Name=n\n",
      "r,m,a,o,n\nA1,1.5,50.5,8.25,\"a \"\"b\"\"\nc, d\"\n",
      ["A1,1K+500,50.5,8.25,,,,\"a \"\"b\"\" c, d\",,,1.5"]),
    Row(
      "decimal commas", columns + "DecimalComma=yes\n", "r;m;a;o\nA1;1,5;50,5;8,25\n",
      ["A1,1K+500,50.5,8.25,,,,,,,\"1,5\""]),
    Row(
      "columns by number, no header", "Road=#1\nMileage=2\nLatitude=#3\nLongitude=4\nHeader=no\n",
      "A1,1.5,50.5,8.25\n", a1),
    Row(
      "lines before the header", columns + "SkipLines=2\n",
      "title\n\nr,m,a,o\nA1,1.5,50.5,8.25\n", a1),
    Row(
      "constants and picks", "Road==B 7\nMileage=t ~ at ([0-9.]+)\nLatitude=a\nLongitude=o\n",
      "t,a,o\nsign at 2.5 left,50.5,8.25\n", ["B 7,2K+500,50.5,8.25,,,,,,,2.5"]),
    Row(
      "a second source where the first is empty",
      "Road=r\nRoad=s\nMileage=m\nLatitude=a\nLongitude=o\n",
      "r,s,m,a,o\n,A1,1.5,50.5,8.25\n", a1),
    Row(
      "only rows of a condition", columns + "Where=m ~ 5$\n",
      "r,m,a,o\nA1,1.5,50.5,8.25\nA1,1.6,50.5,8.25\n", a1),
    Row(
      "unit and scale", columns + "Unit=m\nScale=10\n", "r,m,a,o\nA1,150,50.5,8.25\n",
      ["A1,1K+500,50.5,8.25,,,,,,,150"]),
    Row(
      "miles", columns + "Unit=mi\n", "r,m,a,o\nI-5,26,45.5,-122.25\n",
      ["I-5,MP 26.00,45.5,-122.25,,,,,,,26"]),
    Row(
      "only whole kilometres", columns + "Every=1km\n",
      "r,m,a,o\nA1,1,50.5,8.25\nA1,1.5,50.6,8.25\nA1,2,50.7,8.25\n",
      ["A1,1K+000,50.5,8.25,,,,,,,1", "A1,2K+000,50.7,8.25,,,,,,,2"]),
    Row(
      "all columns",
      columns + "Carriageway=c\nSection=s\nName=n\nCategory==K\nRadius=d\nPlate=p\n",
      "r,m,a,o,c,s,n,d,p\nA1,1.5,50.5,8.25,L,S,N,0.08km,P\n",
      ["A1,1K+500,50.5,8.25,K,S,L,N,80m,,P"]),
    Row(
      "pins", "Kind==pin\nName=n\nLatitude=a\nLongitude=o\n", "n,a,o\nhome,50.5,8.25\n",
      [",,50.5,8.25,,,,home,,pin,"]),
    Row(
      "spellings of one road", columns,
      "r,m,a,o\n國道一號,1,25,121\n國1,2,25.1,121\nA0006,1,50,8\nA6,2,50.1,8\n",
      [
        "國道1號,1K+000,25,121,,,,,,,1", "國道1號,2K+000,25.1,121,,,,,,,2",
        "A6,1K+000,50,8,,,,,,,1", "A6,2K+000,50.1,8,,,,,,,2",
      ]),
  ]

  static let encodings = [
    Row(
      "cp950", columns + "Encoding=cp950\n",
      bytes: Array("r,m,a,o\n".utf8) + [0xA5, 0x78, 0x39] + Array(",1.5,25.5,121.25\n".utf8),
      ["台9,1K+500,25.5,121.25,,,,,,,1.5"]),
    Row(
      "shift_jis", columns + "Encoding=shift_jis\n",
      bytes: Array("r,m,a,o\n".utf8) + [0x93, 0x8C, 0x96, 0xBC] + Array(",1.5,35.5,139.25\n".utf8),
      ["東名,1K+500,35.5,139.25,,,,,,,1.5"]),
    Row(
      "euc-kr", columns + "Encoding=euc-kr\n",
      bytes: Array("r,m,a,o\n".utf8) + [0xB0, 0xE6, 0xBA, 0xCE] + Array(",1.5,37.5,127.25\n".utf8),
      ["경부,1K+500,37.5,127.25,,,,,,,1.5"]),
    Row(
      "latin-1", columns + "Encoding=latin-1\n",
      bytes: Array("r,m,a,o\n".utf8) + [0xC5, 0x31] + Array(",1.5,60.5,10.25\n".utf8),
      ["Å1,1K+500,60.5,10.25,,,,,,,1.5"]),
    Row(
      "big5hkscs", columns + "Encoding=big5hkscs\n",
      bytes: Array("r,m,a,o\n".utf8) + [0xA5, 0x78, 0x39] + Array(",1.5,25.5,121.25\n".utf8),
      ["台9,1K+500,25.5,121.25,,,,,,,1.5"]),
    Row(
      "utf-16 by its mark", columns,
      bytes: [0xFF, 0xFE]
        + Array("r,m,a,o\nA1,1.5,50.5,8.25\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }),
      a1),
  ]

  static let feature =
    #"{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[8.25,50.5,99]},"properties":{"r":"A\u00311","m":1.5,"x":{"y":[1]}}}"#
  static let a11 = ["A11,1K+500,50.5,8.25,,,,,,,1.5"]
  static let geo = "Road=r\nMileage=m\n"

  static let others = [
    Row(
      "GeoJSON collection", geo,
      #"{"type":"FeatureCollection","name":"a{[\"","features":["# + "\n" + feature
        + #"],"crs":null}"#, a11),
    Row("GeoJSON sequence", geo, "\u{1E}" + feature + "\n\u{1E}" + feature + "\n", a11),
    Row("one feature a line", geo, feature + "\n" + feature, a11),
    Row(
      "exponents", "Road=r\nMileage=m\n",
      #"{"geometry":{"type":"Point","coordinates":[8.25e0,5.05E+1]},"properties":{"r":"A1","m":"1.5"}}"#,
      a1),
    Row("GeoJSON id", "Road==A1\nMileage=@id\n", feature, ["A1,7K+000,50.5,8.25,,,,,,,7"]),
    Row(
      "KML", "Road=folder\nMileage=name\nCategory=c\nSection=d\n",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>doc</name><Folder><name>A1</name>
      <Placemark><name>1.5</name><ExtendedData><Data name="c"><value>K &amp; L</value></Data>
      <SchemaData><SimpleData name="d"><![CDATA[<S>]]></SimpleData></SchemaData></ExtendedData>
      <Point><coordinates> 8.25,50.5,3 </coordinates></Point></Placemark></Folder></Document></kml>
      """, ["A1,1K+500,50.5,8.25,K & L,<S>,,,,,1.5"]),
    Row(
      "GPX", "Road=desc ~ ^([^ ]+) \nMileage=name\n",
      #"<gpx><metadata><name>no</name></metadata><wpt lat="50.5" lon="8.25"><name>1.5</name><desc>A1 post</desc></wpt></gpx>"#,
      a1),
    Row(
      "XML in its declared encoding", "Road=name\nMileage==1.5\n",
      bytes: Array(
        #"<?xml version="1.0" encoding="ISO-8859-1"?><gpx><wpt lat="60.5" lon="10.25"><name>"#.utf8)
        + [0xC5] + Array("1</name></wpt></gpx>".utf8), ["Å1,1K+500,60.5,10.25,,,,,,,1.5"]),
  ]

  @Test("a file is read as its settings say", arguments: csv + encodings + others)
  func reads(row: Row) {
    let whole = Imported(row.settings, [row.bytes])
    #expect(whole.fault == nil)
    #expect(whole.rows == row.expected)
    #expect(whole.report.rejected == 0)
  }

  @Test("where a file's pieces are cut makes no difference", arguments: csv + encodings + others)
  func pieces(row: Row) {
    for size in [3, 7, 64] {
      #expect(Imported(row.settings, [row.bytes], chunkSize: size).rows == row.expected, "\(size)")
    }
  }

  @Test("OSM milestones take their own tags, else the road of the way they are on")
  func osm() {
    let text = """
      <osm version="0.6"><node id="1" lat="50.5" lon="8.25"><tag k="highway" v="milestone"/>
      <tag k="distance" v="35.0 km"/></node>
      <node id="2" lat="51.5" lon="8.5"><tag k="railway" v="milestone"/>
      <tag k="railway:position" v="mi:47.7"/><tag k="line" v="X"/></node>
      <node id="3" lat="52.5" lon="8.5"><tag k="highway" v="milestone"/><tag k="ref" v="171:7.1"/></node>
      <node id="4" lat="52.5" lon="8.5"><tag k="highway" v="stop"/></node>
      <node id="5" lat="52.5" lon="8.5"><tag k="highway" v="milestone"/><tag k="distance" v="5.9 / 6.6"/></node>
      <way id="9"><nd ref="1"/><tag k="highway" v="primary"/><tag k="ref" v="B 7"/></way></osm>
      """
    let imported = Imported(preset: "osm", [Array(text.utf8)])
    #expect(imported.fault == nil)
    #expect(
      imported.rows == [
        "B 7,35K+000,50.5,8.25,,,,,,,35.0 km", "X,MP 47.70,51.5,8.5,,,,,,,mi:47.7",
        "171,7K+100,52.5,8.5,,,,,,,7.1",
      ])
    #expect(imported.report.rowsRead == 4)
    #expect(imported.report.rejected == 1)
  }

  @Test("OwnTracks waypoints become pins")
  func ownTracks() {
    let waypoint =
      #"{"_type":"waypoint","desc":"Home","lat":50.5,"lon":8.25,"rad":120,"tst":1}"#
    for text in [waypoint, "[\(waypoint)]", #"{"_type":"waypoints","waypoints":[\#(waypoint)]}"#] {
      let imported = Imported(preset: "owntracks", [Array(text.utf8)])
      #expect(imported.fault == nil)
      #expect(imported.rows == [",,50.5,8.25,,,,Home,120m,pin,"])
    }
  }

  @Test("projected coordinates are turned, by each row's zone too")
  func projected() {
    // Krüger's series to n³ on GRS 80 in Python gave these degrees.
    let text = "r,m,x,y,z\n台1,0,302432.7,2770935,121\n台1,5,302432.7,2770935,119\n"
    let zoned = Imported(
      "Road=r\nMileage=m\nX=x\nY=y\nZone=z\nCRS=121=EPSG:3826 119=EPSG:3825\n", text)
    #expect(zoned.fault == nil)
    let places = zoned.rows.map { $0.split(separator: ",")[2...3].compactMap { Double($0) } }
    #expect(places.count == 2)
    #expect(zip(places[0], [25.045654405, 121.519631825]).allSatisfy { abs($0 - $1) < 1e-8 })
    #expect(zip(places[1], [25.045654405, 119.519631825]).allSatisfy { abs($0 - $1) < 1e-8 })
  }

  @Test("degrees and projected coordinates are compared")
  func compared() {
    let text = """
      r,m,x,y,a,o
      台1,0,302432.7,2770935,25.0456725,121.5196315
      台1,1,302432.7,2770935,25.0456725,119.5196315
      台1,2,302432.7,2770935,25.0556725,121.5196315

      """
    let imported = Imported(
      "Road=r\nMileage=m\nX=x\nY=y\nCRS=EPSG:3826 EPSG:3825\nLatitude=a\nLongitude=o\n", text)
    #expect(imported.report.written == 3)
    // The second is 0.0100181 degrees of latitude off, 110,773.5 m each at 25° N.
    let warnings = imported.report.warnings
    #expect(warnings.count >= 2)
    #expect(
      warnings[0].text == "rows have x and y in EPSG:3825" && warnings[0].lines.texts == ["3"])
    #expect(
      warnings[1].text.contains("over 50 m apart") && warnings[1].lines.texts == ["4 (1110 m)"])
  }

  @Test("up to 50 m degrees and projected coordinates may differ")
  func tolerance() {
    // 45 m and 55 m of latitude, 110,773.5 m a degree at 25° N
    let text = """
      r,m,x,y,a,o
      台1,0,302432.7,2770935,25.046060641,121.519631825
      台1,1,302432.7,2770935,25.046150915,121.519631825

      """
    let imported = Imported(
      "Road=r\nMileage=m\nX=x\nY=y\nCRS=EPSG:3826\nLatitude=a\nLongitude=o\n", text)
    #expect(imported.report.warnings.first?.lines.texts == ["3 (55 m)"])
  }

  @Test("degrees that fit the projected coordinates when exchanged are swapped")
  func swapped() {
    // Krüger's series in Python: 50 N 8 E in EPSG:25832 is x 428333.552, y 5539109.815.
    let text = "r,m,x,y,a,o\nA,1,428333.552,5539109.815,8,50\nA,2,428333.552,5539109.815,50,8\n"
    let imported = Imported(
      "Road=r\nMileage=m\nX=x\nY=y\nCRS=EPSG:25832\nLatitude=a\nLongitude=o\n", text)
    #expect(
      imported.report.rejections.map(\.reason) == [
        "latitude and longitude are swapped (exchange --lat and --lon)"
      ])
    #expect(imported.rows == ["A,2K+000,50,8,,,,,,,2"])
    #expect(imported.report.warnings.isEmpty)
  }

  @Test("the preset of the manual page reads what it is for")
  func manualPage() throws {
    let page = String(
      decoding: try #require(Shared.bytes(Shared.root + "/Documentation/milepostctl.1")),
      as: UTF8.self)
    let start = try #require(page.firstRange(of: "[Import]\n")).upperBound
    let end = try #require(page[start...].firstRange(of: ".Ed\n")).lowerBound
    let imported = Imported(
      String(page[start..<end]),
      "Strasse;km;Breite;Laenge;Richtung\nB16;12,4;49.0134;12.1016;Nord\nB16;12,6;49.0152;12.1016;\n"
    )
    #expect(
      imported.rows == [
        "B16,12K+400,49.0134,12.1016,Bundesstrasse,,Nord,,,,\"12,4\"",
        "B16,12K+600,49.0152,12.1016,Bundesstrasse,,,,,,\"12,6\"",
      ])
  }
}
