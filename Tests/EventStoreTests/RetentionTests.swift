@testable import EventStore
import Milepost
import Testing

@Suite struct RetentionTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var keepNewest: Int64 = 10
    /// Events come one a minute, 100 of them, at minutes 1 to 100.
    var keepMinutes: Int64 = 30
    var maxBytes: Int64?
    var journaled: Int64 = 100
    var hookDone: Int64?
    /// The oldest event that stays.
    var oldest: String
    var testDescription: String { name }
  }

  @Test(
    "old events go in pieces; the newest, and those still needed, stay",
    arguments: [
      Row(name: "by age", oldest: "70"),
      Row(name: "the newest stay", keepNewest: 50, keepMinutes: 5, oldest: "51"),
      Row(name: "not journaled", journaled: 20, oldest: "21"),
      Row(name: "not delivered", hookDone: 33, oldest: "34"),
      Row(name: "young enough", keepMinutes: 200, oldest: "1"),
      Row(name: "over the size", keepMinutes: 200, maxBytes: 1, oldest: "91"),
      Row(name: "under the size", keepMinutes: 200, maxBytes: 100_000_000, oldest: "1"),
      Row(name: "endless", keepMinutes: .max / 60_000, oldest: "1"),
    ])
  func prune(_ row: Row) throws {
    let home = Home()
    home.settings.keepNewest = row.keepNewest
    let store = try home.open()
    if row.hookDone != nil { _ = store.setHooks(["h"], now: 0) }
    for minute in Int64(1)...100 {
      _ = store.commit("\(minute)", second: minute * 60, now: minute * 60_000)
    }
    store.advanceJournaled(through: row.journaled, now: 0)
    // Long enough for journald to have synced.
    store.advanceJournaled(through: row.journaled, now: 900_000)
    if let done = row.hookDone { store.deliveryEnded(hook: "h", event: done, .succeeded, now: 0) }
    store.flush(now: 900_000)
    var before = store.all.count
    while store.prune(keepMS: row.keepMinutes * 60_000, maxBytes: row.maxBytes, limit: 7, now: 0) {
      let now = store.all.count
      #expect(before - now <= 7)
      before = now
    }
    #expect(store.all.map(\.fenceID).first == row.oldest)
    #expect(store.all.last?.fenceID == "100")
    #expect(store.all.count == 101 - (Int(row.oldest) ?? 0))
    #expect(home.isSound)
  }

  @Test("events of a clock years ahead do not keep the old ones for ever")
  func clockAhead() throws {
    let home = Home()
    home.settings.keepNewest = 10
    let store = try home.open()
    for number in 0..<60 {
      let isAhead = (10..<15).contains(number)
      _ = store.commit("\(number)", second: Int64(number) * 3_600 + (isAhead ? 1_000_000_000 : 0))
    }
    store.advanceJournaled(through: 60, now: 0)
    store.flush(now: 900_000)
    while store.prune(keepMS: 20 * 3_600_000, maxBytes: nil, limit: 20, now: 0) {}
    #expect(store.all.map { Int($0.fenceID) } == Array(10..<15) + Array(39..<60))
  }
}
