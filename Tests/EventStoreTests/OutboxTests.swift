@testable import EventStore
import Milepost
import TestSupport
import Testing

@Suite struct OutboxTests {
  @Test("a hook gets the events in order, and each until it is done with it")
  func order() throws {
    let store = try Home().open()
    #expect(store.setHooks(["10-say", "20-log"], now: 0) == [])
    let events = (0..<200).compactMap { store.commit("f\($0)", now: 100) }
    for event in events {
      #expect(store.nextDelivery(hook: "10-say", now: 100)?.event == event)
      #expect(store.nextDelivery(hook: "10-say", now: 100)?.event == event)
      store.deliveryEnded(hook: "10-say", event: event.row, .succeeded, now: 100)
    }
    #expect(store.nextDelivery(hook: "10-say", now: 100) == nil)
    #expect(store.nextDelivery(hook: "20-log", now: 100)?.event == events.first)
    #expect(store.pendingCount(hook: "20-log", now: 100) == 200)
    #expect(store.nextDelivery(hook: "none", now: 100) == nil)
  }

  @Test("a hundred hooks at their own pace each get every event once, in order")
  func manyHooks() throws {
    let store = try Home(disk: "many").open()
    let hooks = (0..<100).map { "hook\($0)" }
    _ = store.setHooks(hooks, now: 0)
    let rows = (0..<200).compactMap { store.commit("f\($0)")?.row }
    var dice = SeededRandom(seed: 7)
    var seen: [String: [Int64]] = [:]
    var busy = hooks
    while let hook = busy.randomElement(using: &dice) {
      for _ in 0..<Int.random(in: 1...50, using: &dice) {
        guard let next = store.nextDelivery(hook: hook, now: 0) else {
          busy.removeAll { $0 == hook }
          break
        }
        seen[hook, default: []].append(next.event.row)
        store.deliveryEnded(hook: hook, event: next.event.row, .succeeded, now: 0)
      }
    }
    let isRight = seen == Dictionary(uniqueKeysWithValues: hooks.map { ($0, rows) })
    #expect(isRight)
  }

