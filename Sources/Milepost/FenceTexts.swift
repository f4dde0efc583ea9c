/// The texts that fences have of their own, one after the other in one run of bytes.
///
/// A fence begins with a byte that tells which texts it has; each follows as its length (seven bits
/// a byte, the low ones first, the high bit set where more follow) and its UTF-8. The place of every
/// 64th fence is kept, and those after it are walked to.
struct FenceTexts: Sendable {
  /// Where the texts of a fence lie; nil for one that it has not.
  private struct Entry {
    var id: Range<Int>?
    var name: Range<Int>?
    var plate: Range<Int>?
    /// Where the next fence begins.
    var end: Int
  }

  private static let (hasID, hasName, hasPlate): (UInt8, UInt8, UInt8) = (1, 2, 4)
  private static let stride = 64

  private var bytes: [UInt8] = []
  private var places: [Int] = []
  private var count = 0
  /// How many fences were given an id with their texts.
  private var ownIDs = 0
  /// Ids given later.
  private var laterIDs: [Int: String] = [:]

  mutating func append(id: String?, name: String?, plate: String?) {
    if count % Self.stride == 0 { places.append(bytes.count) }
    count += 1
    if id != nil { ownIDs += 1 }
    let has =
      (id == nil ? 0 : Self.hasID) | (name == nil ? 0 : Self.hasName)
      | (plate == nil ? 0 : Self.hasPlate)
    bytes.append(has)
    guard has != 0 else { return }
    for text in [id, name, plate] { if let text { append(text) } }
  }

  private mutating func append(_ text: String) {
    var length = text.utf8.count
    while length >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: length))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func setID(_ id: String, of fence: Int) { laterIDs[fence] = id }

  /// Appends the fence's own id; false where it has none.
  func writeID(of fence: Int, to id: inout [UInt8]) -> Bool {
    if !laterIDs.isEmpty, let later = laterIDs[fence] {
      id.append(contentsOf: later.utf8)
      return true
    }
    guard let range = entry(of: fence)?.id else { return false }
    id.append(contentsOf: bytes[range])
    return true
  }

  /// The fences with an id of their own that may be one of these.
  func owners(ofIDs wanted: WantedIDs) -> [Int] {
    var owners = laterIDs.filter { wanted.mayHave(id: $0.value.utf8) }.map(\.key)
    guard ownIDs > 0 else { return owners }
    var place = 0
    for fence in 0..<count {
      let entry = entry(at: place)
      place = entry.end
      if let id = entry.id, wanted.mayHave(id: bytes[id]) { owners.append(fence) }
    }
    return owners
  }

  subscript(fence: Int) -> (name: String?, plate: String?) {
    let entry = entry(of: fence)
    return (text(entry?.name), text(entry?.plate))
  }

  private func text(_ range: Range<Int>?) -> String? {
    range.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// Nil where no fence has any text.
  private func entry(of fence: Int) -> Entry? {
    guard bytes.count > count else { return nil }
    var entry = entry(at: places[fence / Self.stride])
    for _ in 0..<fence % Self.stride { entry = self.entry(at: entry.end) }
    return entry
  }

  private func entry(at place: Int) -> Entry {
    let has = bytes[place]
    var end = place + 1
    let id = has & Self.hasID != 0 ? range(&end) : nil
    let name = has & Self.hasName != 0 ? range(&end) : nil
    let plate = has & Self.hasPlate != 0 ? range(&end) : nil
    return Entry(id: id, name: name, plate: plate, end: end)
  }

  /// Steps over the text at `place`; returns where it lies.
  private func range(_ place: inout Int) -> Range<Int> {
    var (length, shift) = (0, 0)
    while bytes[place] >= 0x80 {
      length |= Int(bytes[place] & 0x7F) << shift
      (place, shift) = (place + 1, shift + 7)
    }
    length |= Int(bytes[place]) << shift
    let start = place + 1
    place = start + length
    return start..<place
  }
}
