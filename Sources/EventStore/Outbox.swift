/// The next event for a hook, and what became of it so far.
package struct PendingDelivery: Equatable, Sendable {
  package let event: StoredEvent
  /// Runs that failed.
  package let attempts: Int
  /// CLOCK_BOOTTIME, ms, before which it is not to be tried again; 0 for at once.
  package let notBefore: Int64
}

/// How a delivery, or one attempt at it, ended.
package enum DeliveryOutcome: Equatable, Sendable {
  case succeeded
  /// To be tried again; `attempts` counts the failed runs so far.
  case failed(attempts: Int, nextDelayMS: Int64)
  case givenUp
  case expired
}

/// Deliveries of a hook that is gone.
package struct DroppedDeliveries: Equatable, Sendable {
  package let hook: String
  package let count: Int
}

// MARK: - The journal

extension EventStore {
  /// The row up to which the journal has the events.
  package var journaledThrough: Int64 { ledger.journal.through }

  /// Events that the journal does not have, or may have lost in a power cut, in order, at most
  /// `limit`. Those up to ``StoredState/lastRow`` are of earlier runs.
  package func eventsToJournal(limit: Int, now: Int64) -> [StoredEvent] {
    events(after: ledger.journal.through, limit: limit, now: now)
  }

  /// The journal has all events up to `row`. Written with the next commit, or after a while.
  package func advanceJournaled(through row: Int64, now: Int64) {
    let row = min(row, ledger.lastRow)
    guard row > ledger.journal.through else { return }
    ledger.journal.advance(through: row, now: now)
    touch(dueIn: settings.flushMS, now: now)
  }

  /// The newest events of earlier runs, in order, at most `count`.
  package func newestEvents(_ count: Int64) -> [StoredEvent] {
    events(after: start.lastRow - count, limit: Int(clamping: count), now: 0)
      .filter { $0.row <= start.lastRow }
  }

  /// Events after `row`, stored and from memory, in order, at most `limit`.
  package func events(after row: Int64, limit: Int, now: Int64) -> [StoredEvent] {
    guard limit > 0 else { return [] }
    var found: [StoredEvent] = []
    if !tail.covers(after: row) {
      let storedThrough = tail.storedThrough
      let stored = reading(now: now) { database throws(DatabaseError) in
        var page: [StoredEvent] = []
        try database.query(
          """
          SELECT \(StoredEvent.columns) FROM events WHERE number > ? AND number <= ?
            ORDER BY number LIMIT ?
          """, [.integer(row), .integer(storedThrough), .integer(Int64(limit))]
        ) {
          page.append(StoredEvent($0))
          return true
        }
        return page
      }
      guard let stored else { return [] }
      found = stored
    }
    let last = found.last?.row ?? (tail.covers(after: row) ? row : tail.storedThrough)
    found += tail.events(after: last).prefix(limit - found.count)
    return found
  }
}

// MARK: - Hooks

extension EventStore {
  /// The hooks that there are. A new one begins with the next event; deliveries of one that is
  /// gone are dropped.
  package func setHooks(_ names: [String], now: Int64) -> [DroppedDeliveries] {
    let gone = Set(ledger.hooks.keys).subtracting(names).sorted()
    let new = Set(names).subtracting(ledger.hooks.keys)
    let dropped = gone.compactMap { name in
      let count = pendingCount(hook: name, now: now)
      return count > 0 ? DroppedDeliveries(hook: name, count: count) : nil
    }
    for name in gone { ledger.hooks[name] = nil }
    for name in new { ledger.hooks[name] = HookCursor(name: name, doneThrough: ledger.lastRow) }
    if !gone.isEmpty || !new.isEmpty { touch(dueIn: settings.flushMS, now: now) }
    return dropped
  }

  /// The event that this hook takes next; nil where there is none, or no such hook.
  package func nextDelivery(hook name: String, now: Int64) -> PendingDelivery? {
    guard let hook = ledger.hooks[name], hook.doneThrough < ledger.lastRow,
      let event = nextForHooks(after: hook.doneThrough, now: now)
    else { return nil }
    return PendingDelivery(event: event, attempts: hook.attempts, notBefore: hook.notBefore)
  }

  /// A delivery ended, or an attempt at it. Of no effect where it is not that hook's next one.
  ///
  /// A failed attempt is written at once, so that a hook that brings the machine down is given up
  /// in the end; all else with the next commit, or after a while.
  package func deliveryEnded(
    hook name: String, event row: Int64, _ outcome: DeliveryOutcome, now: Int64
  ) {
    guard var hook = ledger.hooks[name], row > hook.doneThrough else { return }
    if case .failed(let attempts, let delay) = outcome {
      hook.attempts = attempts
      hook.notBefore = now + max(0, delay)
      touch(dueIn: 0, now: now)
    } else {
      hook = HookCursor(name: name, doneThrough: row)
      touch(dueIn: settings.flushMS, now: now)
    }
    ledger.hooks[name] = hook
  }

  /// How many events wait for this hook.
  package func pendingCount(hook name: String, now: Int64) -> Int {
    guard let hook = ledger.hooks[name] else { return 0 }
    let fromMemory = tail.events(after: max(hook.doneThrough, tail.storedThrough))
    let storedThrough = tail.storedThrough
    let stored = reading(now: now) { database throws(DatabaseError) in
      try database.integer(
        "SELECT count(*) FROM events WHERE number > ? AND number <= ? AND for_hooks",
        [.integer(hook.doneThrough), .integer(storedThrough)])
    }
    return Int(clamping: (stored ?? nil) ?? 0) + fromMemory.count { $0.forHooks }
  }

  private func nextForHooks(after row: Int64, now: Int64) -> StoredEvent? {
    if tail.covers(after: row) { return tail.events(after: row).first { $0.forHooks } }
    let storedThrough = tail.storedThrough
    var found: StoredEvent?
    let isRead: Void? = reading(now: now) { database throws(DatabaseError) in
      try database.query(
        """
        SELECT \(StoredEvent.columns) FROM events
          WHERE number > ? AND number <= ? AND for_hooks ORDER BY number LIMIT 1
        """, [.integer(row), .integer(storedThrough)]
      ) {
        found = StoredEvent($0)
        return false
      }
    }
    // An event that cannot be read is not passed over: the hook waits.
    guard isRead != nil else { return nil }
    return found ?? tail.events(after: storedThrough).first { $0.forHooks }
  }
}
