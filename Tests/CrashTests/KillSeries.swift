import Glibc
import SystemdKit
import Testing
import TestSupport

/// Drives through a daemon that is killed again and again.
final class KillSeries {
  /// Where the kills fell.
  struct Tally: CustomStringConvertible {
    var kills = 0
    /// Kills of the hooks under way, too, as a power cut does it; else they lived on.
    var powerCuts = 0
    var hooks = 0
    var inStartUp = 0
    var beforeJournal = 0
    var beforeHook = 0
    var drives = 0
    var events = 0
    var repeatedEntries = 0
    var repeatedRuns = 0

    var description: String {
      """
      \(kills) kills (\(powerCuts) with the hooks, \(hooks) of them) over \(drives) drives with \(events) events: \(inStartUp) in start-up; \
      \(beforeJournal) between commit and journal; \(beforeHook) between commit and the hook's end; \
      \(repeatedEntries) journal entries and \(repeatedRuns) hook runs came again
      """
    }
  }

  private(set) var tally = Tally()
  private var random: SeededRandom
  private let sendsAgain: Bool
  /// From the program's start to its first read, µs.
  private var startUpMicroseconds: Int64 = 20_000

  init(random: SeededRandom, sendsAgain: Bool) {
    self.random = random
    self.sendsAgain = sendsAgain
  }

  /// Whole drives until so many kills were made.
  /// - Returns: the stores that they left.
  func run(kills: Int) throws -> [StoredRows] {
    var stores: [StoredRows] = []
    while tally.kills < kills {
      stores.append(try drive())
      tally.drives += 1
      tally.events += stores.last?.rows.count ?? 0
    }
    return stores
  }

  private func drive() throws -> StoredRows {
    let home = try DaemonHome()
    var next = 0
    while next < Drive.fixes.count {
      let fed = try live(home, from: next)
      let rows = try examine(home)
      if sendsAgain {
        try home.drainFIFO()
        let anchor = Drive.index(ofTime: rows.lastFixTime)
        next = anchor == Drive.lastToTell ? Drive.fixes.count : anchor
      } else {
        next += fed
      }
    }
    let daemon = try home.start()
    #expect(try home.finish(daemon) == 0)
    let rows = try examine(home)
    try compare(home, rows)
    return rows
  }

  /// One life, to its kill.
  /// - Returns: how many fixes it was fed.
  private func live(_ home: DaemonHome, from first: Int) throws -> Int {
    // Where fixes are sent again from one before the stop, a life has to come past it.
    let count = min(
      Int.random(in: 2...(sendsAgain ? 36 : 6), using: &random), Drive.fixes.count - first)
    // More than the stop is long: a life ends with a fix that moved.
    let inStartUp = Int.random(in: 0..<4, using: &random) == 0
    if inStartUp { home.feed(first..<first + count) }
    let daemon = try home.start()
    try home.wait(for: "the program") { daemon.isMilepostd || daemon.hasEnded }
    if inStartUp {
      let limit = Double(startUpMicroseconds) * 1.2
      pause(home, microseconds: Int64(Double.random(in: 0..<limit, using: &random)))
    } else {
      let begin = Clock.bootTimeMS
      // The first half shows that it reads; then one by one, so that commits, entries and hooks mix.
      let half = first + count / 2
      home.feed(first..<half)
      try home.wait(for: "the first fixes to be read") { home.unread == 0 || daemon.hasEnded }
      startUpMicroseconds = max(1_000, (Clock.bootTimeMS - begin) * 1_000)
      let last = Int.random(in: half..<max(half + 1, first + count), using: &random)
      for number in half..<last {
        home.feed([number])
        pause(home, microseconds: Int64.random(in: 0..<5_000, using: &random))
      }
      home.feed(last..<first + count)
      let exponent = Double.random(in: 0..<1, using: &random)
      pause(home, microseconds: Int64(10 * pow(6_000, exponent)))
    }
    #expect(!daemon.hasEnded, "it ended by itself: \(home.journal.messages)")
    if Bool.random(using: &random) {
      tally.hooks += daemon.cutPower()
      tally.powerCuts += 1
    } else {
      daemon.signal(SIGKILL)
    }
    #expect(daemon.reap() == -SIGKILL)
    tally.kills += 1
    if inStartUp { tally.inStartUp += 1 }
    return count
  }

  /// Takes what comes to the journal while time passes.
  private func pause(_ home: DaemonHome, microseconds: Int64) {
    func now() -> Int64 {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
    let end = now() + microseconds
    while now() < end { home.journal.drain() }
  }

  /// What must hold at any instant: nothing is told that is not stored, and told as it is stored.
  private func examine(_ home: DaemonHome) throws -> StoredRows {
    let hooked = home.hooked()
    home.journal.drain()
    let rows = try StoredRows(copyOf: home.database, in: home.scratch)
    #expect(rows.integrity == ["ok"])
    #expect(rows.alternates)
    #expect(rows.rows.map(\.sequence) == (1...).prefix(rows.rows.count).map { "\($0)" })
    let stored = Set(zip(rows.ids, rows.rows).map { "\($0) \($1.kind) \($1.fence)" })
    let journaled = Set(home.journal.events.map { Self.line($0) })
    #expect(journaled.subtracting(stored) == [], "told in the journal, not stored")
    #expect(Set(hooked).subtracting(stored) == [], "told to the hook, not stored")
    if stored.count > journaled.count { tally.beforeJournal += 1 }
    if stored.count > Set(hooked).count { tally.beforeHook += 1 }
    return rows
  }

  private static func line(_ entry: JournalTwin.Entry) -> String {
    ["MILEPOST_EVENT_ID", "MILEPOST_EVENT", "MILEPOST_FENCE"].map { entry[$0] ?? "" }
      .joined(separator: " ")
  }

  /// What must hold at the end: store, journal and hook agree, and in order.
  private func compare(_ home: DaemonHome, _ rows: StoredRows) throws {
    func firsts(_ ids: [String]) -> [String] {
      var seen: Set<String> = []
      return ids.filter { seen.insert($0).inserted }
    }
    let journaled = home.journal.events.compactMap { $0["MILEPOST_EVENT_ID"] }
    #expect(firsts(journaled) == rows.ids)
    let hooked = home.hookedIDs()
    #expect(firsts(hooked) == rows.ids)
    #expect(
      home.journal.events.allSatisfy {
        $0["MESSAGE"] == rows.row(ofID: $0["MILEPOST_EVENT_ID"] ?? "")?.message
      })
    // An entry that comes again says so.
    var seen: Set<String> = []
    let unsaid = home.journal.events.filter {
      !seen.insert($0["MILEPOST_EVENT_ID"] ?? "").inserted && $0["MILEPOST_REPEATED"] != "1"
    }
    #expect(unsaid == [])
    tally.repeatedEntries += journaled.count - rows.ids.count
    tally.repeatedRuns += hooked.count - rows.ids.count
  }
}
