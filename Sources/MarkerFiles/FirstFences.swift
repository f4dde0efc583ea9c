import Milepost

/// The first fence of each milepost that rows have named: open addressing over fences' numbers,
/// since one look-up a row in a `Dictionary` costs more than reading the row.
///
/// Most files go up along each road: a key beyond all of its line is new without a look-up, and is
/// put among the slots only once a key is not.
struct FirstFences {
  /// A line by its number, and the mileage on it.
  struct Key: Equatable {
    /// Micrometres, and below them the notation's eight bits: ``MileageParser/limit`` leaves room.
    private var mileage: Int64
    private(set) var line: UInt32

    /// No mileage for a pin, which has a line of its own.
    init(line: UInt32, _ mileage: Mileage = Mileage(micrometres: 0)) {
      self.line = line
      self.mileage = mileage.micrometres << 8 | Int64(mileage.notation.rawValue)
    }

    /// True where the key is of the same notation and no lower mileage; `other` is of the same line.
    fileprivate func isAtOrBeyond(_ other: Key) -> Bool {
      mileage >= other.mileage && (mileage ^ other.mileage) & 0xFF == 0
    }

    /// Source: the finaliser of MurmurHash3 (Appleby, public domain).
    fileprivate var hash: UInt64 {
      var bits = UInt64(bitPattern: mileage) &+ UInt64(line) &* 0x9E37_79B9_7F4A_7C15
      bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
      bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
      return bits ^ bits >> 33
    }
  }

  private struct Entry {
    var key: Key
    var fence: UInt32
  }

  /// A place in `entries`, and a part of the key's hash, so that other keys are rarely looked at.
  private struct Slot {
    static let free = Slot(tag: 0, place: .max)

    var tag: UInt32
    var place: UInt32

    var isFree: Bool { place == .max }
  }

  private var entries: [Entry] = []
  /// By line the key of the highest mileage in the notation of the first.
  private var highest: [Entry] = []
  /// At least half of them free.
  private var slots = [Slot](repeating: .free, count: 16)
  /// How many entries are among the slots.
  private var indexed = 0

  /// Makes room for so many keys in all.
  mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

  /// The fence of a key: `new` where the key is new. Lines are numbered as they come.
  mutating func fence(of key: Key, new: UInt32) -> UInt32 {
    let line = Int(key.line)
    if line < highest.count {
      let top = highest[line]
      guard key.isAtOrBeyond(top.key) else { return fenceBelow(key, new: new) }
      if key == top.key { return top.fence }
      highest[line] = Entry(key: key, fence: new)
    } else {
      highest.append(Entry(key: key, fence: new))
    }
    entries.append(Entry(key: key, fence: new))
    return new
  }

  /// The fence of a key that may be any of its line.
  private mutating func fenceBelow(_ key: Key, new: UInt32) -> UInt32 {
    indexAll()
    let hash = key.hash
    let slot = slot(of: key, hash)
    if !slots[slot].isFree { return entries[Int(slots[slot].place)].fence }
    slots[slot] = Slot(tag: Self.tag(hash), place: UInt32(clamping: entries.count))
    entries.append(Entry(key: key, fence: new))
    indexed = entries.count
    return new
  }

  /// Where the key stands, or is to stand.
  private func slot(of key: Key, _ hash: UInt64) -> Int {
    let (mask, tag) = (slots.count - 1, Self.tag(hash))
    var slot = Int(truncatingIfNeeded: hash) & mask
    while !slots[slot].isFree {
      if slots[slot].tag == tag, entries[Int(slots[slot].place)].key == key { break }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

  /// Puts all entries among the slots, and leaves room for one more.
  private mutating func indexAll() {
    if entries.count * 2 >= slots.count {
      var capacity = slots.count
      while capacity <= entries.count * 2 { capacity *= 2 }
      slots = [Slot](repeating: .free, count: capacity)
      indexed = 0
    }
    for place in indexed..<entries.count {
      let hash = entries[place].key.hash
      slots[slot(of: entries[place].key, hash)] = Slot(
        tag: Self.tag(hash), place: UInt32(clamping: place))
    }
    indexed = entries.count
  }
}
