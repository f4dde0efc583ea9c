import Glibc
import Testing
import TestSupport

/// The real milepostd, its own drive through a real FIFO, a real hook.
@Suite("A drive through the FIFO")
struct FIFODriveTests {
  private static let sample = TestData.package + "/Config/markers.d/sample.csv"
  private static let drive = TestData.package + "/Config/demo/drive.nmea"

  private func isEvent(_ line: String) -> Bool {
    line.hasPrefix("20") && (line.contains("Z enter ") || line.contains("Z exit "))
  }

  @Test("each event is told once, in order, on stderr and to the hook, as the replay has it")
  func drive() throws {
    let folder = try DaemonFolder(markers: Self.sample)
    try folder.addRecordingHook()
    let daemon = try folder.start()
    let feed = try folder.feed(daemon)
    feed.write(String(decoding: try TestData.bytes(of: Self.drive), as: UTF8.self))
    try daemon.wait(forLineWith: "exit A1 2K+900")
    try wait(for: "the hook's last run") { folder.hooked().last == "exit A1/2K+900" }
    daemon.signal(SIGTERM)
    #expect(try daemon.end() == 0)

    let replayed = try ToldEvent.replay(["--markers", Self.sample, Self.drive])
    // 30 mileposts and a pin, three of which lie in the tunnel and are passed unseen.
    #expect(replayed.count == 2 * (30 + 1 - 3))
    #expect(folder.hooked() == replayed.map(\.eventAndFence))
    let told = daemon.lines.filter(isEvent)
    #expect(told.map { String($0.prefix { $0 != " " }) } == replayed.map(\.time))
    #expect(daemon.lines.last?.contains("fixes: usable 188; accepted") == true)
  }

  @Test("torn and binary lines are counted, writers come and go, nothing else is harmed")
  func dirtyWriters() throws {
    let folder = try DaemonFolder(markers: Self.sample)
    let daemon = try folder.start()
    var feed: Feed? = try folder.feed(daemon)
    feed?.write("39,24.85,121.77\n\u{1}\u{2}\n\n$GPRMC,torn\n{\"class\":\"TPV\",\"mo\n")
    feed?.write("2026-11-30T09:00:00Z,24.8500,121.7700\n")
    try daemon.wait(forLineWith: "enter A1 0K+000")
    feed = nil
    let second = try Feed(folder.fifo)
    second.write("2026-11-30T09:00:04Z,24.8503,121.7703697\n")
    second.write("2026-11-30T09:00:08Z,24.8506,121.7707393\n")
    try daemon.wait(forLineWith: "enter A1 0K+100")
    daemon.signal(SIGUSR1)
    try daemon.wait(forLineWith: "malformed 4")
    daemon.signal(SIGTERM)
    #expect(try daemon.end() == 0)
  }

  @Test("a good reload changes the fences, a bad one keeps them and says why")
  func reload() throws {
    let folder = try DaemonFolder(markers: Self.sample)
    let daemon = try folder.start()
    let feed = try folder.feed(daemon)
    feed.write("2026-11-30T09:00:00Z,24.8500,121.7700\n")
    try daemon.wait(forLineWith: "enter A1 0K+000")

    try folder.scratch.write("milepostd.conf.d/50-bad.conf", "[Filter]\nJitterThreshold=15 mm\n")
    daemon.signal(SIGHUP)
    let bad = try daemon.wait(forLineWith: "50-bad.conf:2: JitterThreshold:")
    try daemon.wait(forLineWith: "the old configuration stays", from: bad)

    try folder.scratch.write(
      "milepostd.conf.d/50-bad.conf", "[Filter]\n" + String(repeating: "Bad=1\n", count: 1_000))
    daemon.signal(SIGHUP)
    try daemon.wait(forLineWith: "and 990 more errors: milepostd --check")
    #expect(daemon.lines.count { $0.contains("50-bad.conf") } == 11)

    let markers = try folder.scratch.write(
      "other.csv", "road,mileage,latitude,longitude\nB2,1.5,24.8506,121.7707393\n")
    try folder.scratch.write(
      "milepostd.conf.d/50-bad.conf", "[Fences]\nMarkers=\nMarkers=\(markers)\n")
    daemon.signal(SIGHUP)
    try daemon.wait(forLineWith: "exit A1 0K+000 (fence removed)")
    feed.write("2026-11-30T09:00:04Z,24.8506,121.7707393\n")
    try daemon.wait(forLineWith: "enter B2 1K+500")
    daemon.signal(SIGINT)
    #expect(try daemon.end() == 0)
  }

  @Test("hooks that hang are given their time at the stop, and ended")
  func stopWithHangingHook() throws {
    let folder = try DaemonFolder(markers: Self.sample)
    try folder.addHook("hang", "echo hanging; trap '' TERM; while :; do sleep 1; done")
    let daemon = try folder.start()
    let feed = try folder.feed(daemon)
    feed.write("2026-11-30T09:00:00Z,24.8490,121.7690\n2026-11-30T09:00:08Z,24.8500,121.7700\n")
    try daemon.wait(forLineWith: "hang: hanging")
    daemon.signal(SIGTERM)
    #expect(try daemon.end() == 0)
    #expect(daemon.lines.contains { $0.contains("hang") && $0.contains("stop") })
  }
}