  @Test("attempts and backoff survive a restart; after a reboot it is tried at once")
  func attempts() throws {
    let home = Home()
    var store: EventStore? = try home.open()
    _ = store?.setHooks(["h"], now: 0)
    let first = try #require(store?.commit("a", now: 1_000))
    let second = try #require(store?.commit("b", now: 1_000))
    store?.deliveryEnded(
      hook: "h", event: first.row, .failed(attempts: 2, nextDelayMS: 4_000), now: 1_500)
    #expect(store?.nextDeadline == 1_500)
    store?.service(now: 1_500)
    store = nil
    store = try home.open(now: 2_000)
    #expect(
      store?.nextDelivery(hook: "h", now: 2_000)
        == PendingDelivery(event: first, attempts: 2, notBefore: 5_500))
    store = nil
    home.boot = "boot2"
    store = try home.open(now: 10)
    #expect(
      store?.nextDelivery(hook: "h", now: 10)
        == PendingDelivery(event: first, attempts: 2, notBefore: 0))
    store?.deliveryEnded(hook: "h", event: first.row, .givenUp, now: 10)
    #expect(
      store?.nextDelivery(hook: "h", now: 10)
        == PendingDelivery(event: second, attempts: 0, notBefore: 0))
  }

  @Test("a new hook begins with new events; one that is gone leaves its deliveries behind")
  func hooksChange() throws {
    let home = Home()
    var store: EventStore? = try home.open()
    _ = store?.setHooks(["old"], now: 0)
    for number in 0..<150 { _ = store?.commit("f\(number)") }
    store?.deliveryEnded(hook: "old", event: 10, .succeeded, now: 0)
    #expect(store?.setHooks(["new"], now: 0) == [DroppedDeliveries(hook: "old", count: 140)])
    #expect(store?.nextDelivery(hook: "new", now: 0) == nil)
    let event = store?.commit("later")
    #expect(store?.nextDelivery(hook: "new", now: 0)?.event == event)
    store = nil
    store = try home.open()
    #expect(store?.setHooks(["new", "old"], now: 0) == [])
    #expect(store?.nextDelivery(hook: "old", now: 0) == nil)
    #expect(store?.nextDelivery(hook: "new", now: 0)?.event == event)
  }

  @Test("events that are not for hooks are passed over")
  func notForHooks() throws {
    let store = try Home().open()
    _ = store.setHooks(["h"], now: 0)
    let held: [(id: String, since: Timestamp?)] = []
    for round in 0..<100 {
      _ = store.commit(
        [event("x", cause: .initial), event("y\(round)")], held: held,
        lastFix: FixTime(time: at(0), source: .fix), now: 0
      ) { $0.cause != .initial }
    }
    var seen: [String] = []
    while let next = store.nextDelivery(hook: "h", now: 0) {
      seen.append(next.event.fenceID)
      store.deliveryEnded(hook: "h", event: next.event.row, .expired, now: 0)
    }
    #expect(seen == (0..<100).map { "y\($0)" })
    #expect(store.pendingCount(hook: "h", now: 0) == 0)
  }

  @Test("progress waits for a commit to go with, or for its time")
  func lazyProgress() throws {
    let home = Home(disk: "lazy")
    let store = try home.open()
    _ = store.setHooks(["h"], now: 0)
    let event = try #require(store.commit("a"))
    let before = home.disk?.writes
    store.advanceJournaled(through: event.row, now: 500)
    store.deliveryEnded(hook: "h", event: event.row, .succeeded, now: 600)
    store.service(now: 2_499)
    #expect(home.disk?.writes == before)
    #expect(store.nextDeadline == 2_500)
    store.service(now: 2_500)
    #expect(store.nextDeadline == nil)
    #expect(home.sql("SELECT journaled_through FROM state") == [["1"]])
    #expect(home.sql("SELECT name, done_through FROM hooks") == [["h", "1"]])
  }

  @Test("the journal gets what it lacks, page by page")
  func journal() throws {
    let home = Home()
    var store: EventStore? = try home.open()
    let events = (0..<300).compactMap { store?.commit("f\($0)") }
    store?.advanceJournaled(through: events[49].row, now: 0)
    store?.flush(now: 0)
    store = nil
    store = try home.open()
    #expect(store?.start.lastRow == 300)
    var sent: [StoredEvent] = []
    while let page = store?.eventsToJournal(limit: 64, now: 0), let last = page.last {
      #expect(page.count <= 64)
      sent += page
      store?.advanceJournaled(through: last.row, now: 0)
    }
    #expect(sent == Array(events[50...]))
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var boot = "boot2"
    var clean = false
    /// Events are recorded and journaled at these minutes.
    var minutes: [Int64]
    /// The minutes of those sent again.
    var expected: [Int64]
    var testDescription: String { name }
  }

  @Test(
    "after a power cut the journal gets the five minutes before the last commit again",
    arguments: [
      Row(name: "cut", minutes: [0, 2, 4, 6], expected: [2, 4, 6]),
      Row(name: "exactly five", minutes: [0, 1, 6], expected: [1, 6]),
      Row(name: "all within", minutes: [0, 1, 2], expected: [0, 1, 2]),
      Row(name: "clean end", clean: true, minutes: [0, 2, 4, 6], expected: []),
      Row(name: "same boot", boot: "boot1", minutes: [0, 2, 4, 6], expected: []),
    ])
  func powerCut(_ row: Row) throws {
    let home = Home()
    var store: EventStore? = try home.open()
    for minute in row.minutes {
      let now = minute * 60_000
      let event = try #require(store?.commit("f\(minute)", second: minute * 60, now: now))
      store?.advanceJournaled(through: event.row, now: now)
    }
    store?.flush(now: row.minutes.last.map { $0 * 60_000 } ?? 0)
    if row.clean { _ = store?.end(held: nil, lastFix: nil, now: 999_999) }
    store = nil
    home.boot = row.boot
    store = try home.open(now: 5)
    let again = store?.eventsToJournal(limit: 100, now: 5).map(\.fenceID)
    #expect(again == row.expected.map { "f\($0)" })
  }

  @Test("an event journaled late counts from then")
  func journaledLate() throws {
    let home = Home()
    var store: EventStore? = try home.open()
    let event = try #require(store?.commit("a", now: 0))
    store?.advanceJournaled(through: event.row, now: 20 * 60_000)
    _ = store?.commit("b", now: 21 * 60_000)
    store = nil
    home.boot = "boot2"
    store = try home.open()
    #expect(store?.eventsToJournal(limit: 9, now: 0).map(\.fenceID) == ["a", "b"])
  }

  @Test("age counts from recording; after a reboot from the event's time to the first fix, and on")
  func age() throws {
    let store = try Home().open()
    let event = try #require(store.commit("a", second: 100, now: 5_000))
    #expect(event.ageMS(nowMS: 65_000, bootID: "boot1", firstFix: nil) == 60_000)
    #expect(event.ageMS(nowMS: 4_000, bootID: "boot1", firstFix: nil) == 0)
    #expect(event.ageMS(nowMS: 65_000, bootID: "boot2", firstFix: nil) == nil)
    let first = StoredEvent.FirstFix(time: at(400), bootMS: 30_000)
    #expect(event.ageMS(nowMS: 30_000, bootID: "boot2", firstFix: first) == 300_000)
    #expect(event.ageMS(nowMS: 42_000, bootID: "boot2", firstFix: first) == 312_000)
    let back = StoredEvent.FirstFix(time: at(-999), bootMS: 30_000)
    #expect(event.ageMS(nowMS: 31_000, bootID: "boot2", firstFix: back) == 1_000)
  }
}
