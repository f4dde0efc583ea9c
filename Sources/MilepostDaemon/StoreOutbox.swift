package import EventStore
import Milepost

/// The hooks' outbox in the event store.
package final class StoreOutbox: HookOutbox {
  private let store: EventStore
  private let bootID: String
  /// The first usable fix of this run: it tells how old events of another boot are.
  package var firstFix: StoredEvent.FirstFix?

  package init(store: EventStore, bootID: String) {
    self.store = store
    self.bootID = bootID
  }

  package func setHooks(_ names: [String], now: Int64) -> [(hook: String, count: Int)] {
    store.setHooks(names, now: now).map { ($0.hook, $0.count) }
  }

  package func next(for hook: String, now: Int64) -> HookDelivery? {
    store.nextDelivery(hook: hook, now: now).map { pending in
      let age = pending.event.ageMS(nowMS: now, bootID: bootID, firstFix: firstFix)
      return HookDelivery(
        event: HookEvent(pending.event, recordedAtMS: age.map { now - $0 }),
        order: pending.event.row, failures: pending.attempts, dueAtMS: pending.notBefore)
    }
  }

  package func ended(_ delivery: HookDelivery, for hook: String, _ end: HookDeliveryEnd, now: Int64)
  {
    let outcome: DeliveryOutcome =
      switch end {
      case .delivered: .succeeded
      case .failed(let attempts, let wait): .failed(attempts: attempts, nextDelayMS: wait)
      case .givenUp: .givenUp
      case .expired: .expired
      }
    store.deliveryEnded(hook: hook, event: delivery.order, outcome, now: now)
  }

  package func waiting(for hook: String, now: Int64) -> Int {
    store.pendingCount(hook: hook, now: now)
  }
}

extension HookEvent {
  init(_ event: StoredEvent, recordedAtMS: Int64?) {
    self.init(
      id: event.id, kind: event.kind == .enter ? .enter : .exit, fenceID: event.fenceID,
      json: event.json, environment: event.fields.map { Variable($0.name, $0.value) },
      recordedAtMS: recordedAtMS)
  }
}
