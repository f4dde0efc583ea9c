/// Decides which changes of a source's state last, so that the journal gets one line for each and
/// none for the flicker in between.
///
/// A change away from a fix, and the first state of all, must last 2 s; one from a trouble into
/// another 10 s, as a gpsd that comes back needs a while to open its receiver and that is no news.
/// Two are told at once: that the connection which gave fixes has ended, and that a fix is back.
/// A source that comes and goes would fill the journal so: after three fixes in turn of less than 10 s
/// each, the next is told only when it has lasted 10 s itself.
package struct StateAnnouncer {
  /// Milliseconds.
  package struct Patience: Equatable, Sendable {
    package var change: Int64 = 2_000
    package var betweenTroubles: Int64 = 10_000
    package var shortFix: Int64 = 10_000

    package init() {}
  }

  /// What is to be told.
  package struct Announcement: Equatable {
    package var state: SourceState
    package var previous: SourceState?
    /// For a fix that is back: milliseconds since it was lost.
    package var lostFor: Int64?
  }

  private let patience: Patience
  private(set) var announced: SourceState?
  private var current: SourceState?
  private var since: Int64 = 0
  /// When the announced fix began, and when it was left.
  private var fixBegan: Int64?
  private var fixEnded: Int64?
  /// Announced fixes in turn that did not last.
  private var shortFixes = 0
  private static let toleratedShortFixes = 3

  package init(patience: Patience = Patience()) { self.patience = patience }

  /// When ``update(_:at:)`` has to be called again, without any change of the state.
  package var deadline: Int64? {
    guard let current, current != announced else { return nil }
    return since + required(current)
  }

  /// Takes the state as it is now, milliseconds of CLOCK_BOOTTIME.
  package mutating func update(_ state: SourceState, at now: Int64) -> Announcement? {
    if state != current {
      if announced == .fix, current == .fix { fixEnded = now }
      current = state
      since = now
    }
    guard state != announced, now >= since + required(state) else { return nil }
    if announced == .fix { countFix() }
    let lostFor = state == .fix ? fixEnded.map { since - $0 } : nil
    if state == .fix { fixBegan = since }
    defer { announced = state }
    return Announcement(state: state, previous: announced, lostFor: lostFor)
  }

  private func required(_ state: SourceState) -> Int64 {
    switch state {
    case .fix: shortFixes < Self.toleratedShortFixes ? 0 : patience.shortFix
    case .unreachable where announced == .fix, .stale: 0
    default: announced == nil || announced == .fix ? patience.change : patience.betweenTroubles
    }
  }

  /// An announced fix is over.
  private mutating func countFix() {
    guard let fixBegan, let fixEnded else { return }
    shortFixes = fixEnded - fixBegan < patience.shortFix ? shortFixes + 1 : 0
  }
}
