@testable import EventStore
import Geodesy
import Glibc
@testable import Milepost
import SystemdKit
import Testing

@testable import MilepostDaemon

/// Runs that end when the test says so, each hook's deliveries counted and looked at in passing.
final class CountingSpawner: HookSpawner {
  private final class Process: HookProcess {
    func signalGroup(_ signal: Int32) {}
  }

  private let process = Process()
  private var ends: [(HookOutcome) -> Void] = []
  /// Of each hook: the number of the last event, and whether all came in order without a hole.
  private(set) var last: [String: Int] = [:]
  private(set) var isInOrder = true

  func start(_ run: HookRun, ended: @escaping (HookOutcome) -> Void) throws -> any HookProcess {
    let number = run.event.id.split(separator: "-").last.flatMap { Int($0) } ?? 0
    isInOrder = isInOrder && number == last[run.hook.name, default: 0] + 1
    last[run.hook.name] = number
    ends.append(ended)
    return process
  }

  func closeOutput() {}

  /// Ends what runs, and what that starts, until nothing runs.
  func endAll() {
    while !ends.isEmpty {
      let ending = ends
      ends = []
      for end in ending { end(.success) }
    }
  }
}

@Suite("Deliveries from the event store")
struct DeliveryTests {
  private func event(_ number: Int) -> Event {
    let place = Coordinate(latitude: 24.85, longitude: 121.77)
    let fix = UsableFix(
      coordinate: place, point: ECEF(place), time: Timestamp(milliseconds: 1_796_029_200_000),
      timeSource: .fix)
    return Event(
      id: "", sequence: 0, kind: number % 2 == 0 ? .enter : .exit, cause: .crossing,
      time: fix.time, timeSource: .fix, interpolated: true,
      fence: Geofence(id: "A1/\(number / 2)", centre: place, radius: 40), travel: nil, fix: fix,
      distance: 12, inside: nil, gap: nil)
  }

  @Test("a hundred thousand deliveries: each once, in order, with a bounded number in memory")
  func many() throws {
    let (hooks, events) = (20, 5_000)
    let folder = try HookScratch()
    let path = folder.path + "/events.db"
    defer { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) } }
    let store = try EventStore(
      path: path, host: .init(machineID: "m", bootID: "b"), now: 0,
      wall: Timestamp(milliseconds: 0), randomID: { "0123456789abcdef" })
    let spawner = CountingSpawner()
    let loop = try EventLoop()
    let runner = try HookRunner(
      loop: loop, policy: HookPolicy(), outbox: StoreOutbox(store: store, bootID: "b"),
      spawner: spawner, now: { 0 }
    ) { _ in }
    runner.setHooks((0..<hooks).map { Hook(name: "h\($0)", path: "/h/\($0)") })
    // Events pile up by the thousand before the hooks get on.
    for number in 0..<events {
      _ = store.commit(
        [event(number)], held: [], lastFix: FixTime(time: Timestamp(milliseconds: 0), source: .fix),
        now: 0
      ) { _ in true }
      guard number % 1_000 == 999 else { continue }
      runner.wake()
      spawner.endAll()
      #expect(store.tail.events.count <= 128)
    }
    #expect(spawner.isInOrder)
    #expect(spawner.last.count == hooks)
    #expect(spawner.last.values.allSatisfy { $0 == events })
    #expect(runner.counters.delivered == hooks * events)
    #expect(runner.undeliveredCount == 0)
    _ = store.end(held: nil, lastFix: nil, now: 0)
  }
}
