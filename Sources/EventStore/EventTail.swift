/// The newest events, in memory: those not stored yet, and a few stored ones before them that
/// journal and hooks are about to ask for.
struct EventTail {
  /// Stored events that stay in memory.
  private static let keptStored = 64

  /// By rising row.
  private(set) var events: [StoredEvent] = []
  /// The row up to which all events are in the database.
  private(set) var storedThrough: Int64

  init(storedThrough: Int64) { self.storedThrough = storedThrough }

  var unstored: ArraySlice<StoredEvent> { events[firstIndex(after: storedThrough)...] }

  mutating func append(_ new: [StoredEvent]) { events.append(contentsOf: new) }

  mutating func removeLast(_ count: Int) { events.removeLast(min(count, events.count)) }

  /// All are in the database now.
  mutating func markStored(through row: Int64) {
    storedThrough = row
    if events.count > 2 * Self.keptStored { events.removeFirst(events.count - Self.keptStored) }
  }

  /// Stored events up to `row` are to be read from the database, if at all.
  mutating func forgetStored(through row: Int64) {
    events.removeFirst(firstIndex(after: min(row, storedThrough)))
  }

  /// None is in the database: it is gone.
  mutating func markAllUnstored() {
    storedThrough = events.first.map { $0.row - 1 } ?? storedThrough
  }

  /// Drops the oldest beyond `limit`.
  /// - Returns: how many of those were not stored.
  mutating func drop(beyond limit: Int) -> Int {
    guard events.count > limit else { return 0 }
    let dropped = events.prefix(events.count - limit).count { $0.row > storedThrough }
    events.removeFirst(events.count - limit)
    return dropped
  }

  /// Whether every event after `row` is here.
  func covers(after row: Int64) -> Bool {
    row >= storedThrough || events.first.map { row >= $0.row - 1 } ?? false
  }

  func events(after row: Int64) -> ArraySlice<StoredEvent> { events[firstIndex(after: row)...] }

  private func firstIndex(after row: Int64) -> Int {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].row > row { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
