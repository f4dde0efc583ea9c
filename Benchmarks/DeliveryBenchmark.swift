import EventStore
import MilepostDaemon
import SystemdKit

/// A million deliveries from a real store to a hundred hooks that end at once.
enum DeliveryBenchmark {
  private static let hooks = 100
  private static let events = 10_000

  private final class Spawner: HookSpawner {
    private final class Process: HookProcess {
      func signalGroup(_ signal: Int32) {}
    }

    private let process = Process()
    private var ends: [(HookOutcome) -> Void] = []
    private var last: [String: String] = [:]
    private(set) var outOfOrder = 0

    func start(
      _ run: HookRun, ended: @escaping (HookOutcome) -> Void
    ) throws -> any HookProcess {
      let number = run.event.id.split(separator: "-").last.flatMap { Int($0) } ?? 0
      let before = last[run.hook.name].flatMap { Int($0) } ?? 0
      if number != before + 1 { outOfOrder += 1 }
      last[run.hook.name] = "\(number)"
      ends.append(ended)
      return process
    }

    func closeOutput() {}

    func endAll() {
      while !ends.isEmpty {
        let ending = ends
        ends = []
        for end in ending { end(.success) }
      }
    }
  }

  static func run() throws {
    guard let disk = BenchDisk.all.last else { return }
    try disk.withDatabase { path in
      let store = try StoreEvents.open(path)
      let spawner = Spawner()
      let runner = try HookRunner(
        loop: EventLoop(), policy: HookPolicy(),
        outbox: StoreOutbox(store: store, bootID: "bench"), spawner: spawner, now: { 0 }
      ) { _ in }
      runner.setHooks((0..<hooks).map { Hook(name: "hook\($0)", path: "/hooks/hook\($0)") })
      for number in 0..<events { StoreEvents.commit(number, to: store) }
      let before = residentMegabytes()
      let begin = Stopwatch.nanoseconds()
      runner.wake()
      spawner.endAll()
      let time = Stopwatch.nanoseconds() - begin
      let done = runner.counters.delivered
      let rate = Int64(done) * 1_000_000_000 / max(1, time)
      print(
        "\(padded("deliveries, \(hooks) hooks, \(disk.name)"))\(rate) a second   (\(done) made, "
          + "\(spawner.outOfOrder) out of order; resident \(before) MB before, "
          + "\(residentMegabytes()) MB after)")
    }
  }
}
