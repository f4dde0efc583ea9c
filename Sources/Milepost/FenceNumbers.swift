/// Finds fences by id: open addressing over fences' numbers, since a `Dictionary` of ids takes more
/// room than the fences.
package struct FenceNumbers {
  private static let free: Int32 = -1

  private let fences: FenceTable
  /// At least half of them free.
  private var slots: [Int32]

  /// Finds any id.
  init(_ fences: FenceTable) { self.init(fences, among: fences.indices) }

  /// Finds these ids, at a small part of the cost of finding any; whether it finds others is left
  /// open.
  init(_ fences: FenceTable, of ids: some Collection<String>) {
    self.init(fences, among: ids.isEmpty ? [] : fences.numbers(thatMayHave: WantedIDs(ids)))
  }

  private init(_ fences: FenceTable, among numbers: some Collection<Int>) {
    self.fences = fences
    var capacity = 16
    while capacity < numbers.count * 2 { capacity *= 2 }
    slots = [Int32](repeating: Self.free, count: capacity)
    var id: [UInt8] = []
    for number in numbers {
      id.removeAll(keepingCapacity: true)
      fences.writeID(of: number, to: &id)
      var slot = home(of: id)
      while slots[slot] != Self.free { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: number)
    }
  }

  /// The number of the fence of this id.
  package subscript(id: String) -> Int32? { self[Array(id.utf8)] }

  /// The number of the fence of this id in UTF-8.
  subscript(wanted: [UInt8]) -> Int32? {
    var slot = home(of: wanted)
    var id: [UInt8] = []
    while slots[slot] != Self.free {
      id.removeAll(keepingCapacity: true)
      fences.writeID(of: Int(slots[slot]), to: &id)
      if id == wanted { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Where the search for an id begins.
  private func home(of id: [UInt8]) -> Int {
    let hash = Self.hash(of: id)
    return Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
  }

  /// Source: FNV-1a (Fowler, Noll and Vo).
  static func hash(of id: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
