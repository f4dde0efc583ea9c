import Geodesy
import MarkerFiles
import MarkerImport
import Milepost
import Testing

struct RoadBookTests {
  static func book(_ rows: String...) -> RoadBook {
    var options = MarkerOptions()
    options.keepsRows = true
    var reader = MarkerReader(options: options)
    let header = "road,mileage,latitude,longitude,category,section,carriageway\n"
    reader.read(Array((header + rows.joined(separator: "\n")).utf8), file: "m")
    return RoadBook(reader.finish().fences)
  }

  struct Row: CustomTestStringConvertible {
    var asked: String
    var smaller: String?
    var larger: String?
    var testDescription: String { asked }
  }

  @Test(
    "the nearest in mileage is found, to 2 km inclusive, ties as asked",
    arguments: [
      Row(asked: "5.1", smaller: "5K+000", larger: "5K+000"),
      Row(asked: "5.25", smaller: "5K+000", larger: "5K+500"),
      Row(asked: "5.2500001", smaller: "5K+500", larger: "5K+500"),
      Row(asked: "7.5", smaller: "5K+500", larger: "5K+500"),
      Row(asked: "7.500000001", smaller: nil, larger: nil),
      Row(asked: "-0K+300", smaller: "-0K+200", larger: "-0K+200"),
      Row(asked: "-2.2", smaller: "-0K+200", larger: "-0K+200"),
      Row(asked: "-2.200001", smaller: nil, larger: nil),
    ])
  func nearest(row: Row) throws {
    let book = Self.book("A1,5,50,8,,,", "A1,5.5,50.1,8,,,", "A1,-0K+200,50.2,8,,,")
    let road = try #require(book.roads(named: "a 1").first)
    let asked = try MileageParser().parse(row.asked)
    for (tie, expected) in [(RoadBook.Road.Tie.smaller, row.smaller), (.larger, row.larger)] {
      let found = road.nearest(to: asked, tie: tie).first?.milepost?.mileage.description
      #expect(found == expected)
    }
  }

  @Test("miles tie exactly")
  func miles() throws {
    let book = Self.book("I-5,MP 26.1,45,-122,,,", "I-5,MP 26.2,45.1,-122,,,")
    let road = try #require(book.roads(named: "i5").first)
    #expect(road.notation == .miles)
    let asked = try MileageParser(bareUnit: .miles).parse("26.15")
    #expect(road.nearest(to: asked).first?.milepost?.mileage.description == "MP 26.10")
    #expect(
      road.nearest(to: asked, tie: .larger).first?.milepost?.mileage.description == "MP 26.20")
  }

  @Test("of one mileage the first is by section, carriageway and id")
  func order() throws {
    let book = Self.book("A,1,50,8,,b,", "A,1,51,8,,,z", "A,1,52,8,,,", "A,1,53,8,,a,y")
    let found = try #require(book.roads(named: "A").first)
      .nearest(to: Mileage(micrometres: 1_000_000_000))
    #expect(found.map(\.centre.latitude) == [52, 51, 53, 50])
  }

  @Test("a carriageway narrows, and a milepost without one serves all")
  func carriageway() throws {
    let book = Self.book("A,1,50,8,,,L", "A,1.2,51,8,,,R", "A,1.5,52,8,,,")
    let road = try #require(book.roads(named: "A").first)
    let asked = Mileage(micrometres: 1_000_000_000)
    #expect(road.nearest(to: asked, carriageway: "R").first?.centre.latitude == 51)
    #expect(road.nearest(to: asked, carriageway: "X").first?.centre.latitude == 52)
  }

  @Test("a name of several categories gives one road each; a suffix is another road")
  func categories() {
    let book = Self.book("台2己,1,50,8,省道,,", "台2己,1,50,8,國道,,", "台61,1,50,8,省道,,")
    #expect(book.roads(named: "臺2己線").map(\.category) == ["省道", "國道"])
    #expect(book.roads(named: "台2己", category: "國道").count == 1)
    #expect(book.roads(named: "台61甲").isEmpty)
    #expect(book.namesLike("台62").first == "台61")
  }
}
