import Geodesy
import MarkerFiles
import Milepost
import Testing

private let header = "road,mileage,latitude,longitude,carriageway,radius"

@Suite struct FenceMergingTests {
  // At the equator 0.0001° of longitude are 11.13 m, of latitude 11.06 m.

  @Test("the plates of one milepost are one fence: mean centre, largest radius")
  func merges() throws {
    let set = read(
      "\(header)\nA1,5,10.0001,20.0000,L,30m\nA1,5.000,10.0003,20.0004,R,60m\n"
        + "A1,5K+000,10.0002,20.0002,R,50m\n")
    let fence = try #require(set.fences.first)
    #expect(set.fences.count == 1 && set.reports.isEmpty && set.rowsMerged == 2)
    #expect(abs(fence.centre.latitude - 10.0002) < 2e-9)
    #expect(abs(fence.centre.longitude - 20.0002) < 2e-9)
    #expect(fence.radius == 60)
    #expect(fence.milepost?.carriageway == nil)
  }

  @Test("the same place written twice stays that place, and a carriageway all rows agree on")
  func equalRows() {
    let row = "A1,5,24.858123456,121.771412345,L,\n"
    let set = read("\(header)\n\(row)\(row)\(row)")
    #expect(
      set.fences.map(\.centre) == [Coordinate(latitude: 24.858123456, longitude: 121.771412345)])
    #expect(set.fences.map(\.milepost?.carriageway) == ["L"])
  }

  struct Pair: CustomTestStringConvertible, Sendable {
    var name: String
    var first: String
    var second: String
    var mean: Coordinate
    var testDescription: String { name }
  }

  @Test(
    "the mean knows no antimeridian and no pole",
    arguments: [
      Pair(
        name: "antimeridian", first: "10,179.9998", second: "10,-179.9996",
        mean: Coordinate(latitude: 10, longitude: -179.9999)),
      Pair(
        name: "over the pole", first: "89.9999,0", second: "89.9998,180",
        mean: Coordinate(latitude: 89.99995, longitude: 180)),
    ])
  func seams(_ pair: Pair) throws {
    let set = read("\(header)\nA,1,\(pair.first),,\nA,1,\(pair.second),,\n")
    let centre = try #require(set.fences.first).centre
    #expect(set.fences.count == 1)
    #expect(abs(centre.latitude - pair.mean.latitude) < 2e-9)
    #expect(abs(centre.longitude - pair.mean.longitude) < 2e-6)
  }

  @Test("a hundred metres from the first is the limit, not from the mean")
  func reach() {
    // 0.0009° of latitude at 10° N are 99.55 m, 0.00091° are 100.66 m (110,612 m a degree).
    let near = read("\(header)\nA,1,10,20,,\nA,1,10.0009,20,,\n")
    #expect(near.fences.count == 1)
    let chain = read("\(header)\nA,1,10,20,,\nA,1,10.0009,20,,\nA,1,10.00091,20,,\n")
    #expect(chain.fences.map(\.id) == ["A/1K+000", "A/1K+000#2"])
  }

  @Test("rows farther off become #2 and #3 in file order, with a warning that names both lines")
  func further() {
    let set = read(
      "\(header)\nA,1,10,20,,\nA,1,10.01,20,,\nA,1,11,20,,\nA,1,10.01,20.0001,,\nA,1,10,20.0001,,\n"
    )
    #expect(set.fences.map(\.id) == ["A/1K+000", "A/1K+000#2", "A/1K+000#3"])
    // Rows 4 and 5 belong to #2 and to the first.
    #expect(set.rowsMerged == 2)
    #expect(
      set.reports.map(\.description) == [
        "m.csv:3: A 1K+000 is 1.1 km from the one at m.csv:2; taken as #2",
        "m.csv:4: A 1K+000 is 110.6 km from the one at m.csv:2; taken as #3",
      ])
    #expect(set.reports.map(\.severity) == [.warning, .warning])
  }

  @Test("a section or another notation counts on its own")
  func sections() {
    let set = read(
      "road,mileage,latitude,longitude,section\nA,0,10,20,\nA,0,10,20,N\nA,MP 0,10,20,\n")
    #expect(set.fences.map(\.id) == ["A/0K+000", "A/N/0K+000", "A/MP 0.00"])
  }

  @Test("carriageways are kept apart where asked for")
  func split() {
    let set = read(
      "\(header)\nA,1,10,20,L,\nA,1,10,20,R,\nA,1,10,20,L,\nA,1,10,20,,\n",
      options: MarkerOptions(splitCarriageways: true))
    #expect(set.fences.map(\.id) == ["A/1K+000/L", "A/1K+000/R", "A/1K+000"])
  }

  @Test("files merge together, and a warning names the file of the first row")
  func acrossFiles() {
    var reader = MarkerReader(options: MarkerOptions())
    reader.read(Array("\(header)\nA,1,10,20,,\n".utf8), file: "a.csv")
    reader.read(Array("\(header)\nA,1,10,20,,90\nA,1,10.005,20,,\n".utf8), file: "b.csv")
    let set = reader.finish()
    #expect(set.fences.map(\.id) == ["A/1K+000", "A/1K+000#2"])
    #expect(set.fences.map(\.radius) == [90, 40])
    #expect(
      set.reports.map(\.description) == [
        "b.csv:3: A 1K+000 is 553 m from the one at a.csv:2; taken as #2",
        "b.csv:2: 1 row from here on is a milepost of a.csv already: A",
      ])
    #expect(set.filesRead == 2)
  }

  @Test(
    "rows of another file or category that become part of a milepost are told, by pairs of them")
  func shared() {
    let header = "road,mileage,latitude,longitude,category,kind,name"
    var reader = MarkerReader(options: MarkerOptions())
    reader.read(
      Array("\(header)\nA,1,10,20,x,,\nA,2,11,20,x,,\nA,2,11,20,y,,\n,,1,1,,pin,p\n".utf8),
      file: "a")
    let many = (0..<8).map { "R\($0),1,1,\($0),,,\nR\($0),1,1,\($0),z,,\n" }.joined()
    reader.read(
      Array(
        "\(header)\nA,1,10,20,y,,\nA,1,10,20,y,,\nA,2,11,20,x,,\nA,1,12,20,x,,\n,,1,1,,pin,p\n\(many)"
          .utf8), file: "b")
    #expect(
      reader.finish().reports.map(\.description).filter { $0.contains("already") } == [
        "a:4: 1 row of y from here on is a milepost of this file (x) already: A",
        "b:2: 2 rows of y from here on are mileposts of a (x) already: A",
        "b:4: 1 row of x from here on is a milepost of a (x) already: A",
        "b:6: 1 row from here on is a milepost of a already: pin p",
        "b:8: 8 rows of z from here on are mileposts of this file already: "
          + "R0, R1, R2, R3, R4 and 3 more roads",
      ])
  }

  @Test("ids are unique even where a road, a pin or a carriageway is named to collide")
  func collisions() {
    let pins = read(
      "\(header),kind,name\npin,5,10,20,,,,\n,,10,20,,,pin,5K+000\n,,10,20,,,pin,5K+000#2\n")
    #expect(pins.fences.map(\.id) == ["pin/5K+000", "pin/5K+000#2", "pin/5K+000#2#2"])
    let carriageways = read(
      "\(header),section\nA,1,10,20,2K+000,,\nA,2,10,20,,,1K+000\n",
      options: MarkerOptions(splitCarriageways: true))
    #expect(carriageways.fences.map(\.id) == ["A/1K+000/2K+000", "A/1K+000/2K+000#2"])
  }

  @Test(
    "a row near a further place of its milepost becomes part of that one, its first row's place counting"
  )
  func mergesIntoFurther() {
    // On a meridian; from 11.0 at 0.0009° (99.5 m) and, drawing the mean no nearer, 0.0010° (110.6 m).
    let set = read(
      "\(header)\nA,1,10,20,,\nA,1,11,20,,\nA,1,12,20,,\nA,1,11.0009,20,,\nA,1,11.0010,20,,\n")
    #expect(
      set.fences.map(\.id) == ["A/1K+000", "A/1K+000#2", "A/1K+000#3", "A/1K+000#4"])
    #expect(
      set.fences.map { ($0.centre.latitude * 1e5).rounded() } == [
        10e5, 11.00045e5, 12e5, 11.0010e5,
      ])
    #expect(set.rowsMerged == 1)
  }

  @Test("a thousand places of one milepost are enough")
  func ordinalLimit() {
    let rows = (0...1_000).map { "A,1,\(-80 + Double($0) * 0.1),20,," }.joined(separator: "\n")
    let set = read("\(header)\n\(rows)\n")
    #expect(set.fences.count == 1_000)
    #expect(set.rowsSkipped == 1)
    #expect(
      set.reports.last?.description
        == "m.csv:1002: A 1K+000 has 1000 places already (give each a mileage or name of its own)")
  }

  @Test(
    "in whatever order rows come, each road's mileage is one fence, in the place of its first row")
  func anyOrder() {
    for rise in [0, 1, 7] {
      var text = "road,mileage,latitude,longitude\n"
      var expected: [String] = []
      for number in 0..<2_000 {
        // From scattered to rising, with rows that repeat one before and rows that fall back.
        let kilometre = rise * number / 4 + number * 7_919 / 3 % 40
        let road = "R\(number / 5 % 3)"
        let isMiles = number % 9 == 4
        text += "\(road),\(isMiles ? "MP \(kilometre)" : "\(kilometre)K+000"),45,7\n"
        expected.append("\(road)/\(isMiles ? "MP \(kilometre).00" : "\(kilometre)K+000")")
      }
      var seen = Set<String>()
      let set = read(text)
      #expect(set.fences.map(\.id) == expected.filter { seen.insert($0).inserted })
      #expect(set.rowsMerged == 2_000 - seen.count && set.reports.isEmpty)
    }
  }

  @Test("texts, radii and notations that change from row to row stay with their own fences")
  func ownTexts() {
    let set = read(
      """
      road,mileage,latitude,longitude,category,carriageway,name,radius,kind,plate
      A,1K+000,45,7,x,L,one,,,001K+000
      A,MP 2.00,45.1,7,x,L,,80m,,
      ,,45.2,7,,,Depot,90m,pin,
      A,3K+000,45.3,7,y,L,,,,
      A,4K+000,45.4,7,y,,four,,,P4
      A,1K+000,45,7,x,R,two,50m,,other
      """)
    let words = set.fences.map { fence in
      let post = fence.milepost
      return [
        fence.id, fence.kind, "\(fence.radius)", post?.category, post?.carriageway, post?.name,
        post?.plate,
      ].map { $0 ?? "-" }.joined(separator: " ")
    }
    #expect(
      words == [
        "A/1K+000 milepost 50.0 x - one 001K+000", "A/MP 2.00 milepost 80.0 x L - -",
        "pin/Depot pin 90.0 - - - -", "A/3K+000 milepost 40.0 y L - -",
        "A/4K+000 milepost 40.0 y - four P4",
      ])
  }
}
