/// The states of a FIFO: writers are unknown, so only fixes tell.
///
/// Times are milliseconds of CLOCK_BOOTTIME and never run backwards.
package struct FIFOSession {
  private let name: String
  private var freshness: FixFreshness
  private var announcer: StateAnnouncer
  private var failure: String?

  /// `name` is for the messages (`FIFO /run/milepostd/fixes`), `maxGap` in milliseconds.
  package init(name: String, maxGap: Int64, patience: StateAnnouncer.Patience = .init()) {
    self.name = name
    freshness = FixFreshness(maxGap: maxGap)
    announcer = StateAnnouncer(patience: patience)
  }

  package mutating func setMaxGap(_ maxGap: Int64, at now: Int64) -> SourceStateChange? {
    freshness.maxGap = maxGap
    return tick(at: now)
  }

  package func state(at now: Int64) -> SourceState {
    failure == nil ? freshness.state(at: now) : .unreachable
  }

  /// When ``tick(at:)`` is due; nil for never.
  package func nextDeadline(after now: Int64) -> Int64? {
    let stale = failure == nil ? freshness.deadline(after: now) : nil
    return Deadline.earlier(stale, announcer.deadline)
  }

  /// A fix of mode 0 or 1 came.
  package mutating func withoutFix(at now: Int64) -> SourceStateChange? {
    freshness.withoutFix()
    return tick(at: now)
  }

  /// Whatever has failed: one may still write to a removed FIFO who has it open.
  package mutating func usableFix(at now: Int64) -> SourceStateChange? {
    failure = nil
    freshness.usable(at: now)
    return tick(at: now)
  }

  /// It cannot be read any more.
  package mutating func failed(_ reason: String, at now: Int64) -> SourceStateChange? {
    failure = reason
    return tick(at: now)
  }

  /// It can be read again.
  package mutating func reopened(at now: Int64) -> SourceStateChange? {
    failure = nil
    return tick(at: now)
  }

  package mutating func tick(at now: Int64) -> SourceStateChange? {
    announcer.update(state(at: now), at: now).map {
      SourceStateChange(state: $0.state, previous: $0.previous, message: message(for: $0))
    }
  }

  private func message(for announcement: StateAnnouncer.Announcement) -> String {
    let lost = announcement.previous == .fix
    switch announcement.state {
    case .unreachable, .noDevice: return "\(name) lost: \(failure ?? "")"
    case .noFix:
      return lost
        ? "fix lost: what is written to \(name) has no position"
        : "\(name) is open, waiting for a usable fix"
    case .stale:
      let limit = freshness.maxGap / 1_000
      return "fix lost: nothing usable from \(name) for \(limit) s, its last fix is kept"
    case .fix:
      guard let lostFor = announcement.lostFor else { return "fix from \(name)" }
      return "fix restored after \(lostFor / 1_000) s from \(name)"
    }
  }
}
