package import Milepost

/// Events, the held set and how far journal and hooks have come, in a database that survives
/// power cuts.
///
/// It numbers the events. Where the database cannot be written, it goes on in memory, under a
/// series of ids of its own, and stores what is there once it can. One thread, no clock: `now` is
/// CLOCK_BOOTTIME in milliseconds everywhere.
package final class EventStore {
  /// Whose database it is, and in which boot.
  package struct Host: Equatable, Sendable {
    package var machineID: String
    package var bootID: String

    package init(machineID: String, bootID: String) {
      self.machineID = machineID
      self.bootID = bootID
    }
  }

  package struct Settings: Sendable {
    /// Events kept in memory while the database cannot be written.
    package var memoryLimit = 2_000
    /// How long a commit waits for another process's lock, ms.
    package var busyTimeoutMS: Int32 = 250
    /// How long opening waits for it, ms.
    package var openTimeoutMS: Int32 = 5_000
    /// Time between attempts to write again, ms.
    package var retryMS: Int64 = 5_000
    /// How long the progress of journal and hooks may wait for a commit to go with, ms.
    package var flushMS: Int64 = 2_000
    /// The newest events are never deleted.
    package var keepNewest: Int64 = 10_000
    /// The name of a registered sqlite3_vfs; nil for the default.
    package var vfs: String?

    package init() {}
  }

  /// A stretch in which the database cannot be written.
  struct Outage {
    var series: String
    var lastSequence: Int64 = 0
    var retryAt: Int64
    var lost = 0
  }

  let opener: Opener
  let settings: Settings
  private let randomID: () -> String
  private var lock: LockFile?
  private(set) var database: Database?
  private var isWritable: Bool
  var ledger: Ledger
  /// What the database holds of the ledger; nil where it holds nothing.
  private var stored: Ledger?
  private(set) var tail: EventTail
  private var outage: Outage?
  private var flushDue: Int64?
  private var notices: [StoreNotice]
  private var saidUnreadable = false
  /// Where deleting old events has come to.
  var pruning = Pruning()

  /// What an earlier run left.
  package let start: StoredState

  /// Opens the database, or makes it.
  ///
  /// A corrupt one is moved aside. With a disk that is full, failing or read-only it begins in
  /// memory, with the state read if that is possible. `wall` names what is moved aside; `randomID`
  /// gives 16 hexadecimal digits, other ones at each call.
  /// - Throws: ``StoreError`` where the daemon cannot run with it.
  package init(
    path: String, host: Host, now: Int64, wall: Timestamp, settings: Settings = Settings(),
    randomID: @escaping () -> String
  ) throws(StoreError) {
    opener = Opener(path: path, settings: settings)
    self.settings = settings
    self.randomID = randomID
    if let reason = StateFileCheck(path: path).refusal() {
      throw StoreError(kind: .unusable, path: path, reason: reason)
    }
    lock = try opener.lock()
    let opened = try opener.open(wall: wall)
    database = opened.database
    isWritable = opened.isWritable
    notices = opened.notices
    stored = opened.ledger
    var ledger =
      opened.ledger
      ?? Ledger(installation: randomID(), machine: host.machineID, boot: host.bootID)
    tail = EventTail(storedThrough: ledger.lastRow)
    start = ledger.begin(host: host, now: now)
    if ledger.machine != host.machineID {
      ledger.machine = host.machineID
      ledger.installation = randomID()
      notices.append(.newMachine(installation: ledger.installation))
    }
    // Whatever a database that could not be read holds, no row of it is given out again.
    if !isWritable { ledger.lastRow += 1 << 40 }
    self.ledger = ledger
    if let trouble = opened.trouble {
      recover(from: trouble, now: now)
    } else {
      touch(dueIn: 0, now: now)
      flush(now: now)
    }
  }
}

// MARK: - Commits

