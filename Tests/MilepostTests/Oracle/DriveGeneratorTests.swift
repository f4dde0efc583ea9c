import Geodesy
import Milepost
import Testing

@Suite struct DriveGeneratorTests {
  private static func told(_ events: [OracleEvent]) -> [EngineEvent] {
    events.map {
      EngineEvent(
        kind: $0.kind, fence: $0.fence, cause: $0.cause, time: $0.time,
        interpolated: $0.interpolated, gapMs: $0.gapMs, distance: $0.distance)
    }
  }

  @Test("A seed gives the same drive again, another seed another")
  func seeded() {
    let first = DriveGenerator.drive(.dirty, seed: 3)
    let again = DriveGenerator.drive(.dirty, seed: 3)
    #expect(first.fences == again.fences)
    #expect(first.inputs.map { $0.receiptWall } == again.inputs.map { $0.receiptWall })
    #expect(first.fences != DriveGenerator.drive(.dirty, seed: 4).fences)
  }

  @Test(
    "Every kind has fences, fixes and events, and the oracle alternates",
    arguments: DriveKind.allCases)
  func kinds(kind: DriveKind) {
    for seed in 1...3 as ClosedRange<UInt64> {
      let drive = DriveGenerator.drive(kind, seed: seed)
      #expect((80...200).contains(drive.fences.count), "\(kind) \(seed): \(drive.fences.count)")
      #expect((200...1_600).contains(drive.inputs.count), "\(kind) \(seed): \(drive.inputs.count)")
      #expect(Set(drive.fences.map { $0.id }).count == drive.fences.count)
      #expect(drive.fences.allSatisfy { Geofence.radii.contains($0.radius) && $0.centre.isValid })
      let run = Oracle.run(drive)
      #expect(run.events.count >= 20, "\(kind) \(seed): \(run.events.count)")
      #expect(DriveComparison.alternationFault(Self.told(run.events)) == nil)
      #expect(run.counts.values.reduce(0, +) == drive.inputs.count)
    }
  }

  @Test("Dirty drives bring about every verdict")
  func everyVerdict() {
    var seen: Set<OracleVerdict> = []
    for seed in 1...12 as ClosedRange<UInt64> {
      let counts = Oracle.run(DriveGenerator.drive(.dirty, seed: seed)).counts
      seen.formUnion(counts.keys)
    }
    #expect(seen == Set(OracleVerdict.allCases))
  }

  @Test("A road over the antimeridian is on both sides of it")
  func antimeridian() {
    for seed in 1...5 as ClosedRange<UInt64> {
      let longitudes = DriveGenerator.drive(.antimeridian, seed: seed).inputs
        .compactMap { $0.fix.coordinate?.longitude }
      #expect(longitudes.contains { $0 > 179 } && longitudes.contains { $0 < -179 })
    }
  }

  @Test("The comparison finds a late, a missing, an added and a swapped event")
  func comparison() throws {
    let drive = DriveGenerator.drive(.mixedRadii, seed: 1)
    let run = Oracle.run(drive)
    let right = Self.told(run.events)
    #expect(DriveComparison(drive, oracle: run, engine: right).difference == nil)

    let index = try #require(
      run.events.firstIndex { $0.interpolated && $0.radius < 1_000 && $0.kind == .exit })
    var late = right
    late[index].time = late[index].time.advanced(by: 2)
    #expect(DriveComparison(drive, oracle: run, engine: late).difference == nil)
    late[index].time = late[index].time.advanced(by: 1)
    #expect(DriveComparison(drive, oracle: run, engine: late).difference?.contains("time") == true)

    var missing = right
    missing.remove(at: index)
    #expect(DriveComparison(drive, oracle: run, engine: missing).difference != nil)
    #expect(DriveComparison(drive, oracle: run, engine: right.dropLast()).difference != nil)

    let added = right + right.suffix(1)
    #expect(DriveComparison(drive, oracle: run, engine: added).difference?.contains("row") == true)

    var swapped = right
    let pair = try #require(
      run.events.indices.dropLast().first {
        run.events[$0].input == run.events[$0 + 1].input
          && run.events[$0 + 1].time.since(run.events[$0].time) > 10
          && run.events[$0 + 1].fence != run.events[$0].fence
      })
    swapped.swapAt(pair, pair + 1)
    #expect(
      DriveComparison(drive, oracle: run, engine: swapped).difference?.contains("order") == true)
  }
}

extension DriveComparison {
  init(_ drive: Drive, oracle: OracleRun, engine theirs: ArraySlice<EngineEvent>) {
    self.init(drive, oracle: oracle, engine: Array(theirs))
  }
}
