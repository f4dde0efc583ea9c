@testable import EventStore
import Glibc
import Milepost
import TestSupport
import Testing

/// On a real small file system, mounted for each test.
@Suite(.enabled(if: SmallDisk.isAvailable, "\(SmallDisk.absence)"))
struct FullDiskTests {
  private func open(_ directory: String, ids: IDs, now: Int64) throws -> EventStore {
    try EventStore(
      path: "\(directory)/events.db", host: .init(machineID: "m", bootID: "b"), now: now,
      wall: at(0), randomID: ids.next)
  }

  @Test("a real disk that fills up and is freed, and is full at the start after a power cut")
  func fills() throws {
    let disk = try SmallDisk(kilobytes: 4_096)
    let ids = IDs()
    var store: EventStore? = try open(disk.path, ids: ids, now: 0)
    var told = (0..<10).compactMap { store?.commit("a\($0)") }
    disk.fill()
    for number in 0..<2_000 { told += [store?.commit("b\(number)")].compactMap { $0 } }
    #expect(store?.isInMemory == true)
    #expect(store?.takeNotices().count == 1)
    disk.free()
    store?.service(now: 999_999)
    #expect(store?.isInMemory == false)
    told += [store?.commit("c")].compactMap { $0 }
    let stored = store?.all.map(\.id)
    #expect(stored == told.map(\.id))
    #expect(query("\(disk.path)/events.db", "PRAGMA integrity_check") == [["ok"]])
    store?.database?.leaveFilesOnClose()
    store = nil
    unlink("\(disk.path)/events.db-shm")

    disk.fill()
    store = try open(disk.path, ids: ids, now: 0)
    #expect(store?.takeNotices().count == 1)
    #expect(store?.start.held == ["c": at(0)])
    #expect(store?.start.lastSequence ?? 0 > 0)
    let memory = store?.commit("d")
    #expect(store?.all.count == told.count + 1)
    disk.free()
    store?.service(now: 999_999)
    #expect(store?.isInMemory == false)
    #expect(store?.all.last == memory)
    #expect(store?.all.count == told.count + 1)
  }

  @Test(
    "a read-only file system at the start: the state is read, events go on in memory",
    arguments: [false, true])
  func readOnly(afterPowerCut: Bool) throws {
    let disk = try SmallDisk(kilobytes: 4_096)
    let ids = IDs()
    do {
      let before = try open(disk.path, ids: ids, now: 0)
      for number in 0..<200 { _ = before.commit("a\(number)") }
      if afterPowerCut {
        before.database?.leaveFilesOnClose()
      } else {
        _ = before.end(held: nil, lastFix: nil, now: 0)
      }
    }
    if afterPowerCut { unlink("\(disk.path)/events.db-shm") }
    try disk.makeReadOnly()
    let store = try open(disk.path, ids: ids, now: 0)
    #expect(store.takeNotices().count == 1)
    #expect(store.isInMemory)
    #expect(store.start.held == ["a199": at(0)])
    let event = store.commit("e")
    #expect(event?.id.hasPrefix("series1-") == false)
    #expect(event?.id.hasSuffix("-1") == true)
    #expect(store.all.last == event)
    #expect(store.all.count == 201)
  }
}