extension EventStore {
  /// Numbers the events of one accepted fix and stores them with the held set, in one commit.
  ///
  /// Without events nothing is written. It never fails: what cannot be stored now is kept in
  /// memory. `held` are the fences held after the fix, `lastFix` is the fix that the events came
  /// with, `forHooks` tells whether hooks run for an event: those known now. Journal and hooks come
  /// after it.
  /// - Returns: the events with their ids.
  package func commit(
    _ events: [Event], held: [(id: String, since: Timestamp?)], lastFix: FixTime, now: Int64,
    forHooks: (Event) -> Bool
  ) -> [StoredEvent] {
    guard !events.isEmpty else { return [] }
    if let outage, outage.retryAt <= now { retry(now: now) }
    ledger.setHeld(held)
    ledger.lastFix = lastFix
    if outage == nil {
      let before = (ledger.lastRow, ledger.lastSequence)
      for _ in 0..<2 where outage == nil {
        let numbered = number(events, now: now, forHooks)
        tail.append(numbered)
        do {
          try write(now: now)
          return numbered
        } catch {
          tail.removeLast(numbered.count)
          (ledger.lastRow, ledger.lastSequence) = before
          recover(from: error, now: now)
        }
      }
      if outage == nil { enterOutage(.notOpen, now: now) }
    }
    let numbered = number(events, now: now, forHooks)
    tail.append(numbered)
    dropBeyondLimit()
    return numbered
  }

  private func number(
    _ events: [Event], now: Int64, _ forHooks: (Event) -> Bool
  ) -> [StoredEvent] {
    events.map { event in
      var event = event
      ledger.lastRow += 1
      if outage != nil {
        outage?.lastSequence += 1
      } else {
        ledger.lastSequence += 1
      }
      event.sequence = outage?.lastSequence ?? ledger.lastSequence
      event.id = "\(outage?.series ?? ledger.installation)-\(event.sequence)"
      return StoredEvent(
        event, row: ledger.lastRow, recordedBootMS: now, bootID: ledger.boot,
        forHooks: forHooks(event))
    }
  }

  private func dropBeyondLimit() {
    let dropped = tail.drop(beyond: settings.memoryLimit)
    guard dropped > 0, let outage else { return }
    if outage.lost == 0 { notices.append(.memoryFull(limit: settings.memoryLimit)) }
    self.outage?.lost += dropped
  }

  /// Everything that the database does not hold yet. On a full disk the log's own space is freed once:
  /// folded into the database, it begins anew.
  private func write(now: Int64) throws(DatabaseError) {
    guard let database, isWritable else { throw .notOpen }
    ledger.journal.settle(now: now)
    do {
      try writeTransaction(to: database)
    } catch {
      guard error.kind == .full else { throw error }
      try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      try writeTransaction(to: database)
    }
  }

  private func writeTransaction(to database: Database) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      for event in tail.unstored { try database.run(StoredEvent.insertion, event.values) }
      try ledger.write(to: database, over: stored)
    }
    stored = ledger
    tail.markStored(through: ledger.lastRow)
    flushDue = nil
    saidUnreadable = false
  }
}

// MARK: - Progress that can wait

extension EventStore {
  /// When ``service(now:)`` has something to do, by CLOCK_BOOTTIME, ms.
  package var nextDeadline: Int64? { outage?.retryAt ?? flushDue }

  /// Whether events go on from memory.
  package var isInMemory: Bool { outage != nil }

  /// Whether all that the store was told is in the database.
  package var isStored: Bool { outage == nil && flushDue == nil }

  /// Writes progress that has waited long enough; tries again what could not be written.
  package func service(now: Int64) {
    guard let due = nextDeadline, due <= now else { return }
    flush(now: now)
  }

  /// Writes what waits, now.
  package func flush(now: Int64) {
    if outage != nil { return retry(now: now) }
    guard flushDue != nil else { return }
    do {
      try write(now: now)
    } catch {
      recover(from: error, now: now)
    }
  }

  /// Something in the ledger changed that may wait for a while.
  func touch(dueIn delay: Int64, now: Int64) {
    let due = now + delay
    flushDue = flushDue.map { min($0, due) } ?? due
  }

  /// What happened since the last call, in order: for the journal.
  package func takeNotices() -> [StoreNotice] {
    defer { notices = [] }
    return notices
  }

