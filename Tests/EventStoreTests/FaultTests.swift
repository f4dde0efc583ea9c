import CSQLite
@testable import EventStore
import Glibc
import Milepost
import Testing

@Suite struct FaultTests {
  @Test("a full disk: events go on under a series of their own, one warning, stored when freed")
  func fullDisk() throws {
    let home = Home(disk: "full")
    var store: EventStore? = try home.open()
    _ = store?.commit("a")
    home.disk?.isFull = true
    var told = store?.all ?? []
    // The log still has room where it was written before; in the end a commit fails.
    var count: Int64 = 0
    while store?.isInMemory == false, count < 1_000 {
      count += 1
      told.append(try #require(store?.commit("f\(count)", second: count, now: count)))
    }
    #expect(told.last?.id == "series2-1")
    for more in 1...20 { told.append(try #require(store?.commit("g\(more)", now: count))) }
    #expect(told.last?.id == "series2-21")
    let notices = store?.takeNotices() ?? []
    #expect(notices.count == 1)
    #expect(notices.first?.description.contains("disk full") == true)
    #expect(store?.all == told)
    store?.service(now: count + 5_000)
    #expect(store?.takeNotices() == [])

    home.disk?.heal()
    #expect(store?.nextDeadline == count + 10_000)
    store?.service(now: count + 10_000)
    #expect(store?.takeNotices() == [.storedAgain(events: 21, lost: 0)])
    #expect(store?.isInMemory == false)
    told.append(try #require(store?.commit("z")))
    #expect(told.last?.id == "series1-\(told.count - 21)")
    #expect(Set(told.map(\.id)).count == told.count)
    home.disk?.cutPower(kept: 0)
    store = nil
    #expect(home.isSound)
    store = try home.open()
    #expect(store?.all == told)
    #expect(store?.start.held == ["z": at(0)])
  }

  @Test("power cut while the disk is full: no id comes twice")
  func cutWhileFull() throws {
    let home = Home(disk: "cut-full")
    var told: [StoredEvent] = []
    for round in 0..<5 {
      var store: EventStore? = try home.open()
      for number in 0..<10 {
        told.append(try #require(store?.commit("f\(round)-\(number)")))
      }
      home.disk?.fail(writes, every: 1, code: SQLITE_FULL)
      for number in 0..<10 {
        told.append(try #require(store?.commit("g\(round)-\(number)")))
      }
      #expect(store?.isInMemory == true)
      home.disk?.cutPower(seed: UInt64(round), kept: 50)
      store = nil
      home.disk?.heal()
      #expect(home.isSound)
    }
    #expect(Set(told.map(\.id)).count == 100)
    let stored = try home.open().all
    #expect(stored.map(\.id) == told.filter { $0.fenceID.hasPrefix("f") }.map(\.id))
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    var name: String
    var code: Int32
    var torn = false
    var kinds = writes
    var testDescription: String { name }
  }

  @Test(
    "every n-th operation fails: nothing told is lost, no id comes twice, the database is sound",
    arguments: [
      Fault(name: "full", code: SQLITE_FULL),
      Fault(name: "full, torn", code: SQLITE_FULL, torn: true),
      Fault(name: "I/O error", code: ioErrorOnWrite),
      Fault(name: "short write", code: ioErrorOnWrite, torn: true),
      Fault(name: "sync", code: ioErrorOnWrite, kinds: syncs),
      Fault(name: "write and sync", code: ioErrorOnWrite, torn: true, kinds: writes | syncs),
    ], [1, 2, 3, 5, 7, 16, 41, 100])
  func everyNth(_ fault: Fault, _ every: Int) throws {
    let home = Home(disk: "nth")
    var told: [StoredEvent] = []
    var now: Int64 = 0
    var memory = false
    for run in 0..<3 {
      var store: EventStore? = try home.open(now: now)
      if run == 0 { _ = store?.setHooks(["h"], now: now) }
      home.disk?.fail(
        fault.kinds, skip: run, every: every, code: fault.code, torn: fault.torn)
      for number in 0..<60 {
        now += 700
        let event = try #require(
          store?.commit("f\(run)-\(number)", second: now / 1_000, now: now))
        told.append(event)
        store?.advanceJournaled(through: event.row, now: now)
        memory = memory || store?.isInMemory == true
      }
      home.disk?.heal()
      store?.flush(now: now)
      #expect(store?.isInMemory == false)
      home.disk?.cutPower(kept: 0)
      store = nil
      #expect(home.isSound)
    }
    #expect((home.disk?.failures ?? 0) > 0 || every > 60)
    #expect(memory || every > 16)
    let store = try home.open(now: now)
    #expect(store.all == told)
    #expect(Set(told.map(\.id)).count == told.count)
    var delivered: [StoredEvent] = []
    while let next = store.nextDelivery(hook: "h", now: now) {
      delivered.append(next.event)
      store.deliveryEnded(hook: "h", event: next.event.row, .succeeded, now: now)
    }
    #expect(delivered == told)
  }

  @Test("what was not synced is gone after a power cut, what was committed is not")
  func unsynced() throws {
    let home = Home(disk: "unsynced")
    var store: EventStore? = try home.open()
    let events = (0..<50).compactMap { store?.commit("f\($0)") }
    #expect(home.disk?.unsynced == 0)
    // A commit that stays in the system's memory: with synchronous=OFF nothing is synced.
    try store?.database?.execute("PRAGMA synchronous=OFF")
    _ = store?.commit("lost")
    #expect((home.disk?.unsynced ?? 0) > 0)
    home.disk?.cutPower(kept: 0)
    store = nil
    #expect(home.isSound)
    store = try home.open()
    #expect(store?.all == events)
    #expect(store?.start.held == ["f49": at(0)])
  }

  @Test("a commit whose sync failed does not come back beside the one told instead")
  func failedSync() throws {
    let home = Home(disk: "sync")
    var store: EventStore? = try home.open()
    let first = try #require(store?.commit("a"))
    home.disk?.fail(syncs)
    #expect(store?.commit("b")?.id == "series2-1")
    home.disk?.cutPower(kept: 100)
    store = nil
    #expect(try home.open().all == [first])
  }

  @Test("memory is bounded: the oldest go, said once, counted")
  func memoryLimit() throws {
    let home = Home(disk: "limit")
    home.settings.memoryLimit = 30
    let store = try home.open()
    _ = store.setHooks(["h"], now: 0)
    home.disk?.fail(writes, every: 1)
    for number in 0..<100 { _ = store.commit("f\(number)") }
    #expect(store.nextDelivery(hook: "h", now: 0)?.event.fenceID == "f70")
    home.disk?.heal()
    store.flush(now: 0)
    let notices = store.takeNotices()
    #expect(notices.count == 3)
    #expect(notices.dropFirst() == [.memoryFull(limit: 30), .storedAgain(events: 30, lost: 70)])
    #expect(store.all.map(\.id) == (71...100).map { "series2-\($0)" })
  }

  @Test("another process's lock is waited for briefly, then events go on from memory")
  func locked() throws {
    let home = Home()
    let store = try home.open()
    var other: OpaquePointer?
    defer { sqlite3_close_v2(other) }
    sqlite3_open_v2(home.directory.database, &other, SQLITE_OPEN_READWRITE, nil)
    #expect(query(other, "BEGIN IMMEDIATE") == [])
    #expect(store.commit("a")?.id == "series2-1")
    #expect(store.takeNotices().first?.description.contains("locked by another process") == true)
    #expect(query(other, "COMMIT") == [])
    #expect(store.commit("b", now: 5_000)?.id == "series1-1")
    #expect(store.all.map(\.id) == ["series2-1", "series1-1"])
    #expect(home.sql("SELECT id FROM events ORDER BY number") == [["series2-1"], ["series1-1"]])
  }

  @Test("locked at the start is a clear error")
  func lockedAtStart() throws {
    let home = Home()
    _ = try home.open().commit("a")
    var other: OpaquePointer?
    defer { sqlite3_close_v2(other) }
    sqlite3_open_v2(home.directory.database, &other, SQLITE_OPEN_READWRITE, nil)
    #expect(query(other, "PRAGMA locking_mode=EXCLUSIVE") == [["exclusive"]])
    #expect(query(other, "BEGIN EXCLUSIVE") == [])
    let error = #expect(throws: StoreError.self) { try home.open() }
    #expect(error?.kind == .locked)
  }

  @Test("a disk that fails at the start: from memory, stored later; no row is given twice")
  func troubleAtStart() throws {
    let home = Home(disk: "start")
    home.disk?.fail(writes, every: 1, code: SQLITE_FULL)
    let store = try home.open()
    #expect(store.isInMemory)
    #expect(store.start.held == nil)
    _ = store.setHooks(["h"], now: 0)
    let told = (0..<5).compactMap { store.commit("f\($0)") }
    #expect(told.last?.id.hasSuffix("-5") == true)
    home.disk?.heal()
    store.service(now: 5_000)
    #expect(!store.isInMemory)
    #expect(store.all == told)
    #expect(store.nextDelivery(hook: "h", now: 5_000)?.event == told.first)
    let next = try #require(store.commit("g"))
    #expect(next.id.hasSuffix("-1"))
    #expect(Set((told + [next]).map(\.row)).count == 6)
    #expect(home.sql("SELECT id FROM events ORDER BY number") == (told + [next]).map { [$0.id] })
  }
}
