import CSQLite
import CTestVFS
@testable import EventStore
import Milepost
import Testing

@Suite struct CorruptionTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var damage: @Sendable ([UInt8]) -> [UInt8]
    var testDescription: String { name }
  }

  @Test(
    "a corrupt database is moved aside, and a new one begun under a new installation id",
    arguments: [
      Row(name: "not a database") { _ in Array("these are not the events you look for".utf8) },
      Row(name: "first page destroyed") { [UInt8](repeating: 0xA5, count: 4_096) + $0[4_096...] },
      Row(name: "all but the header destroyed") {
        $0[..<100] + [UInt8](repeating: 0xA5, count: $0.count - 100)
      },
      Row(name: "cut short") { Array($0[..<4_096]) },
      Row(name: "text") { _ in [UInt8](repeating: 0x0A, count: 10_000) },
    ])
  func atStart(_ row: Row) throws {
    let home = Home()
    do {
      let store = try home.open()
      for number in 0..<100 { _ = store.commit("f\(number)") }
      _ = store.end(held: nil, lastFix: nil, now: 0)
    }
    let damaged = row.damage(home.directory.bytes("events.db") ?? [])
    home.directory.write("events.db", damaged)
    let store = try home.open()
    let name = "events.db.corrupt-20261118T110640Z"
    #expect(home.directory.bytes(name) == damaged)
    guard case .corrupt(let path, _)? = store.takeNotices().first else {
      Issue.record("not said")
      return
    }
    #expect(path.hasSuffix(name))
    #expect(store.start.held == nil)
    #expect(store.start.lastSequence == 0)
    #expect(store.commit("a")?.id == "series2-1")
    #expect(home.isSound)
  }

  @Test(
    "a database whose tables contradict one another counts as corrupt",
    arguments: [
      "DELETE FROM state", "UPDATE state SET last_number = last_number - 1",
      "UPDATE state SET last_number = \(Int64.max)", "UPDATE state SET last_number = -1",
      "UPDATE state SET last_sequence = \(Int64.max)", "UPDATE state SET last_sequence = -1",
      "UPDATE state SET journaled_through = \(Int64.min)",
      "UPDATE state SET journal_safe_through = \(Int64.max)",
    ])
  func contradiction(_ damage: String) throws {
    let home = Home()
    var store: EventStore? = try home.open()
    for number in 0..<3 { _ = store?.commit("f\(number)") }
    _ = store?.end(held: nil, lastFix: nil, now: 0)
    store = nil
    _ = query(home.directory.database, damage)
    store = try home.open()
    guard case .corrupt? = store?.takeNotices().first else {
      Issue.record("not said")
      return
    }
    #expect(store?.commit("a")?.id == "series2-1")
    #expect(store?.isInMemory == false)
    #expect(home.isSound)
  }

  @Test("found while running: the events at hand go into the new database")
  func whileRunning() throws {
    let home = Home()
    home.settings.memoryLimit = 10
    var store: EventStore? = try home.open()
    _ = store?.setHooks(["h"], now: 0)
    for number in 0..<300 { _ = store?.commit("f\(number)") }
    try store?.database?.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    // The store's connection has most pages in memory; with another's write it reads them anew.
    let size = (home.directory.bytes("events.db") ?? []).count
    var bytes = home.directory.bytes("events.db") ?? []
    for place in 8_192..<size { bytes[place] = 0xA5 }
    home.directory.overwrite("events.db", bytes)
    try store?.database?.execute("PRAGMA shrink_memory")

    let event = try #require(store?.commit("after"))
    #expect(store?.isInMemory == false)
    let notices = store?.takeNotices() ?? []
    #expect(notices.count == 1)
    #expect(event.id.hasPrefix("series2-"))
    #expect(store?.all.last == event)
    #expect((store?.all.count ?? 0) >= 64)
    store = nil
    #expect(home.isSound)
    store = try home.open()
    #expect(store?.all.last == event)
    #expect(store?.start.held == ["after": at(0)])
  }

  @Test("found while reading for a hook: the hook goes on with what is there")
  func whileReading() throws {
    let home = Home(disk: "reading")
    let store = try home.open()
    _ = store.setHooks(["h"], now: 0)
    for number in 0..<300 { _ = store.commit("f\(number)") }
    home.disk?.fail(reads, every: 1, code: SQLITE_IOERR)
    try store.database?.execute("PRAGMA shrink_memory")
    #expect(store.nextDelivery(hook: "h", now: 0) == nil)
    #expect(store.nextDelivery(hook: "h", now: 0) == nil)
    #expect(store.takeNotices().count == 1)
    home.disk?.heal()
    #expect(store.nextDelivery(hook: "h", now: 0)?.event.fenceID == "f0")
  }
}
