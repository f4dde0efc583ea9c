@testable import MilepostDaemon

/// An outbox in memory, the twin of the one in the event store.
final class MemoryOutbox: HookOutbox {
  private var events: [HookEvent] = []
  /// Of each hook: how many events it is done with, and what its next one has come to.
  private var cursors: [String: (done: Int, failures: Int, dueAtMS: Int64)] = [:]
  private(set) var eventCount = 0

  func append(_ event: HookEvent) {
    events.append(event)
    eventCount += 1
  }

  func setHooks(_ names: [String], now: Int64) -> [(hook: String, count: Int)] {
    let gone = Set(cursors.keys).subtracting(names).sorted()
    let counts = gone.map { ($0, waiting(for: $0, now: now)) }.filter { $0.1 > 0 }
    for name in gone { cursors[name] = nil }
    for name in names where cursors[name] == nil { cursors[name] = (events.count, 0, 0) }
    return counts
  }

  func next(for hook: String, now: Int64) -> HookDelivery? {
    guard let cursor = cursors[hook], cursor.done < events.count else { return nil }
    return HookDelivery(
      event: events[cursor.done], order: Int64(cursor.done), failures: cursor.failures,
      dueAtMS: cursor.dueAtMS)
  }

  func ended(_ delivery: HookDelivery, for hook: String, _ end: HookDeliveryEnd, now: Int64) {
    guard let cursor = cursors[hook], Int64(cursor.done) == delivery.order else { return }
    if case .failed(let attempts, let wait) = end {
      cursors[hook] = (cursor.done, attempts, now + wait)
    } else {
      cursors[hook] = (cursor.done + 1, 0, 0)
    }
  }

  func waiting(for hook: String, now: Int64) -> Int {
    cursors[hook].map { events.count - $0.done } ?? 0
  }
}
