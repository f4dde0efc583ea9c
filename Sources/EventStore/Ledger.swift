import Milepost

/// How far a hook has come. Hooks take events in order, one at a time: one place tells all.
struct HookCursor: Equatable {
  let name: String
  /// The row of the last event that this hook is done with.
  var doneThrough: Int64
  /// Runs of the next event that failed.
  var attempts = 0
  /// CLOCK_BOOTTIME, ms, before which the next event is not tried again.
  var notBefore: Int64 = 0
}

/// What the store knows besides the events: the state row, the held set, the hooks' places.
struct Ledger {
  /// What stands before the number in ids.
  var installation: String
  var machine: String
  var boot: String
  var cleanEnd = false
  var lastRow: Int64 = 0
  /// The last number given out under `installation`.
  var lastSequence: Int64 = 0
  var journal = JournalProgress()
  /// Fence ids with the time of entering, where that can be compared; nil before the first set.
  var held: [String: Timestamp?]?
  var lastFix: FixTime?
  var hooks: [String: HookCursor] = [:]

  /// Nil where the database holds no state row.
  static func read(from database: Database) throws(DatabaseError) -> Ledger? {
    var read: Ledger?
    var hasHeld = false
    try database.query(
      """
      SELECT installation, machine, boot, clean_end, last_number, last_sequence,
        journaled_through, journal_safe_through, has_held, last_fix_ms, last_fix_source FROM state
      """
    ) { row in
      hasHeld = row.bool(8)
      let source = TimeSource(rawValue: row.text(10)) ?? .fix
      read = Ledger(
        installation: row.text(0), machine: row.text(1), boot: row.text(2), cleanEnd: row.bool(3),
        lastRow: row.integer(4), lastSequence: row.integer(5),
        journal: JournalProgress(through: row.integer(6), safeThrough: row.integer(7)),
        lastFix: row.optionalInteger(9).map {
          FixTime(time: Timestamp(milliseconds: $0), source: source)
        })
      return false
    }
    let newest = try database.integer("SELECT max(number) FROM events")
    guard var ledger = read else {
      guard newest == nil else { throw .contradiction("events without a state") }
      return nil
    }
    guard ledger.isPlausible, newest ?? 0 <= ledger.lastRow else {
      throw .contradiction("the state's numbers are not the events'")
    }
    if hasHeld { ledger.held = try readHeld(from: database) }
    try database.query("SELECT name, done_through, attempts, not_before_ms FROM hooks") { row in
      let name = row.text(0)
      ledger.hooks[name] = HookCursor(
        name: name, doneThrough: row.integer(1),
        attempts: Int(clamping: min(max(row.integer(2), 0), Self.numbers.upperBound)),
        notBefore: min(max(row.integer(3), 0), Self.numbers.upperBound))
      return true
    }
    return ledger
  }

  /// No count comes near the end of this; what lies outside is damage that SQLite cannot see.
  private static let numbers: ClosedRange<Int64> = 0...1 << 62

  private var isPlausible: Bool {
    [lastRow, lastSequence, journal.through, journal.safeThrough].allSatisfy(Self.numbers.contains)
  }

  private static func readHeld(
    from database: Database
  ) throws(DatabaseError) -> [String: Timestamp?] {
    var held: [String: Timestamp?] = [:]
    try database.query("SELECT fence, since_ms FROM held") { row in
      let since = row.optionalInteger(1).map { Timestamp(milliseconds: $0) }
      held.updateValue(since, forKey: row.text(0))
      return true
    }
    return held
  }

  /// Writes what differs from `stored`, and the state row.
  func write(to database: Database, over stored: Ledger?) throws(DatabaseError) {
    if held != stored?.held { try writeHeld(to: database) }
    for name in (stored?.hooks ?? [:]).keys where hooks[name] == nil {
      try database.run("DELETE FROM hooks WHERE name = ?", [.text(name)])
    }
    for (name, hook) in hooks where hook != stored?.hooks[name] {
      try database.run(
        "INSERT OR REPLACE INTO hooks (name, done_through, attempts, not_before_ms) VALUES (?, ?, ?, ?)",
        [
          .text(name), .integer(hook.doneThrough), .integer(Int64(hook.attempts)),
          .integer(hook.notBefore),
        ])
    }
    try database.run(
      """
      INSERT OR REPLACE INTO state (one, installation, machine, boot, clean_end, last_number,
        last_sequence, journaled_through, journal_safe_through, has_held, last_fix_ms, last_fix_source)
        VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(installation), .text(machine), .text(boot), SQLValue(cleanEnd), .integer(lastRow),
        .integer(lastSequence), .integer(journal.through), .integer(journal.safeThrough),
        SQLValue(held != nil),
        SQLValue(lastFix?.time.milliseconds), lastFix.map { .text($0.source.rawValue) } ?? .null,
      ])
  }

  private func writeHeld(to database: Database) throws(DatabaseError) {
    try database.run("DELETE FROM held")
    for (fence, since) in held ?? [:] {
      try database.run(
        "INSERT INTO held (fence, since_ms) VALUES (?, ?)",
        [.text(fence), SQLValue(since?.milliseconds)])
    }
  }
}

// MARK: - A run begins

extension Ledger {
  mutating func setHeld(_ fences: [(id: String, since: Timestamp?)]) {
    held = Dictionary(fences.map { ($0.id, $0.since) }) { first, _ in first }
  }

  /// Takes note of the new run.
  /// - Returns: what the run before left.
  mutating func begin(host: EventStore.Host, now: Int64) -> StoredState {
    let otherBoot = boot != host.bootID
    let state = StoredState(
      installationID: installation, lastSequence: lastSequence, lastRow: lastRow, held: held,
      lastFix: lastFix, cleanEnd: cleanEnd, otherBoot: otherBoot)
    journal.begin(otherBoot: otherBoot, cleanEnd: cleanEnd, now: now)
    if otherBoot {
      for name in hooks.keys { hooks[name]?.notBefore = 0 }
    }
    (boot, cleanEnd) = (host.bootID, false)
    return state
  }

  /// Takes over what was found in a database that the run could not write at its start.
  ///
  /// Where its state `wasKnown` then, this run's progress went on from there. Otherwise its journal
  /// entries and deliveries come again rather than not at all.
  mutating func adopt(_ found: Ledger, wasKnown: Bool) {
    installation = found.machine == machine ? found.installation : installation
    lastSequence = max(lastSequence, found.lastSequence)
    lastRow = max(lastRow, found.lastRow)
    guard !wasKnown else { return }
    (held, lastFix) = (held ?? found.held, lastFix ?? found.lastFix)
    journal = JournalProgress(
      through: found.journal.safeThrough, safeThrough: found.journal.safeThrough)
    for (name, hook) in found.hooks where hooks[name] != nil { hooks[name] = hook }
  }
}
