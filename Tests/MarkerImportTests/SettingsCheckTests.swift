import MarkerImport
import Testing

struct SettingsCheckTests {
  struct Row: CustomTestStringConvertible {
    /// `Key=value` lines, parted by blanks.
    var settings: String
    /// Nil where they go together.
    var complaint: String?
    var text = "r,m,a,o,n,x,y,c\nA,1,50,8,N,9,50,s\n"
    var testDescription: String { settings }
  }

  static let place = "Latitude=a Longitude=o "
  static let whole = "Road=r Mileage=m " + place

  @Test(
    "settings that do not go together are a usage error that names them",
    arguments: [
      Row(settings: whole),
      Row(
        settings: whole + "Quote=; Delimiter=;",
        complaint: "--quote and --delimiter cannot both be \";\" (--quote none)"),
      Row(settings: whole + "Delimiter=\"", complaint: "--quote and --delimiter cannot both be"),
      Row(settings: whole + "Delimiter=\" Quote=none", complaint: "no column"),
      Row(settings: whole + "Quote=,", complaint: "--quote \",\" may be the delimiter"),
      Row(settings: whole + "Quote=, Delimiter=;", complaint: "no column"),
      Row(settings: whole + "Delimiter=1", complaint: "\"1\" occurs in values"),
      Row(settings: whole + "Delimiter=.", complaint: "\".\" occurs in values"),
      Row(settings: whole + "Quote=x", complaint: "\"x\" occurs in values"),
      Row(
        settings: "Road=r Mileage=m Latitude=a Longitude=a",
        complaint: "column a is both --lat and --lon"),
      Row(
        settings: "Road=r Mileage=r " + place, complaint: "column r is both --road and --mileage"),
      Row(settings: whole + "X=x Y=x CRS=EPSG:4258", complaint: "column x is both --x and --y"),
      Row(
        settings: whole + "Section=c Carriageway=c",
        complaint: "is both --carriageway and --section"),
      Row(settings: whole + "Chainage=m", complaint: "column m is both --mileage and --chainage"),
      Row(settings: whole + "Name=r Plate=m"),
      Row(settings: "Road=r Road=r Mileage=m " + place, complaint: "--road names r twice"),
      Row(settings: "Road=r Road=n Mileage=m " + place),
      Row(
        settings: "Road=r Mileage=#1 " + place, complaint: "column #1 is both --road and --mileage"),
      Row(
        settings: "Road=r Mileage=R " + place, complaint: "column R is both --road and --mileage"),
      Row(settings: "Road=r Road=#1 Mileage=m " + place),
      Row(settings: whole + "CRS=EPSG:4258", complaint: "--crs is the system of --x and --y"),
      Row(settings: whole + "X=x Y=y", complaint: "x and y need a coordinate system"),
      Row(
        settings: whole + "X=x Y=y CRS=EPSG:4258 Zone=c", complaint: "--zone needs a zone with each"
      ),
      Row(
        settings: whole + "X=x Y=y CRS=s=EPSG:4258",
        complaint: "--crs s=... needs --zone, the column"),
      Row(settings: whole + "X=x Y=y CRS=s=EPSG:4258 Zone=c"),
      Row(settings: whole + "Zone=c", complaint: "--zone needs a zone with each system"),
      Row(settings: whole + "ChainageUnit=m", complaint: "--chainage-unit needs --chainage"),
      Row(settings: whole + "ChainageUnit=km Chainage=#7"),
      Row(
        settings: whole + "Format=json Delimiter=;", complaint: "--delimiter is for CSV, not for"),
      Row(settings: whole + "Format=xml Header=yes", complaint: "--header is for CSV, not for"),
      Row(
        settings: whole + "Format=json SkipLines=1", complaint: "--skip-lines is for CSV, not for"),
      Row(
        settings: whole + "Quote='",
        complaint: "f: looks like json, and --quote is for CSV (--format)",
        text: "{}"),
      Row(
        settings: whole + "Header=no", complaint: "--road r: with --header no a column has a number"
      ),
      Row(
        settings: "Road=#1 Mileage=2 Latitude=#3 Longitude=#4 Name=n Header=no",
        complaint: "--name n: with --header no"),
      Row(
        settings: "Road=#1 Mileage=2 Latitude=#3 Longitude=#4 Header=no", text: "A,1,50,8\n"),
      Row(settings: "Kind==pin " + place, complaint: "--kind =pin needs --name"),
      Row(settings: "Kind==pin Name=n " + place),
      Row(
        settings: "Kind==pin Name=n Road=r " + place,
        complaint: "--kind =pin makes pins of all rows, and pins have no --road"),
      Row(settings: "Kind==pin Name=n Every=1km " + place, complaint: "no --every"),
      Row(settings: "Kind==place Name=n " + place, complaint: "--kind =place is none"),
      Row(
        settings: whole + "RenameRoad=A=B RenameRoad=A=C",
        complaint: "--rename-road: A cannot be both B and C"),
      Row(settings: whole + "RenameRoad=A=B RenameRoad=C=B"),
    ])
  func together(row: Row) {
    let lines = row.settings.split(separator: " ").joined(separator: "\n")
    let imported = Imported(lines, row.text)
    if let complaint = row.complaint {
      let fault = imported.fault
      #expect(fault?.description.contains(complaint) ?? false, "\(fault?.description ?? "none")")
      #expect(complaint == "no column" || fault?.kind == .usage)
    } else {
      #expect(imported.fault == nil && imported.report.written == 1, "\(imported.report.text)")
    }
  }

  @Test("systems named twice are told")
  func systems() {
    // A preset's value may have blanks.
    let settings = "Road=r\nMileage=m\nX=x\nY=y\n"
    for (crs, complaint) in [
      ("EPSG:4258 EPSG:4258", "--crs names EPSG:4258 twice"),
      ("s=EPSG:4258 s=EPSG:4326\nZone=c", "--crs names s twice"),
      ("s=EPSG:4258 EPSG:4326\nZone=c", "--zone needs a zone with each"),
    ] {
      let fault = Imported(settings + "CRS=\(crs)\n", "r\n").fault
      #expect(fault?.description.contains(complaint) ?? false, "\(fault?.description ?? "none")")
    }
  }

  @Test("a kind that is neither milepost nor pin is a row's fault, in any letters")
  func kinds() {
    let imported = Imported(
      "Road=r\nMileage=m\nLatitude=a\nLongitude=o\nKind=k\nName=n\n",
      "r,m,a,o,k,n\nA,1,50,8,,\nA,2,50,8,Milepost,\n,,50,8,PIN,p\nA,3,50,8,post,\n")
    #expect(imported.report.rejections.map(\.reason) == ["kind is neither milepost nor pin"])
    #expect(imported.report.written == 3 && imported.report.pins == 1)
  }
}
