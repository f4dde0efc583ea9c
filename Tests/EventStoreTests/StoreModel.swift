import CSQLite
@testable import EventStore
import Milepost
import Testing

/// What a store should hold, in plain arrays; beside it a journal that loses five minutes at a
/// power cut, as journald may.
struct StoreModel {
  struct Hook: Equatable {
    var done: Int64
    var attempts = 0
    var notBefore: Int64 = 0
  }

  struct Contents {
    var events: [StoredEvent] = []
    var held: [String: Timestamp?]?
    var lastFix: FixTime?
    var hooks: [String: Hook] = [:]
  }

  private struct Entry {
    var id: String
    var sentMS: Int64
  }

  /// What the store knows, and what of that is on the disk.
  var current = Contents()
  var durable = Contents()
  /// Every id that was ever given out.
  private var told: Set<String> = []
  /// Every id that was ever on the disk.
  private var stored: Set<String> = []
  private var journal: Set<String> = []
  private var unsynced: [Entry] = []
  private(set) var repeatedIDs: [String] = []

  mutating func tell(_ events: [StoredEvent]) {
    for event in events where !told.insert(event.id).inserted { repeatedIDs.append(event.id) }
    current.events += events
  }

  mutating func sync() {
    durable = current
    stored.formUnion(current.events.map(\.id))
  }

  mutating func crash() { current = durable }

  mutating func sendToJournal(_ events: [StoredEvent], now: Int64) {
    unsynced += events.map { Entry(id: $0.id, sentMS: now) }
  }

  mutating func cutPower(now: Int64) {
    for entry in unsynced where entry.sentMS < now - 300_000 { journal.insert(entry.id) }
    unsynced = []
  }

  mutating func shutDown() {
    journal.formUnion(unsynced.map(\.id))
    unsynced = []
  }

  var missingInJournal: Set<String> { stored.subtracting(journal) }

  func next(for hook: String) -> PendingDelivery? {
    guard let place = current.hooks[hook],
      let event = current.events.first(where: { $0.row > place.done && $0.forHooks })
    else { return nil }
    return PendingDelivery(event: event, attempts: place.attempts, notBefore: place.notBefore)
  }
}
