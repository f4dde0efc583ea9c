import Configuration
import FixFormats
import Glibc
import MarkerFiles
import Milepost
import Options

/// One run of the middle over recorded fixes.
struct Replay: ~Copyable {
  private let requiresChecksum: Bool
  private var engine: Engine
  private var recorder = EventRecorder()
  private var output = Output()
  private var enters = 0
  private var exits = 0

  init(_ setup: ReplaySetup) {
    requiresChecksum = setup.requiresChecksum
    engine = Engine(settings: setup.engine, fences: setup.fences)
  }

  /// Returns the exit code.
  mutating func run(_ input: inout Input) throws -> Int32 {
    var framer = LineFramer()
    var decoder = FixDecoder(requiresChecksum: requiresChecksum)
    var progress = Progress(total: input.size)
    var failure: (any Error)?
    try input.forEachChunk { chunk, bytesRead in
      framer.append(chunk) { line in
        decoder.decode(line) { fix in take(fix, &failure) }
      }
      if let failure { throw failure }
      progress.update(bytesRead)
    }
    framer.finish { line in decoder.decode(line) { fix in take(fix, &failure) } }
    decoder.finish { fix in take(fix, &failure) }
    if let failure { throw failure }
    try output.flush()
    progress.clear()
    summarise(input.name, decoder.counters, overlong: framer.overlong)
    guard decoder.counters.fixes == 0, input.bytesRead > 0 else { return ExitCode.done }
    Output.complain("\(input.name): no fix in it (TPV JSON, NMEA or CSV time,lat,lon expected)")
    return ExitCode.badData
  }

  private mutating func take(_ fix: Fix, _ failure: inout (any Error)?) {
    let observation = engine.observe(fix, receipt: Self.receiptNow())
    guard !observation.transitions.isEmpty, let usable = engine.lastUsable else { return }
    let events = recorder.record(
      observation.transitions, fix: usable, fences: engine.fences, timeline: engine.timeline)
    for event in events {
      if event.kind == .enter { enters += 1 } else { exits += 1 }
      do { try output.writeLine(event.json) } catch { failure = error }
    }
  }

  /// A fix without time takes that of its reading.
  private static func receiptNow() -> Receipt {
    func milliseconds(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
    return Receipt(
      wall: Timestamp(milliseconds: milliseconds(CLOCK_REALTIME)),
      boot: milliseconds(CLOCK_BOOTTIME))
  }

  private func summarise(_ name: String, _ counters: FixDecoder.Counters, overlong: Int) {
    let verdicts = engine.gate.counts.description
    let faults = [(counters.malformed, "malformed"), (overlong, "over-long")]
      .filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    Output.note(
      "\(name): \(counters.lines) lines\(faults); \(counters.fixes) fixes"
        + (verdicts.isEmpty ? "" : " (\(verdicts))")
        + ", \(engine.acceptedCount) accepted; \(enters) enter, \(exits) exit\n")
  }
}
