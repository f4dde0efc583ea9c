import CSQLite
import Glibc
import Testing
import TestSupport

/// The real milepostd on a drive in the middle of which something goes wrong.
@Suite(
  "Faults in the middle of a drive",
  .enabled(if: MountNamespace.isAvailable, "\(MountNamespace.absence)"))
struct FaultDriveTests {
  private static let inMemory = "keeping events in memory"
  private static let storedAgain = "can be written again"

  private let count = Drive.fixes.count

  /// Store, journal and hook have the same events under the same ids, and enter and exit take turns.
  private func expectAgreement(_ home: DaemonHome) -> StoredRows {
    let rows = StoredRows(database: home.database)
    #expect(rows.integrity == ["ok"])
    #expect(rows.alternates)
    #expect(Set(rows.ids).count == rows.ids.count)
    #expect(Set(home.journal.eventIDs) == Set(rows.ids))
    #expect(Set(home.hookedIDs()) == Set(rows.ids))
    return rows
  }

  private func expectUndisturbed(_ rows: StoredRows) throws {
    #expect(rows.rows.map(\.told) == (try UndisturbedDrive.store.get()).rows.map(\.told))
  }

  @Test(
    "the disk fills, is freed, fills again, power is cut: no id twice, none lost from the journal",
    .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.absence)"))
  func fullDisk() throws {
    let disk = try SmallDisk(kilobytes: 512)
    let home = try DaemonHome(database: disk.path + "/events.db")
    var daemon = try home.start()
    func warnings() -> Int { home.journal.messages.count { $0.contains(Self.inMemory) } }
    home.feed(0..<20)
    try home.settle(daemon)
    disk.fill()
    home.feed(20..<50)
    try home.settle(daemon)
    #expect(warnings() == 1)
    disk.free()
    try home.wait(forMessage: Self.storedAgain)
    home.feed(50..<70)
    try home.settle(daemon)
    let beforeFull = StoredRows(database: home.database)
    #expect(Set(home.journal.eventIDs) == Set(beforeFull.ids))
    disk.fill()
    home.feed(70..<100)
    try home.settle(daemon)
    #expect(warnings() == 2)
    daemon.cutPower()
    #expect(daemon.reap() == -SIGKILL)
    // What was told from memory is lost to the store; the journal has it.
    let stored = try StoredRows(copyOf: home.database, in: home.scratch)
    #expect(stored.integrity == ["ok"])
    #expect(stored.ids.count < Set(home.journal.eventIDs).count)

    daemon = try home.start()
    home.feed(Drive.index(ofTime: stored.lastFixTime)..<count)
    try home.settle(daemon)
    #expect(warnings() == 3)
    disk.free()
    try home.wait(for: "the store") {
      home.journal.messages.count { $0.contains(Self.storedAgain) } == 2
    }
    #expect(try home.finish(daemon) == 0)
    let rows = StoredRows(database: home.database)
    #expect(rows.integrity == ["ok"])
    #expect(rows.alternates)
    try expectUndisturbed(rows)
    #expect(Set(rows.ids).subtracting(home.journal.eventIDs) == [])
    #expect(Set(rows.ids).subtracting(home.hookedIDs()) == [])
    let named = Set(zip(home.journal.eventIDs, home.journal.told).map { "\($0) \($1)" })
    #expect(Set(home.journal.eventIDs).count == named.count, "an id names two events")
    #expect(warnings() == 3)
  }

  @Test("the database is locked by another process: told from memory, stored when it lets go")
  func locked() throws {
    let home = try DaemonHome()
    let daemon = try home.start()
    home.feed(0..<30)
    try home.settle(daemon)
    var other: OpaquePointer?
    defer { sqlite3_close_v2(other) }
    sqlite3_open_v2(home.database, &other, SQLITE_OPEN_READWRITE, nil)
    #expect(StoredRows.query(other, "BEGIN IMMEDIATE") == [])
    home.feed(30..<count)
    try home.settle(daemon)
    #expect(home.journal.messages.count { $0.contains(Self.inMemory) } == 1)
    #expect(home.journal.messages.contains { $0.contains("locked by another process") })
    #expect(Set(home.journal.told) == Set((try UndisturbedDrive.store.get()).rows.map(\.told)))
    #expect(StoredRows.query(other, "COMMIT") == [])
    try home.wait(forMessage: Self.storedAgain)
    #expect(try home.finish(daemon) == 0)
    try expectUndisturbed(expectAgreement(home))
    #expect(home.journal.eventIDs == StoredRows(database: home.database).ids)
  }

