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
}
