package import EventStore
package import Milepost
package import SystemdKit

/// Events on their way out: into the store first, then to the journal; hooks read the store.
///
/// The store remembers how far the journal has come, so what a crash, a power cut or an absent
/// journald held up is written later, as a repeated entry where an earlier run may have written it.
package final class EventPublisher {
  /// Entries written at once; further ones get their turn after what else the loop has to do.
  private static let entriesAtOnce = 200
  private static let journalRetryMS: Int64 = 5_000
  private static let pruneMS: Int64 = 3_600_000

  private let store: EventStore
  private let log: Log
  private var keep: (milliseconds: Int64, bytes: Int64)
  private var timer: TimerSource?
  private var pruneAt: Int64
  private var journalAt: Int64?
  private var saidJournalGone = false

  /// Events recorded more than `keepMS` before the newest are deleted, and more where the database
  /// would be larger than `maxBytes`.
  /// - Throws: `SystemError` where the loop gives no timer.
  package init(
    loop: EventLoop, store: EventStore, log: Log, keepMS: Int64, maxBytes: Int64
  ) throws(SystemError) {
    self.store = store
    self.log = log
    keep = (keepMS, maxBytes)
    pruneAt = Clock.bootTimeMS + 60_000
    timer = try loop.addTimer { [unowned self] in service() }
  }

  package func setRetention(keepMS: Int64, maxBytes: Int64) { keep = (keepMS, maxBytes) }

  /// Stores the events of one accepted fix and writes them to the journal.
  package func publish(
    _ events: [Event], held: [(id: String, since: Timestamp?)], fix: UsableFix,
    forHooks: (Event) -> Bool
  ) {
    _ = store.commit(
      events, held: held, lastFix: FixTime(time: fix.time, source: fix.timeSource),
      now: Clock.bootTimeMS, forHooks: forHooks)
    service()
  }

  /// Writes what the journal lacks, does the store's housekeeping, and says what happened to it.
  package func service() {
    let now = Clock.bootTimeMS
    store.service(now: now)
    tellNotices()
    writeToJournal(now)
    if pruneAt <= now {
      let more = store.prune(keepMS: keep.milliseconds, maxBytes: keep.bytes, now: now)
      pruneAt = now + (more ? 1_000 : Self.pruneMS)
    }
    let next = [store.nextDeadline, journalAt, pruneAt].compactMap { $0 }.min() ?? pruneAt
    do {
      try timer?.arm(atMS: next)
    } catch {
      log.error("event store: \(error), its housekeeping is late")
    }
  }

  /// Events that the store could not take, at the end.
  package func end(held: [(id: String, since: Timestamp?)]?, lastFix: UsableFix?) {
    writeToJournal(Clock.bootTimeMS)
    let lost = store.end(
      held: held, lastFix: lastFix.map { FixTime(time: $0.time, source: $0.timeSource) },
      now: Clock.bootTimeMS)
    tellNotices()
    if lost > 0 { log.error("\(countText(lost, "event")) could not be stored") }
  }

  private func tellNotices() {
    for notice in store.takeNotices() {
      if notice.isWarning {
        log.warning(notice.description, id: MessageID.store)
      } else {
        log.notice(notice.description, id: MessageID.store)
      }
    }
  }

  private func writeToJournal(_ now: Int64) {
    journalAt = nil
    let events = store.eventsToJournal(limit: Self.entriesAtOnce, now: now)
    for event in events {
      guard log.writeLasting(event.logEntry(repeated: event.row <= store.start.lastRow)) else {
        return waitForJournal(now)
      }
      store.advanceJournaled(through: event.row, now: now)
    }
    saidJournalGone = false
    if events.count == Self.entriesAtOnce { journalAt = now }
  }

  private func waitForJournal(_ now: Int64) {
    if !saidJournalGone { log.warning("the journal takes no entries; events wait in the store") }
    saidJournalGone = true
    journalAt = now + Self.journalRetryMS
  }
}

extension StoredEvent {
  /// The journal's entry: the shared fields, the fixed message id, priority notice.
  func logEntry(repeated: Bool) -> LogEntry {
    var entry = fields.map { LogEntry.Field($0.name, $0.value) }
    entry.append(LogEntry.Field("MESSAGE_ID", kind == .enter ? MessageID.enter : MessageID.exit))
    if repeated { entry.append(LogEntry.Field("MILEPOST_REPEATED", "1")) }
    return LogEntry(priority: 5, message: message, fields: entry)
  }
}
