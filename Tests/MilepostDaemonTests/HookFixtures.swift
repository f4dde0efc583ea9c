import FoundationEssentials
import Glibc
import SystemdKit
import TestSupport
import Testing

@testable import MilepostDaemon

/// An event with id `e1`, fence `F/1` and so on.
func hookEvent(
  _ number: Int, kind: HookEvent.Kind = .enter, json: String = "{}", recordedAtMS: Int64? = 0
) -> HookEvent {
  HookEvent(
    id: "e\(number)", kind: kind, fenceID: "F/\(number)", json: Array(json.utf8),
    environment: [.init("MILEPOST_EVENT", kind.rawValue), .init("MILEPOST_FENCE", "F/\(number)")],
    recordedAtMS: recordedAtMS)
}

/// A directory of hooks, removed with all it holds when the object goes away.
final class HookScratch {
  var path: String { folder.path }
  private let folder: ScratchFolder
  private let loop: EventLoop

  init() throws {
    EventLoop.blockSignals([])
    folder = try ScratchFolder()
    loop = try EventLoop()
  }

  /// Writes an executable shell script, in a process of its own: a descriptor of ours, open for writing
  /// while another test forks, would make it "text file busy".
  @discardableResult
  func script(_ name: String, _ body: String, mode: String = "755") throws -> Hook {
    let hook = Hook(name: name, path: path + "/" + name)
    try write("#!/bin/sh\n\(body)\n", to: hook.path, mode: mode)
    return hook
  }

  /// Puts another text into a hook's file.
  func replace(_ hook: Hook, with text: String) throws {
    try write(text, to: hook.path, mode: "755")
  }

  private func write(_ text: String, to file: String, mode: String) throws {
    let input = try FileDescriptor.sealed(holding: Array(text.utf8), name: "script")
    let null = try FileDescriptor.open("/dev/null", O_RDWR)
    let child = try Spawn(
      executable: "/bin/sh", arguments: ["sh", "-c", "cat >\"$0\" && chmod \(mode) \"$0\"", file],
      environment: [(name: "PATH", value: "/usr/bin:/bin")]
    ).start(input: input, output: null, error: null)
    var success: Bool?
    let source = try loop.addChild(child) { success = $0.isSuccess }
    while success == nil { try loop.runOnce(timeoutMS: nil) }
    source.cancel()
    try #require(success == true)
  }
}

/// Real hooks on a real loop.
final class HookBench {
  let loop: EventLoop
  let scratch: HookScratch
  let runner: HookRunner
  let outbox = MemoryOutbox()
  private let journal: Entries

  /// What was logged.
  private final class Entries { var all: [LogEntry] = [] }

  init(_ policy: HookPolicy = HookPolicy()) throws {
    EventLoop.blockSignals([SIGTERM, SIGUSR1])
    let journal = Entries()
    self.journal = journal
    loop = try EventLoop()
    scratch = try HookScratch()
    runner = try HookRunner(loop: loop, policy: policy, outbox: outbox) { journal.all.append($0) }
  }

  var entries: [LogEntry] { journal.all }

  /// The lines that a hook wrote.
  func output(of hook: String) -> [String] {
    entries.filter { $0.identifier == hook }.map(\.message)
  }

  /// The daemon's own lines of at least this urgency.
  func log(upTo priority: Int = 7) -> [String] {
    entries.filter { $0.identifier == nil && $0.priority <= priority }.map(\.message)
  }

  /// Runs the loop until `condition` holds; a loop with nothing to do for 30 s has hung.
  func run(until condition: () -> Bool) throws {
    while !condition() {
      try #require(try loop.runOnce(timeoutMS: 30_000), "the loop has nothing to do")
    }
  }

  /// Delivers event `number`, recorded now.
  func deliver(_ number: Int) {
    deliver(hookEvent(number, recordedAtMS: Clock.bootTimeMS))
  }

  func deliver(_ event: HookEvent) {
    outbox.append(event)
    runner.wake()
  }

  /// Runs the loop until nothing is left to deliver.
  func runUntilDelivered() throws {
    try run { runner.undeliveredCount == 0 }
  }
}
