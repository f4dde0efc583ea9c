/// The fences that the vehicle is in, and since when.
struct HeldFences: Sendable {
  struct Entry: Sendable {
    var fence: Int32
    var circle: FenceIndex.Circle
    /// Nil where the time of entering cannot be compared with today's.
    var since: Timestamp?
  }

  private(set) var entries: [Entry] = []
  private var bits: [UInt64]

  init(capacity: Int) { bits = [UInt64](repeating: 0, count: (capacity + 63) / 64) }

  @inline(__always)
  func contains(_ fence: Int32) -> Bool {
    bits[Int(fence) >> 6] & (1 << UInt64(fence & 63)) != 0
  }

  mutating func insert(_ fence: Int32, _ circle: FenceIndex.Circle, since: Timestamp?) {
    guard !contains(fence) else { return }
    bits[Int(fence) >> 6] |= 1 << UInt64(fence & 63)
    entries.append(Entry(fence: fence, circle: circle, since: since))
  }

  /// Since when the fence was held.
  @discardableResult
  mutating func remove(_ fence: Int32) -> Timestamp? {
    guard let place = entries.firstIndex(where: { $0.fence == fence }) else { return nil }
    bits[Int(fence) >> 6] &= ~(1 << UInt64(fence & 63))
    return entries.remove(at: place).since
  }

  mutating func forgetTimes() {
    for place in entries.indices { entries[place].since = nil }
  }
}
