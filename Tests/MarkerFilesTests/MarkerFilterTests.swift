import MarkerFiles
import Milepost
import Testing

struct MarkerFilterTests {
  struct Row: CustomTestStringConvertible {
    var mileage: String
    var category: String?
    var filter: MarkerFilter
    var isKept: Bool
    var testDescription: String { "\(mileage) \(category ?? "-")" }
  }

  static let kilometre = MarkerFilter(every: 1_000_000_000)
  static let provincial = MarkerFilter(categories: ["省道"])

  @Test(
    "whole multiples of Every= and roads of Category= are kept",
    arguments: [
      Row(mileage: "5K+000", filter: MarkerFilter(), isKept: true),
      Row(mileage: "5K+000", filter: kilometre, isKept: true),
      Row(mileage: "0K+000", filter: kilometre, isKept: true),
      Row(mileage: "-2K+000", filter: kilometre, isKept: true),
      Row(mileage: "5K+100", filter: kilometre, isKept: false),
      Row(mileage: "5K+000.000001", filter: kilometre, isKept: false),
      Row(mileage: "MP 26.00", filter: MarkerFilter(every: 1_609_344_000), isKept: true),
      Row(mileage: "MP 26.00", filter: kilometre, isKept: false),
      Row(mileage: "5.1", category: "省道", filter: provincial, isKept: true),
      Row(mileage: "5.1", category: "國道", filter: provincial, isKept: false),
      Row(mileage: "5.1", filter: provincial, isKept: false),
    ])
  func keeps(row: Row) throws {
    let mileage = try MileageParser().parse(row.mileage)
    let milepost = Milepost(road: "A", mileage: mileage, category: row.category)
    #expect(row.filter.keeps(milepost) == row.isKept)
  }

  @Test("rows that the filter leaves out make no fence, pins stay")
  func filteredRows() {
    var reader = MarkerReader(
      options: MarkerOptions(filter: MarkerFilter(categories: ["省道"], every: 1_000_000_000)))
    let text = """
      road,mileage,latitude,longitude,category,kind,name
      A,1,24,121,省道,,
      A,1.5,24.1,121,省道,,
      A,2,24.2,121,國道,,
      ,,24.3,121,,pin,home

      """
    reader.read(Array(text.utf8), file: "m.csv")
    let set = reader.finish()
    #expect(set.fences.map(\.id) == ["A/1K+000", "pin/home"])
    #expect(set.rowsFilteredOut == 2)
  }
}
