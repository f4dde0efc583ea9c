internal import SystemdKit

/// One process and its output, which may outlive it.
final class RunningHook: HookProcess {
  /// Called when both have ended.
  var closed: (() -> Void)?
  private let run: HookRun
  private let log: (LogEntry) -> Void
  private let graceMS: Int64
  private var ended: ((HookOutcome) -> Void)?
  private var output: HookOutput
  private var reading: IOSource?
  private var pipe: FileDescriptor?
  private var child: ChildSource?
  private var grace: TimerSource?

  /// Starts `spawn` for `run`.
  init(
    _ run: HookRun, as spawn: Spawn, _ loop: EventLoop, _ policy: HookPolicy,
    log: @escaping (LogEntry) -> Void, ended: @escaping (HookOutcome) -> Void
  ) throws(SystemError) {
    self.run = run
    self.log = log
    self.ended = ended
    graceMS = policy.outputGraceMS
    output = HookOutput(lineLimit: policy.outputLines, byteLimit: policy.outputBytes)
    let newline = UInt8(ascii: "\n")
    let line = run.event.json.last == newline ? run.event.json : run.event.json + [newline]
    let input = try FileDescriptor.sealed(holding: line, name: "milepost-event")
    let ends = try Pipe()
    try ends.readEnd.setNonBlocking()
    // Idle: fixes come before the chatter of hooks. All that can fail comes before the child.
    reading = try loop.addIO(ends.readEnd.rawValue, .readable, priority: .idle) {
      [unowned self] _ in
      if readOnce() == .ended { close() }
    }
    grace = try loop.addTimer { [unowned self] in close() }
    let process = try spawn.start(input: input, output: ends.writeEnd, error: ends.writeEnd)
    pipe = ends.takeReadEnd()
    child = try loop.addChild(process) { [unowned self] in childEnded($0) }
  }

  func signalGroup(_ signal: Int32) { child?.signalGroup(signal) }

  /// Ends the output: its last line, the count of the rest; our end of the pipe is closed.
  func close() {
    guard pipe != nil else { return }
    reading?.cancel()
    reading = nil
    grace?.cancel()
    grace = nil
    pipe = nil
    let (line, notice) = output.finish()
    if let line { logOutput(6, line) }
    if let notice { logOutput(5, notice) }
    if child == nil { closed?() }
  }

  private func childEnded(_ status: ChildStatus) {
    // What it wrote last comes before the word of its end; a flood of its children is not waited for.
    var state = ReadState.more
    for _ in 0..<4 where state == .more { state = readOnce() }
    if state == .ended { close() }
    child = nil
    do {
      try grace?.arm(afterMS: graceMS)
    } catch {
      close()
    }
    let ended = ended
    self.ended = nil
    if pipe == nil { closed?() }
    ended?(status.isSuccess ? .success : .failure("\(status)"))
  }

  private enum ReadState { case more, empty, ended }

  private func readOnce() -> ReadState {
    let size = 65_536
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
      do {
        guard let count = try pipe?.read(into: buffer, subject: "output of hook") else {
          return pipe == nil ? .ended : .empty
        }
        guard count > 0 else { return .ended }
        let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        for line in output.take(chunk) { logOutput(6, line) }
        return .more
      } catch {
        logOutput(4, "\(error)")
        return .ended
      }
    }
  }

  private func logOutput(_ priority: Int, _ text: String) {
    let fields = [
      LogEntry.Field("MILEPOST_HOOK", run.hook.name),
      LogEntry.Field("MILEPOST_EVENT_ID", run.event.id),
    ]
    log(LogEntry(priority: priority, identifier: run.hook.name, message: text, fields: fields))
  }
}