  /// A clean end: all is written, the log is folded into the database, the lock is let go.
  ///
  /// `held` are the fences held now, `lastFix` is the last usable fix; nil leaves what is stored.
  /// - Returns: how many events could not be stored and are lost to the store.
  package func end(
    held: [(id: String, since: Timestamp?)]?, lastFix: FixTime?, now: Int64
  ) -> Int {
    if let held { ledger.setHeld(held) }
    ledger.lastFix = lastFix ?? ledger.lastFix
    ledger.cleanEnd = true
    touch(dueIn: 0, now: now)
    flush(now: now)
    let lost = tail.unstored.count
    try? database?.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database = nil
    isWritable = false
    lock = nil
    return lost
  }
}

// MARK: - Faults and memory

extension EventStore {
  /// After a failure to write: a corrupt database is replaced, all else is sat out in memory.
  func recover(from error: DatabaseError, now: Int64) {
    if error.kind == .corrupt, replaceCorrupt(error) { return touch(dueIn: 0, now: now) }
    enterOutage(error, now: now)
  }

  private func enterOutage(_ error: DatabaseError, now: Int64) {
    guard outage == nil else {
      outage?.retryAt = now + settings.retryMS
      return
    }
    // A commit whose sync failed may lie whole in the log and come back after a power cut. This
    // overwrites it, if the disk takes anything at all.
    if error.kind == .io { try? database?.run("UPDATE troubles SET count = count + 1") }
    let series = randomID()
    outage = Outage(series: series, retryAt: now + settings.retryMS)
    notices.append(.inMemory(path: opener.path, reason: error.description, series: series))
  }

  private func retry(now: Int64) {
    let events = tail.unstored.count
    do {
      if !isWritable { try reopen() }
      try write(now: now)
    } catch {
      return recover(from: error, now: now)
    }
    notices.append(.storedAgain(events: events, lost: outage?.lost ?? 0))
    outage = nil
  }

  /// Opens for writing what could only be read, or not even that, at the start.
  private func reopen() throws(DatabaseError) {
    if lock == nil { lock = try? opener.lock() }
    guard lock != nil else { throw .notOpen }
    database = nil
    let wall = ledger.lastFix?.time ?? Timestamp(milliseconds: 0)
    guard let opened = try? opener.open(wall: wall) else { throw .notOpen }
    notices += opened.notices
    database = opened.database
    guard opened.isWritable else { throw opened.trouble ?? .notOpen }
    isWritable = true
    if let found = opened.ledger { ledger.adopt(found, wasKnown: stored != nil) }
    stored = opened.ledger
    if stored == nil { tail.markAllUnstored() }
  }

  /// Moves the database aside and begins another under a new installation id. The newest events
  /// are still in memory and go into it with the ids that they have.
  /// - Returns: false where that fails; then there is no database.
  private func replaceCorrupt(_ error: DatabaseError) -> Bool {
    database = nil
    isWritable = false
    stored = nil
    ledger.installation = randomID()
    tail.markAllUnstored()
    let wall = ledger.lastFix?.time ?? Timestamp(milliseconds: 0)
    guard let name = DatabaseFiles(path: opener.path).moveAside(at: wall) else { return false }
    notices.append(.corrupt(movedTo: name, reason: error.description))
    guard let opened = try? opener.open(wall: wall) else { return false }
    notices += opened.notices
    database = opened.database
    isWritable = opened.isWritable && opened.ledger == nil
    return isWritable
  }

  /// Deleted events are not to be found in memory either.
  func forgetStored(through row: Int64) { tail.forgetStored(through: row) }

  /// Runs a query over stored events; what fails is noted, and gives nil.
  func reading<Result>(
    now: Int64, _ body: (Database) throws(DatabaseError) -> Result
  ) -> Result? {
    guard let database else { return nil }
    do {
      return try body(database)
    } catch {
      if error.kind == .corrupt {
        recover(from: error, now: now)
      } else if !saidUnreadable {
        saidUnreadable = true
        notices.append(.unreadable(path: opener.path, reason: error.description))
      }
      return nil
    }
  }
}
