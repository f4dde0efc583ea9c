import Configuration
import FixFormats
import Glibc
import MarkerFiles
import Milepost
import Options

/// One run of the middle over recorded fixes.
struct Replay: ~Copyable {
  private var input: Input
  private var framer = LineFramer()
  private var decoder: FixDecoder
  private var engine: Engine
  private var recorder = EventRecorder(series: "")
  private var output = Output()
  private var progress: Progress
  private var enters = 0
  private var exits = 0

  init(_ options: ParsedOptions) throws {
    let setup = try ReplaySetup(options)
    input = try Input(path: options.operands.first ?? "-")
    progress = Progress(total: input.size)
    decoder = FixDecoder(requiresChecksum: setup.requiresChecksum)
    engine = Engine(settings: setup.engine, fences: setup.fences)
  }

  mutating func run() throws -> Int32 {
    // The stored properties are taken apart so that the closures may change one while another runs.
    var (framer, decoder, failure) = (framer, decoder, Optional<any Error>.none)
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
    return summarise(decoder.counters, overlong: framer.overlong)
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

  private func summarise(_ counters: FixDecoder.Counters, overlong: Int) -> Int32 {
    let verdicts = engine.gate.counts.description
    let faults = [(counters.malformed, "malformed"), (overlong, "over-long")]
      .filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    Output.note(
      "\(input.name): \(counters.lines) lines\(faults); \(counters.fixes) fixes"
        + (verdicts.isEmpty ? "" : " (\(verdicts))")
        + ", \(engine.acceptedCount) accepted; \(enters) enter, \(exits) exit\n")
    guard counters.fixes == 0, input.bytesRead > 0 else { return ExitCode.done }
    Output.complain("\(input.name): no fix in it (TPV JSON, NMEA or CSV time,lat,lon expected)")
    return ExitCode.badData
  }
}