  @Test("a loop that is held up, as by a slow disk, loses no fix that the FIFO has room for")
  func heldUp() throws {
    let home = try DaemonHome()
    let daemon = try home.start()
    home.feed(0..<20)
    try home.settle(daemon)
    daemon.pause()
    home.feed(20..<count)
    daemon.signal(SIGCONT)
    #expect(try home.finish(daemon) == 0)
    try expectUndisturbed(expectAgreement(home))
  }

  @Test("descriptors run out for a while: hooks stay hooks, and get what waited for them")
  func noDescriptors() throws {
    let home = try DaemonHome()
    let daemon = try home.start()
    home.feed(0..<20)
    try home.settle(daemon)
    try daemon.limitDescriptors(to: "3:1024")
    home.feed(20..<60)
    try home.settle(daemon)
    #expect(home.journal.messages.contains { $0.contains("Too many open files") })
    try daemon.limitDescriptors(to: "1024")
    home.feed(60..<count)
    #expect(try home.finish(daemon) == 0)
    try expectUndisturbed(expectAgreement(home))
    #expect(!home.journal.messages.contains { $0.contains("is gone") })
  }

  @Test("journald is gone for a while: said once it is back, nothing lost, in order")
  func journalAbsent() throws {
    let home = try DaemonHome()
    let daemon = try home.start()
    home.feed(0..<30)
    try home.settle(daemon)
    let before = home.journal.eventIDs.count
    home.journal.disappear()
    home.feed(30..<80)
    try home.wait(for: "the store and the hook") {
      let ids = StoredRows(database: home.database).ids
      return ids.count > before + 20 && Set(home.hookedIDs()).isSuperset(of: ids)
    }
    #expect(home.journal.eventIDs.count == before)
    try home.journal.listen()
    home.feed(80..<count)
    #expect(try home.finish(daemon) == 0)
    let rows = expectAgreement(home)
    try expectUndisturbed(rows)
    #expect(home.journal.eventIDs == rows.ids)
    #expect(!home.journal.events.contains { $0["MILEPOST_REPEATED"] != nil })
  }

  @Test("journald is gone, and so is the daemon: the next one tells the journal")
  func journalAbsentAtKill() throws {
    let home = try DaemonHome()
    var daemon = try home.start()
    home.feed(0..<30)
    try home.settle(daemon)
    let before = home.journal.eventIDs.count
    home.journal.disappear()
    home.feed(30..<60)
    try home.wait(for: "the store") { StoredRows(database: home.database).ids.count > before + 10 }
    daemon.cutPower()
    #expect(daemon.reap() == -SIGKILL)
    try home.journal.listen()
    daemon = try home.start()
    #expect(try home.finish(daemon) == 0)
    let rows = expectAgreement(home)
    var seen: Set<String> = []
    #expect(home.journal.eventIDs.filter { seen.insert($0).inserted } == rows.ids)
  }

  @Test("journald takes nothing for a while: the daemon waits for it, nothing is lost")
  func journalStopped() throws {
    let home = try DaemonHome()
    let daemon = try home.start()
    home.feed(0..<20)
    try home.settle(daemon)
    home.feed(20..<count)
    // Not drained meanwhile; the system holds ten datagrams or more for a socket.
    var stored = 0
    while stored < 20 { stored = StoredRows(database: home.database).ids.count }
    #expect(try home.finish(daemon) == 0)
    let rows = expectAgreement(home)
    try expectUndisturbed(rows)
    #expect(home.journal.eventIDs == rows.ids)
  }

