import Testing
import TestSupport

/// What a run stores that nothing happens to.
enum UndisturbedDrive {
  static let store = Result {
    let home = try DaemonHome()
    let daemon = try home.start()
    home.feed(Drive.fixes.indices)
    try #require(try home.finish(daemon) == 0)
    return StoredRows(database: home.database)
  }
}

/// SIGKILL at random instants of a drive, fed through a real FIFO into the real milepostd.
@Suite(
  "Kills at any instant", .enabled(if: MountNamespace.isAvailable, "\(MountNamespace.absence)"))
struct KillTests {
  private func series(_ name: String, _ number: UInt64, sendsAgain: Bool) -> KillSeries {
    var random = SeededRandom.fresh(for: "\(name) \(number)")
    for _ in 0..<number { _ = random.next() }
    return KillSeries(random: random, sendsAgain: sendsAgain)
  }

  @Test("the drive is one: the store of an undisturbed run has every kind of event")
  func undisturbed() throws {
    let rows = try UndisturbedDrive.store.get()
    #expect(rows.alternates)
    #expect(rows.rows.count > 150)
    #expect(rows.rows.contains { $0.json.contains(#""cause":"gap""#) })
    #expect(rows.rows.contains { $0.json.contains(#""travel":"decreasing""#) })
    #expect(rows.lastFixTime == Drive.fixes[Drive.lastToTell].time)
  }

  @Test(
    "fixes sent again from the last stored event: the store is that of an undisturbed run",
    arguments: [1, 2])
  func sentAgain(_ number: UInt64) throws {
    let series = series("kills, fixes sent again", number, sendsAgain: true)
    let expected = try UndisturbedDrive.store.get()
    for store in try series.run(kills: 155) {
      #expect(store.rows.count == expected.rows.count)
      let other = zip(store.rows, expected.rows).first { $0 != $1 }
      #expect(other == nil)
    }
    print("kills, fixes sent again \(number): \(series.tally)")
    #expect(series.tally.beforeHook > 0)
  }

  @Test(
    "fixes lost with the kill: store, journal and hook agree, and no id is missing",
    arguments: [1, 2])
  func lost(_ number: UInt64) throws {
    let series = series("kills, fixes lost", number, sendsAgain: false)
    _ = try series.run(kills: 40)
    print("kills, fixes lost \(number): \(series.tally)")
  }
}
