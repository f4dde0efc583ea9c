import Milepost
import Testing

@Suite struct FenceIdentityTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var section: String?
    var carriageway: String?
    var road = "A1"
    var split = false
    var ordinal = 1
    var expected: String
    var testDescription: String { name }
  }

  @Test(
    "a milepost's id is road, section and mileage",
    arguments: [
      Row(name: "plain", road: "國道5號", expected: "國道5號/15K+200"),
      Row(name: "section", section: "520", expected: "A1/520/15K+200"),
      Row(name: "slash in the road", road: "N1/N2", expected: "N1%2FN2/15K+200"),
      Row(name: "percent in the section", section: "5%/x", expected: "A1/5%25%2Fx/15K+200"),
      Row(name: "carriageway merged", carriageway: "L", expected: "A1/15K+200"),
      Row(name: "carriageway kept", carriageway: "L/R", split: true, expected: "A1/15K+200/L%2FR"),
      Row(name: "no carriageway to keep", split: true, expected: "A1/15K+200"),
      Row(name: "further one", ordinal: 3, expected: "A1/15K+200#3"),
    ])
  func mileposts(_ row: Row) {
    let milepost = Milepost(
      road: row.road, mileage: Mileage(micrometres: 15_200_000_000), section: row.section,
      carriageway: row.carriageway)
    let id = FenceIdentity.milepost(
      milepost, splitCarriageways: row.split, ordinal: row.ordinal)
    #expect(id == row.expected)
  }

  @Test("a pin's id is its name")
  func pins() {
    #expect(FenceIdentity.pin("Depot 50% / north") == "pin/Depot 50%25 %2F north")
    #expect(FenceIdentity.pin("Depot", ordinal: 2) == "pin/Depot#2")
  }
}