  struct Jump: CustomTestStringConvertible, Sendable {
    var name: String
    var seconds: Int64
    var testDescription: String { name }
  }

  @Test(
    "the receiver's clock is set by years: order by sequence, enter and exit take turns",
    arguments: [
      Jump(name: "two years back", seconds: -63_072_000),
      Jump(name: "three years ahead", seconds: 94_608_000),
    ])
  func clock(_ jump: Jump) throws {
    let home = try DaemonHome()
    let daemon = try home.start()
    home.feed(0..<50)
    try home.settle(daemon)
    let before = StoredRows(database: home.database).rows.count
    for number in 50..<count { home.feed(text: Drive.fixes[number].line(shifted: jump.seconds)) }
    #expect(try home.finish(daemon) == 0)
    let rows = expectAgreement(home)
    #expect(home.journal.eventIDs == rows.ids)
    #expect(rows.rows.map(\.sequence) == (1...).prefix(rows.rows.count).map { "\($0)" })
    #expect(home.hookedEvents() == rows.rows.map { "\($0.kind) \($0.fence)" })
    // Fences entered by the old clock are left by the new one: nobody knows after how long.
    let held = Set(rows.rows.prefix(before).map(\.fence)).filter { fence in
      rows.rows.prefix(before).last { $0.fence == fence }?.kind == "enter"
    }
    #expect(!held.isEmpty)
    for fence in held {
      let exit = rows.rows.dropFirst(before).first { $0.fence == fence }
      #expect(exit?.kind == "exit")
      #expect(exit?.inside == nil, "\(fence)")
    }
    #expect(rows.rows.compactMap(\.inside).allSatisfy { (0...200).contains($0) })
    // In the end it is where the undisturbed drive ends.
    func heldAtEnd(_ rows: StoredRows) -> Set<String> {
      rows.rows.reduce(into: []) { held, row in
        if row.kind == "enter" { held.insert(row.fence) } else { held.remove(row.fence) }
      }
    }
    #expect(heldAtEnd(rows) == heldAtEnd(try UndisturbedDrive.store.get()))
  }

  @Test("a database of a newer version: exit 78, nothing touched")
  func newerSchema() throws {
    let home = try DaemonHome()
    var daemon = try home.start()
    home.feed(0..<30)
    #expect(try home.finish(daemon) == 0)
    var other: OpaquePointer?
    sqlite3_open_v2(home.database, &other, SQLITE_OPEN_READWRITE, nil)
    #expect(StoredRows.query(other, "PRAGMA user_version=99") == [])
    sqlite3_close_v2(other)
    let before = try TestData.bytes(of: home.database)
    daemon = try home.start()
    try home.wait(for: "the end") { daemon.hasEnded }
    #expect(daemon.reap() == 78)
    #expect(try TestData.bytes(of: home.database) == before)
    home.journal.drain()
    #expect(home.journal.messages.last?.contains("newer version") == true)
  }

  @Test("a hundred hooks get a hundred events each, once, in order, as real processes")
  func manyHooks() throws {
    let hooks = 100
    let home = try DaemonHome(hooks: hooks, more: "MaxRunning=8")
    let expected = try UndisturbedDrive.store.get()
    let daemon = try home.start()
    let hundredth = expected.rows[99].json.firstRange(of: #""fix":{"time":""#).map {
      String(expected.rows[99].json[$0.upperBound...].prefix { $0 != "\"" })
    }
    home.feed(0...Drive.index(ofTime: hundredth))
    try home.settle(daemon)
    let rows = StoredRows(database: home.database)
    #expect(rows.ids.count >= 100)
    for number in 0..<hooks {
      // 10,000 processes in all.
      try home.wait(for: "hook \(number)", patience: 5 * RunningProgram.patience) {
        home.hooked(number).count >= rows.ids.count
      }
    }
    #expect(try home.finish(daemon) == 0)
    for number in 0..<hooks { #expect(home.hookedIDs(number) == rows.ids) }
  }
}
