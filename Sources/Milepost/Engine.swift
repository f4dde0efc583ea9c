package import Geodesy

/// The whole middle: fixes in, transitions out. The daemon and the replay run this very same one.
package struct Engine: ~Copyable {
  package struct Settings: Equatable, Sendable {
    package var gate = FixGate.Settings()
    package var jitterThreshold: Metres = 15
    /// A held fence is left this much further out than its radius.
    package var exitMargin: Metres = 0

    package init() {}
  }

  /// What became of one fix.
  package struct Observation: Sendable {
    /// Where it is ``Verdict/usable``, the fix is ``Engine/lastUsable``.
    package var verdict: Verdict
    /// True where the fix moved more than the jitter threshold: it is the anchor now.
    package var accepted: Bool
    /// In order; empty unless the fix was accepted.
    package var transitions: [Transition]
  }

  package private(set) var gate: FixGate
  private var filter: JitterFilter
  package private(set) var tracker: GeofenceTracker
  package private(set) var acceptedCount: UInt64 = 0
  /// Rises with each new timeline: times of different numbers are not comparable.
  package private(set) var timeline = 0

  package init(
    settings: Settings = Settings(), fences: FenceSet,
    start: GeofenceTracker.Start = .firstRun
  ) {
    gate = FixGate(settings: settings.gate)
    filter = JitterFilter(threshold: settings.jitterThreshold)
    tracker = GeofenceTracker(fences: fences, exitMargin: settings.exitMargin, start: start)
  }

  package var fences: FenceSet { tracker.fences }

  /// The last usable fix, accepted or ignored.
  package var lastUsable: UsableFix? { gate.lastUsable }

  package mutating func observe(_ fix: Fix, receipt: Receipt) -> Observation {
    let verdict = gate.judge(fix, receipt: receipt)
    guard verdict == .usable, let usable = gate.lastUsable else {
      return Observation(verdict: verdict, accepted: false, transitions: [])
    }
    if usable.continuity == .newTimeline {
      timeline += 1
      tracker.forgetTimes()
    }
    guard let step = filter.observe(usable) else {
      return Observation(verdict: verdict, accepted: false, transitions: [])
    }
    acceptedCount += 1
    return Observation(
      verdict: verdict, accepted: true, transitions: tracker.observe(step, to: usable))
  }

  /// Takes other fences and settings. The anchor keeps its place and takes the last usable fix's
  /// time, and the trail starts anew. The transitions' numbers are those of the old fences.
  package mutating func reload(settings: Settings, fences: FenceSet) -> [Transition] {
    gate.settings = settings.gate
    filter.setThreshold(settings.jitterThreshold)
    if let lastUsable { filter.restart(at: lastUsable.time) }
    return tracker.replaceFences(
      with: fences, exitMargin: settings.exitMargin, lastFix: lastUsable)
  }
}
