import CSQLite
@testable import EventStore
import Geodesy
import Glibc
import Milepost
import Testing

@Suite struct EventStoreTests {
  @Test("the first run ever has no held set; the next has the one committed")
  func restart() throws {
    let home = Home()
    var store: EventStore? = try home.open()
    #expect(store?.start.held == nil)
    #expect(store?.start.lastFix == nil)
    guard case .firstRun? = store?.start.trackerStart else {
      Issue.record("not a first run")
      return
    }
    let events = store?.commit(
      [event("a"), event("b"), event("a", .exit, at: 2)],
      held: [("b", at(1)), ("c", nil)], lastFix: FixTime(time: at(2), source: .system), now: 7
    ) { _ in true }
    #expect(events?.map(\.id) == ["series1-1", "series1-2", "series1-3"])
    #expect(store?.end(held: nil, lastFix: nil, now: 8) == 0)
    store = nil

    let again = try home.open()
    #expect(again.start.held == ["b": at(1), "c": nil])
    #expect(again.start.lastFix == FixTime(time: at(2), source: .system))
    #expect(again.start.installationID == "series1")
    #expect(again.start.lastSequence == 3)
    #expect(again.start.cleanEnd)
    #expect(!again.start.otherBoot)
    #expect(again.all == events)
    #expect(again.commit("d")?.id == "series1-4")
    #expect(again.takeNotices().isEmpty)
  }

  @Test("an event comes back as it was given: JSON, fields and message")
  func content() throws {
    let home = Home()
    var store: EventStore? = try home.open()
    var original = event("國道5號/15K+200", .exit, at: 5, cause: .restart)
    original.fence.milepost = Milepost(
      road: "國道5號\nline two", mileage: Mileage(micrometres: 15_200_000_000))
    _ = store?.commit([original], held: [], lastFix: FixTime(time: at(5), source: .fix), now: 42) {
      _ in false
    }
    store = nil
    let stored = try #require(home.open().all.first)
    original.id = "series1-1"
    original.sequence = 1
    #expect(stored.json == original.json)
    #expect(stored.message == original.message)
    #expect(stored.fields.map(\.name) == original.fields.map(\.name))
    #expect(stored.fields.map(\.value) == original.fields.map(\.value))
    #expect(stored.kind == .exit)
    #expect(stored.fenceID == "國道5號/15K+200")
    #expect(stored.time == at(5))
    #expect(stored.recordedBootMS == 42)
    #expect(stored.bootID == "boot1")
    #expect(!stored.forHooks)
  }

  @Test("a fix without events writes nothing")
  func nothingToWrite() throws {
    let home = Home(disk: "nothing")
    let store = try home.open()
    _ = store.commit("a")
    let before = home.disk?.writes
    for second in 1...100 {
      let none = store.commit(
        [], held: [("x", nil)], lastFix: FixTime(time: at(Int64(second)), source: .fix),
        now: Int64(second) * 1_000
      ) { _ in true }
      #expect(none.isEmpty)
      store.service(now: Int64(second) * 1_000)
    }
    #expect(home.disk?.writes == before)
  }

  @Test("another machine id draws a new installation id; numbers go on, the held set stays")
  func clonedCard() throws {
    let home = Home()
    var store: EventStore? = try home.open()
    _ = store?.commit("a")
    store = nil
    home.machine = "other"
    store = try home.open()
    #expect(store?.takeNotices() == [.newMachine(installation: "series2")])
    #expect(store?.start.held == ["a": at(0)])
    #expect(store?.commit("b")?.id == "series2-2")
    store = nil
    #expect(try home.open().takeNotices().isEmpty)
  }

  @Test("a second instance is told the first one's process id")
  func secondInstance() throws {
    let home = Home()
    let store = try home.open()
    let error = #expect(throws: StoreError.self) { try home.open() }
    #expect(error?.kind == .inUse(pid: getpid()))
    #expect(error?.exitCode == 1)
    #expect(error?.reason == "in use by process \(getpid())")
    _ = store.end(held: nil, lastFix: nil, now: 0)
    #expect(throws: Never.self) { try home.open() }
  }

  @Test("a database of a newer version is refused and untouched, in the file or still in the log")
  func newerSchema() throws {
    for inLog in [false, true] {
      let home = Home()
      do { _ = try home.open().commit("a") }
      var keeper: OpaquePointer?
      if inLog {
        sqlite3_open_v2(home.directory.database, &keeper, SQLITE_OPEN_READWRITE, nil)
        _ = query(keeper, "SELECT * FROM state")
      }
      defer { sqlite3_close_v2(keeper) }
      #expect(home.sql("PRAGMA user_version=2") == [])
      let before = home.directory.contents
      #expect(before.keys.contains("events.db-wal") == inLog)
      let error = #expect(throws: StoreError.self) { try home.open() }
      #expect(error?.kind == .newerSchema)
      #expect(error?.exitCode == 78)
      let after = home.directory.contents
      for name in ["events.db", "events.db-wal"] { #expect(after[name] == before[name]) }
    }
  }

  @Test("another program's database is refused and untouched")
  func notOurs() throws {
    let home = Home()
    home.directory.write("events.db", [])
    #expect(home.sql("CREATE TABLE songs (name TEXT)") == [])
    let before = home.directory.contents
    let error = #expect(throws: StoreError.self) { try home.open() }
    #expect(error?.kind == .notOurs)
    #expect(error?.exitCode == 78)
    #expect(home.directory.contents["events.db"] == before["events.db"])
  }

  @Test("a missing directory is a clear error")
  func missingDirectory() {
    let error = #expect(throws: StoreError.self) {
      try EventStore(
        path: "/nonexistent/events.db", host: .init(machineID: "m", bootID: "b"), now: 0,
        wall: at(0), randomID: { "x" })
    }
    #expect(error?.kind == .unusable)
    #expect(error?.exitCode == 74)
    #expect(error?.description == "/nonexistent/events.db: No such file or directory")
  }

  @Test("a directory in the database's place is a clear error")
  func directoryInPlace() throws {
    let home = Home()
    mkdir(home.directory.database, 0o755)
    defer { rmdir(home.directory.database) }
    let error = #expect(throws: StoreError.self) { try home.open() }
    #expect(error?.kind == .unusable)
  }

  @Test("copies of the files taken after each commit hold everything up to it")
  func copies() throws {
    let home = Home()
    let store = try home.open()
    var told: [StoredEvent] = []
    for number in 1...20 {
      told.append(try #require(store.commit("f\(number)", second: Int64(number))))
      let copy = Home()
      for (name, bytes) in home.directory.contents where !name.hasSuffix("-shm") {
        copy.directory.write(name, bytes)
      }
      #expect(copy.isSound)
      let opened = try copy.open()
      #expect(opened.all == told)
      #expect(opened.start.held == ["f\(number)": at(Int64(number))])
      #expect(!opened.start.cleanEnd)
    }
  }

  @Test("a clean end leaves one file")
  func cleanEnd() throws {
    let home = Home()
    var store: EventStore? = try home.open()
    _ = store?.commit("a")
    let end = FixTime(time: at(900), source: .fix)
    #expect(store?.end(held: [("z", at(1))], lastFix: end, now: 0) == 0)
    store = nil
    #expect(home.directory.names == ["events.db", "events.db.lock"])
    store = try home.open()
    #expect(store?.start.lastFix == end)
    #expect(store?.start.held == ["z": at(1)])
  }
}
