/// Finds fences by id: open addressing over fences' numbers, since a `Dictionary` of ids takes more
/// room than the fences.
package struct FenceNumbers {
  private static let free: Int32 = -1

  private let fences: FenceTable
  /// At least half of them free.
  private var slots: [Int32]

  init(_ fences: FenceTable) {
    self.fences = fences
    var capacity = 16
    while capacity < fences.count * 2 { capacity *= 2 }
    slots = [Int32](repeating: Self.free, count: capacity)
    var id: [UInt8] = []
    for number in fences.indices {
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

  /// Where the search for an id begins. Source of the hash: FNV-1a (Fowler, Noll and Vo).
  private func home(of id: [UInt8]) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
  }
}
