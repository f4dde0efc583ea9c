/// Texts, each held once, by number; 0 is the empty one.
struct Texts {
  static let none: Int32 = 0
  private(set) var all = [""]
  private var numbers: [String: Int32] = ["": 0]
  private var last: (bytes: ArraySlice<UInt8>, number: Int32) = ([], 0)

  subscript(number: Int32) -> String { all[Int(number)] }

  mutating func number(_ bytes: ArraySlice<UInt8>) -> Int32 {
    if bytes.isEmpty { return Self.none }
    if bytes == last.bytes { return last.number }
    let number = number(bytes.text)
    last = (Array(bytes)[...], number)
    return number
  }

  mutating func number(_ text: String) -> Int32 {
    if let number = numbers[text] { return number }
    let number = Int32(truncatingIfNeeded: all.count)
    numbers[text] = number
    all.append(text)
    return number
  }
}
