import Glibc
import Testing
import TestSupport

/// The real milepostd, stopped or killed and started again on the same database.
@Suite("Restarts")
struct RestartTests {
  private static let sample = TestData.package + "/Config/markers.d/sample.csv"

  private func stop(_ daemon: RunningProgram) throws {
    daemon.signal(SIGTERM)
    #expect(try daemon.end() == 0)
  }

  @Test("still inside after a restart: silence; left meanwhile: one exit, cause restart")
  func insideAndLeft() throws {
    let folder = try DaemonFolder(markers: Self.sample)
    var daemon = try folder.start()
    var feed = try folder.feed(daemon)
    feed.write("2026-11-30T09:00:00Z,24.8500,121.7700\n")
    try daemon.wait(forLineWith: "enter A1 0K+000")
    try stop(daemon)

    daemon = try folder.start()
    feed = try folder.feed(daemon)
    feed.write("2026-11-30T09:10:00Z,24.8500,121.77001\n")
    try daemon.wait(forLineWith: "fix from")
    feed.write("2026-11-30T09:10:05Z,24.8506,121.7707393\n")
    try daemon.wait(forLineWith: "enter A1 0K+100")
    #expect(!daemon.lines.contains { $0.contains("enter A1 0K+000") })
    daemon.signal(SIGKILL)
    #expect(try daemon.end() == -SIGKILL)

    daemon = try folder.start()
    feed = try folder.feed(daemon)
    feed.write("2026-11-30T09:30:05Z,24.8512,121.7714786\n")
    try daemon.wait(forLineWith: "exit A1 0K+100 (while not running)")
    try daemon.wait(forLineWith: "enter A1 0K+200 (while not running)")
    try stop(daemon)
    // What the kill kept from being noted as told is told again, and said to be.
    let lines = daemon.lines.filter { $0.hasPrefix("20") && !$0.hasSuffix("(repeated)") }
    #expect(lines.count == 2, "\(daemon.lines)")
  }

  @Test("a delivery under way at a kill is made again after it, with the same id")
  func hookAfterKill() throws {
    let folder = try DaemonFolder(markers: Self.sample)
    try folder.addHook(
      "slow", #"echo "$MILEPOST_EVENT_ID" >>"\#(folder.hookFile)"; echo begun; sleep 600"#)
    var daemon = try folder.start()
    let feed = try folder.feed(daemon)
    feed.write("2026-11-30T09:00:00Z,24.8490,121.7690\n2026-11-30T09:00:08Z,24.8500,121.7700\n")
    try daemon.wait(forLineWith: "slow: begun")
    daemon.signal(SIGKILL)
    #expect(try daemon.end() == -SIGKILL)
    try folder.addHook("slow", #"echo "$MILEPOST_EVENT_ID" >>"\#(folder.hookFile)""#)
    daemon = try folder.start()
    try wait(for: "the second attempt") { folder.hookedCount() == 2 }
    #expect(Set(folder.hooked()).count == 1)
    try stop(daemon)
  }

  @Test("a second instance on the same database is refused and names the first one's process id")
  func secondInstance() throws {
    let folder = try DaemonFolder(markers: Self.sample)
    let first = try folder.start()
    _ = try folder.feed(first)
    let second = try folder.start()
    #expect(try second.end() == 1)
    #expect(second.lines.contains { $0.contains("\(first.pid)") }, "\(second.lines)")
    try stop(first)
  }

  @Test("a corrupt database is moved aside and said so; a directory that is missing is an error")
  func damaged() throws {
    let folder = try DaemonFolder(markers: Self.sample)
    try folder.scratch.write("events.db", String(repeating: "no database at all\n", count: 900))
    let daemon = try folder.start()
    try daemon.wait(forLineWith: "corrupt")
    try stop(daemon)
    try folder.scratch.write(
      "milepostd.conf.d/db.conf", "[Events]\nDatabase=\(folder.scratch("none/events.db"))\n")
    let other = try folder.start()
    #expect(try other.end() == 74)
    #expect(other.lines.contains { $0.contains("none/events.db") })
  }

  @Test("a fence that was held and has gone from the files meanwhile is left at the first fix")
  func goneMeanwhile() throws {
    let folder = try DaemonFolder(markers: Self.sample)
    var daemon = try folder.start()
    var feed = try folder.feed(daemon)
    feed.write("2026-11-30T09:00:00Z,24.8500,121.7700\n")
    try daemon.wait(forLineWith: "enter A1 0K+000")
    try stop(daemon)

    let markers = try folder.scratch.write(
      "other.csv", "road,mileage,latitude,longitude\nB2,1.5,24.8506,121.7707393\n")
    try folder.scratch.write(
      "milepostd.conf.d/other.conf", "[Fences]\nMarkers=\nMarkers=\(markers)\n")
    daemon = try folder.start()
    feed = try folder.feed(daemon)
    feed.write("2026-11-30T09:10:00Z,24.8500,121.77001\n")
    try daemon.wait(forLineWith: "exit A1 0K+000 (fence removed)")
    feed.write("2026-11-30T09:10:04Z,24.8506,121.7707393\n")
    try daemon.wait(forLineWith: "enter B2 1K+500")
    try stop(daemon)
  }
}
