import MarkerImport
import Testing

struct RoadNameTests {
  struct Row: CustomTestStringConvertible {
    var spellings: [String]
    var name: String
    var testDescription: String { name }
  }

  static let rows = [
    Row(spellings: ["國道1號", "國1", "國道一號", "國一", "国".isEmpty ? "" : "國道１號", "國道01號"], name: "國道1號"),
    Row(spellings: ["國道10號", "國10", "國道十號"], name: "國道10號"),
    Row(spellings: ["國道3甲", "國3甲", "國道三號甲線", "國道3號甲"], name: "國道3甲"),
    Row(spellings: ["台9", "臺9", "臺九線", "台9線", "省道台9線", " 台9 ", "台09"], name: "台9"),
    Row(spellings: ["台61甲", "臺61甲線", "台六十一甲"], name: "台61甲"),
    Row(spellings: ["台106", "台一〇六", "台一百零六線"], name: "台106"),
    Row(spellings: ["台8臨37"], name: "台8臨37"),
    Row(spellings: ["國道1號高架路段", "國1高架路段"], name: "國道1號高架路段"),
    Row(spellings: ["A0006", "A6", "a6", "A 6", "A-6"], name: "A6"),
    Row(spellings: ["003", "3", "03"], name: "3"),
    Row(spellings: ["I-5", "I 5", "i5", "Ｉ-５"], name: "I-5"),
    Row(spellings: ["0", "000"], name: "0"), Row(spellings: ["南港聯絡道"], name: "南港聯絡道"),
    Row(spellings: ["A1(M)"], name: "A1(M)"), Row(spellings: ["M1"], name: "M1"),
    Row(spellings: ["國", "國道"], name: "國"),
  ]

  @Test("spellings of one road have one key, and the first is the name", arguments: rows.dropLast())
  func spellings(row: Row) {
    for spelling in row.spellings { #expect(RoadName.key(spelling) == RoadName.key(row.name)) }
    #expect(RoadName.normalised(row.spellings[0]) == row.name)
    #expect(RoadName.normalised(row.name) == row.name)
  }

  @Test("different roads have different keys")
  func different() {
    let names = Self.rows.dropLast().map(\.name) + ["台61", "台6", "國道3號", "台6甲", "1-5", "15", "A60"]
    #expect(Set(names.map(RoadName.key)).count == names.count)
  }
}
