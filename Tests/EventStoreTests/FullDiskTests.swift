@testable import EventStore
import Glibc
import Milepost
import Testing

/// On a real small file system: MILEPOST_TEST_FULL_DISK names one of at most 8 MB, empty and
/// writable, for example a tmpfs mounted with `-o size=4m`; MILEPOST_TEST_READ_ONLY one that is
/// read-only and holds the `events.db` that the first test leaves.
@Suite struct FullDiskTests {
  private static func directory(_ variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }
  }

  private func open(_ directory: String, ids: IDs, now: Int64) throws -> EventStore {
    try EventStore(
      path: "\(directory)/events.db", host: .init(machineID: "m", bootID: "b"), now: now,
      wall: at(0), randomID: ids.next)
  }

  @Test(
    "a real disk that fills up and is freed",
    .enabled(
      if: directory("MILEPOST_TEST_FULL_DISK") != nil,
      "MILEPOST_TEST_FULL_DISK names no small file system"))
  func fills() throws {
    let directory = try #require(Self.directory("MILEPOST_TEST_FULL_DISK"))
    let ids = IDs()
    let filler = "\(directory)/filler"
    var store: EventStore? = try open(directory, ids: ids, now: 0)
    var told = (0..<10).compactMap { store?.commit("a\($0)") }
    let descriptor = Glibc.open(filler, O_WRONLY | O_CREAT, 0o600)
    let zeroes = [UInt8](repeating: 0, count: 4_096)
    while write(descriptor, zeroes, zeroes.count) > 0 {}
    close(descriptor)
    for number in 0..<2_000 { told += [store?.commit("b\(number)")].compactMap { $0 } }
    #expect(store?.isInMemory == true)
    unlink(filler)
    store?.service(now: 999_999)
    #expect(store?.isInMemory == false)
    told += [store?.commit("c")].compactMap { $0 }
    let stored = store?.all.map(\.id)
    #expect(stored == told.map(\.id))
    #expect(query("\(directory)/events.db", "PRAGMA integrity_check") == [["ok"]])
    store?.database?.leaveFilesOnClose()
    store = nil
    unlink("\(directory)/events.db-shm")
    // Full at the start, after a power cut.
    let again = Glibc.open(filler, O_WRONLY | O_CREAT, 0o600)
    while write(again, zeroes, zeroes.count) > 0 {}
    close(again)
    store = try open(directory, ids: ids, now: 0)
    print("full at the start:", store?.takeNotices().map(\.description) ?? [])
    #expect(store?.start.held == ["c": at(0)])
    #expect(store?.start.lastSequence ?? 0 > 0)
    let memory = store?.commit("d")
    #expect(store?.all.count == told.count + 1)
    unlink(filler)
    store?.service(now: 999_999)
    #expect(store?.isInMemory == false)
    #expect(store?.all.last == memory)
    #expect(store?.all.count == told.count + 1)
    if getenv("MILEPOST_TEST_KEEP_LOG") != nil {
      store?.database?.leaveFilesOnClose()
      store = nil
      unlink("\(directory)/events.db-shm")
    }
  }

  @Test(
    "a read-only file system at the start: the state is read, events go on in memory",
    .enabled(
      if: directory("MILEPOST_TEST_READ_ONLY") != nil,
      "MILEPOST_TEST_READ_ONLY names no read-only file system"))
  func readOnly() throws {
    let directory = try #require(Self.directory("MILEPOST_TEST_READ_ONLY"))
    let ids = IDs()
    let store = try open(directory, ids: ids, now: 0)
    let notices = store.takeNotices()
    print("read-only at the start:", notices.map(\.description))
    #expect(notices.count == 1)
    #expect(store.isInMemory)
    #expect(store.start.held == ["d": at(0)])
    let event = store.commit("e")
    #expect(event?.id == "series1-1")
    #expect(store.all.last == event)
    #expect(store.all.count > 100)
  }
}
