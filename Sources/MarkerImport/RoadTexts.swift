/// Roads by number: spellings of one road have one number, and the name of the first.
struct RoadTexts {
  private var spellings = Texts()
  private var roadOfSpelling: [Int32: Int32] = [:]
  private var roadOfKey: [String: Int32] = [:]
  private(set) var names: [String] = []
  private let normalises: Bool
  private let renamed: [String: String]

  init(_ settings: ImportSettings) {
    normalises = settings.normalisesRoads
    let pairs = settings.renamedRoads.map { [normalises] in
      (normalises ? RoadName.key($0.from) : $0.from, $0.to)
    }
    renamed = Dictionary(pairs) { $1 }
  }

  subscript(number: Int32) -> String {
    names.indices.contains(Int(number)) ? names[Int(number)] : ""
  }

  /// -1 for the empty name.
  mutating func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
    if bytes.isEmpty { return -1 }
    let spelling = spellings.number(bytes)
    if let road = roadOfSpelling[spelling] { return road }
    let text = bytes.text
    let written = renamed[normalises ? RoadName.key(text) : text] ?? text
    let name = normalises ? RoadName.normalised(written) : written
    let key = normalises ? RoadName.key(written) : written
    let road = roadOfKey[key] ?? Int32(truncatingIfNeeded: names.count)
    if roadOfKey.updateValue(road, forKey: key) == nil { names.append(name) }
    roadOfSpelling[spelling] = road
    return road
  }
}
