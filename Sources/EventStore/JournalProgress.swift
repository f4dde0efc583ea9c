/// How far the journal has come, and how much of that is on the disk for certain.
struct JournalProgress: Equatable {
  /// journald syncs its files at most this long after an entry.
  /// Source: journald.conf(5), SyncIntervalSec=.
  static let syncMS: Int64 = 5 * 60_000
  /// Entries of one second are told apart by nobody.
  private static let markMS: Int64 = 1_000

  private struct Mark: Equatable {
    var row: Int64
    var begunMS: Int64
    var lastMS: Int64
  }

  /// The row up to which the journal was sent all events.
  private(set) var through: Int64
  /// The row up to which a power cut takes nothing from the journal.
  private(set) var safeThrough: Int64
  /// What was sent at most ``syncMS`` ago.
  private var marks: [Mark] = []

  init(through: Int64 = 0, safeThrough: Int64 = 0) {
    self.through = through
    self.safeThrough = safeThrough
  }

  mutating func advance(through row: Int64, now: Int64) {
    guard row > through else { return }
    through = row
    note(now: now)
    settle(now: now)
  }

  /// Moves on what is old enough to be on the disk.
  mutating func settle(now: Int64) {
    let old = marks.prefix { $0.lastMS < now - Self.syncMS }
    if let last = old.last { safeThrough = last.row }
    marks.removeFirst(old.count)
  }

  /// A new run begins: what was sent shortly before a power cut is sent again. Within one boot
  /// nobody knows when it was sent: it counts as sent now.
  mutating func begin(otherBoot: Bool, cleanEnd: Bool, now: Int64) {
    marks = []
    if otherBoot {
      if cleanEnd { safeThrough = through } else { through = safeThrough }
    }
    if through > safeThrough { note(now: now) }
  }

  private mutating func note(now: Int64) {
    if let last = marks.last, now - last.begunMS < Self.markMS {
      marks[marks.count - 1].row = through
      marks[marks.count - 1].lastMS = now
    } else {
      marks.append(Mark(row: through, begunMS: now, lastMS: now))
    }
  }
}
