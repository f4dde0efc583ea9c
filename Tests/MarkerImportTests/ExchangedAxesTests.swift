import MarkerImport
import Testing

/// Coordinates of which one was taken for the other. Projected ones are Krüger's series, computed in Python.
struct ExchangedAxesTests {
  struct Row: CustomTestStringConvertible {
    var name: String
    var crs: String
    /// `x,y`, then `latitude,longitude`, which may be empty.
    var row: String
    /// Nil where the row is written.
    var rejected: String?
    var warning: String?
    var testDescription: String { name }
  }

  static let exchanged = "x and y are exchanged (exchange --x and --y: x is the easting)"
  static let swapped = "latitude and longitude are swapped (exchange --lat and --lon)"

  @Test(
    "the area of a coordinate system tells exchanged and foreign coordinates",
    arguments: [
      Row(name: "Taiwan", crs: "EPSG:3826", row: "302432.7,2770935,,"),
      Row(
        name: "Taiwan exchanged", crs: "EPSG:3826", row: "2770935,302432.7,,", rejected: exchanged),
      Row(
        name: "Taiwan exchanged, of two systems", crs: "EPSG:3825 EPSG:3826",
        row: "2770935,302432.7,,", rejected: exchanged),
      Row(name: "Germany", crs: "EPSG:25832", row: "428333.552,5539109.815,,"),
      Row(
        name: "Germany exchanged", crs: "EPSG:25832", row: "5539109.815,428333.552,,",
        rejected: exchanged),
      Row(
        name: "Poland, whose x is the northing", crs: "EPSG:2180", row: "637253.161,461197.243,,"),
      Row(
        name: "by zone", crs: "7=EPSG:25832", row: "5539109.815,428333.552,,", rejected: exchanged),
      Row(
        name: "degrees as a system", crs: "EPSG:4258", row: "9,50,,"),
      Row(
        name: "5° E in zone 33, as in Norway", crs: "EPSG:25833", row: "-56351.26,6693618.35,,",
        warning:
          "rows whose x and y are outside the area of EPSG:25833, Europe between 12°E and 18°E"),
      Row(
        name: "31° E in zone 33", crs: "EPSG:25833", row: "1104629.436,7845845.078,,",
        warning: "rows whose x and y are outside the area of EPSG:25833"),
      Row(
        name: "5° E in zone 33 exchanged", crs: "EPSG:25833", row: "6693618.35,-56351.26,,",
        rejected: exchanged),
      Row(
        name: "degrees taken for metres", crs: "EPSG:25832", row: "8,50,,",
        rejected: "x and y are far outside the area of EPSG:25832, Europe between 6°E and 12°E"),
      Row(name: "no area known", crs: "+proj=utm +zone=32", row: "428333.552,5539109.815,,"),
      Row(
        name: "degrees exchanged beside empty x and y", crs: "EPSG:25832", row: ",,8,50",
        rejected: swapped),
      Row(
        name: "degrees exchanged beside good x and y", crs: "EPSG:25832",
        row: "428333.552,5539109.815,8,50", rejected: swapped),
      Row(name: "degrees beside empty x and y", crs: "EPSG:25832", row: ",,50,8"),
      Row(
        name: "x and y exchanged beside good degrees", crs: "EPSG:25832",
        row: "5539109.815,428333.552,50,8",
        warning: "rows whose x and y are exchanged, as their degrees"),
    ])
  func area(row: Row) {
    let zone = row.crs.hasPrefix("7=") ? "Zone=z\n" : ""
    let imported = Imported(
      "Road=r\nMileage=m\nX=x\nY=y\nLatitude=a\nLongitude=o\nCRS=\(row.crs)\n\(zone)",
      "r,m,x,y,a,o,z\nA,1,\(row.row),7\n")
    #expect(imported.fault == nil)
    #expect(imported.rows.count == (row.rejected == nil ? 1 : 0))
    let reason = imported.report.rejections.first?.reason ?? ""
    #expect(
      reason.hasPrefix(row.rejected ?? "none") || row.rejected == nil && reason.isEmpty, "\(reason)"
    )
    let warning = imported.report.warnings.first?.text ?? ""
    #expect(
      warning.hasPrefix(row.warning ?? "none") || row.warning == nil && warning.isEmpty,
      "\(warning)")
  }

  @Test("the first system that has the place within its area is taken where no degrees tell")
  func systems() {
    // 428333.552, 5539109.815 is 8° E in zone 32, and 14° E in zone 33, both within their areas.
    let settings = "Road=r\nMileage=m\nX=x\nY=y\n"
    let text = "r,m,x,y\nA,1,428333.552,5539109.815\n"
    func longitude(_ imported: Imported) -> Double? {
      imported.rows.first?.split(separator: ",").dropFirst(3).first.flatMap { Double($0) }
        .map { ($0 * 1e6).rounded() / 1e6 }
    }
    let first = Imported(settings + "CRS=EPSG:25832 EPSG:25833", text)
    #expect(longitude(first) == 8 && first.report.warnings.isEmpty)
    let second = Imported(settings + "CRS=EPSG:3826 EPSG:25832", text)
    #expect(longitude(second) == 8)
    #expect(second.report.warnings.map(\.text) == ["rows have x and y in EPSG:25832"])
  }

  struct Bulk: CustomTestStringConvertible {
    var name: String
    /// Latitudes and longitudes of the bulk.
    var places: [(Double, Double)]
    var others: [(Double, Double)]
    /// How many of the others are named.
    var named: Int
    var testDescription: String { name }
  }

  static func line(_ count: Int, _ latitude: Double, _ longitude: Double, step: Double) -> [(
    Double, Double
  )] {
    (0..<count).map { (place: Int) -> (Double, Double) in
      (latitude + Double(place) * step, longitude - Double(place) * step / 2)
    }
  }

  @Test(
    "rows with exchanged degrees are named where the bulk of the others tells it",
    arguments: [
      Bulk(
        name: "two of many", places: line(50, 49, 8, step: 0.01), others: [(8, 49), (7.9, 49.2)],
        named: 2),
      Bulk(
        name: "one in six", places: line(50, 49, 8, step: 0.01),
        others: line(10, 8, 49, step: 0.01), named: 10),
      Bulk(
        name: "a whole country", places: line(300, 47, 14, step: 0.025),
        others: [(10, 51), (52, 12)], named: 1),
      Bulk(
        name: "elsewhere, but not exchanged", places: line(50, 49, 8, step: 0.01),
        others: [(20, 60), (-8, -49), (49, -8)], named: 0),
      Bulk(
        name: "latitude like longitude", places: line(50, 30, 30.2, step: 0.01),
        others: [(30.1, 30.3)], named: 0),
      Bulk(name: "too few", places: line(8, 49, 8, step: 0.01), others: [(8, 49)], named: 0),
    ])
  func bulk(row: Bulk) {
    let all = row.places + row.others
    let text =
      "r,m,a,o\n" + all.enumerated().map { "A,\($0),\($1.0),\($1.1)\n" }.joined()
    let imported = Imported("Road=r\nMileage=m\nLatitude=a\nLongitude=o\n", text)
    let warning = imported.report.warnings.first {
      $0.text.contains("latitude and longitude are exchanged")
    }
    #expect(warning?.lines.count ?? 0 == row.named)
    let last = row.places.count + 1 + row.named
    #expect(
      row.named == 0 || warning?.lines.texts == (row.places.count + 2...last).map(String.init))
  }

  @Test(
    "a coordinate system that is none is told with what it has to look like",
    arguments: [
      ("3826", "write whose number it is, as EPSG:3826"),
      (
        "EPSG:0",
        "\"EPSG:0\" is no coordinate system that PROJ knows (use an authority and its number"
      ),
      ("EPSG:999999", "(use an authority and its number, as EPSG:3826, or a PROJ string"),
      ("Nowhere97", "is no coordinate system that PROJ knows"),
      ("+proj=none", "is no coordinate system that PROJ knows"),
      ("+proj=utm", "coordinate system"),
      ("EPSG:7030", "is no coordinate system that PROJ knows"),
      ("EPSG:5773", "\"EPSG:5773\" is no system of x and y on a map"),
      ("EPSG:4978", "\"EPSG:4978\" is no system of x and y on a map"),
      ("119=EPSG:1", "\"EPSG:1\" is no coordinate system"),
    ])
  func faults(crs: String, complaint: String) {
    let zone = crs.contains("119") ? "Zone=z\n" : ""
    let imported = Imported("Road=r\nMileage=m\nX=x\nY=y\nCRS=\(crs)\n\(zone)", "r\n")
    let fault = imported.fault?.description ?? "none"
    #expect(fault.contains(complaint) && !fault.contains("nknown error"), "\(fault)")
    #expect(imported.fault?.kind == .usage)
  }
}
