import Geodesy
import Milepost
import TestSupport
import Testing

@Suite("The engine and the oracle tell the same events")
struct EngineAgainstOracleTests {
  private static let drivesPerKind = 30

  private func settings(_ theirs: OracleSettings) -> Engine.Settings {
    var settings = Engine.Settings()
    settings.jitterThreshold = theirs.jitterThreshold
    settings.exitMargin = theirs.exitMargin
    settings.gate.maxHorizontalError = theirs.maxHorizontalError
    settings.gate.maxSpeed = theirs.maxSpeed
    settings.gate.maxGap = theirs.maxGapMs
    settings.gate.maxGapDistance = theirs.maxGapDistance
    settings.gate.deadReckoning = theirs.deadReckoning
    settings.gate.simulated = theirs.simulated
    settings.gate.device = theirs.device
    return settings
  }

  private func event(_ transition: Transition, _ fences: FenceSet) throws -> EngineEvent {
    EngineEvent(
      kind: transition.kind == .enter ? .enter : .exit, fence: fences[transition.fence].id,
      cause: try #require(OracleEvent.Cause(rawValue: transition.cause.rawValue)),
      time: transition.time, interpolated: transition.interpolated, gapMs: transition.gap,
      distance: transition.distance)
  }

  private func engineEvents(_ drive: Drive) throws -> ([EngineEvent], VerdictCounts) {
    let fences = FenceSet(drive.fences)
    var engine = Engine(settings: settings(drive.settings), fences: fences)
    let events = try drive.inputs.flatMap { input in
      let receipt = Receipt(wall: input.receiptWall, boot: input.receiptBootMs)
      return try engine.observe(input.fix, receipt: receipt).transitions.map {
        try event($0, fences)
      }
    }
    return (events, engine.gate.counts)
  }

  /// The oracle has one word for the three reasons to wait.
  private func count(_ verdict: OracleVerdict, _ counts: VerdictCounts) -> UInt64 {
    switch verdict {
    case .usable: counts[.usable]
    case .noFix: counts[.noFix]
    case .invalidPosition: counts[.invalidPosition]
    case .nullIsland: counts[.nullIsland]
    case .inaccurate: counts[.inaccurate]
    case .simulated: counts[.simulated]
    case .estimated: counts[.estimated]
    case .otherDevice: counts[.otherDevice]
    case .untimed: counts[.untimed]
    case .duplicate: counts[.duplicate]
    case .pending: counts[.earlier] + counts[.farAhead] + counts[.tooFast]
    }
  }

  @Test(
    "over seeded drives: same events, order, causes, times and verdicts",
    arguments: DriveKind.allCases)
  func drives(kind: DriveKind) throws {
    var seeds = SeededRandom.fresh(for: "drives of kind \(kind)")
    var (events, ties) = (0, 0)
    for _ in 0..<Self.drivesPerKind {
      let drive = DriveGenerator.drive(kind, seed: seeds.next() >> 32)
      let (theirs, counts) = try engineEvents(drive)
      let oracle = Oracle.run(drive)
      let comparison = DriveComparison(drive, oracle: oracle, engine: theirs)
      #expect(comparison.difference == nil)
      for verdict in oracle.counts.keys {
        #expect(
          UInt64(oracle.counts[verdict] ?? 0) == count(verdict, counts),
          "\(drive.name) seed \(drive.seed): \(verdict)")
      }
      events += comparison.events
      ties += comparison.excludedFences + comparison.swappedEvents + comparison.uncertainTimes
    }
    print("\(kind): \(Self.drivesPerKind) drives, \(events) events, \(ties) ties")
    #expect(events > 0)
    #expect(ties * 1_000 <= events)
  }
}
