/// What the gate says of a fix.
package enum Verdict: Int, CaseIterable, Sendable {
  case usable
  /// Mode 0 or 1, or no position.
  case noFix
  /// A coordinate that is not a number or out of range.
  case invalidPosition
  /// Exactly 0,0: what a receiver says that knows nothing.
  case nullIsland
  /// The horizontal error is over the limit.
  case inaccurate
  case simulated
  /// Dead reckoning.
  case estimated
  /// Another receiver than the one in use.
  case otherDevice
  /// Without time, while timed fixes come in.
  case untimed
  /// The time of the fix before.
  case duplicate
  /// Earlier than the last usable fix.
  case earlier
  /// More than 12 h ahead of the last usable fix.
  case farAhead
  /// Faster than a vehicle can be.
  case tooFast

  /// The name in counters: `noFix` is `no-fix`.
  package var name: String {
    switch self {
    case .usable: "usable"
    case .noFix: "no-fix"
    case .invalidPosition: "invalid-position"
    case .nullIsland: "null-island"
    case .inaccurate: "inaccurate"
    case .simulated: "simulated"
    case .estimated: "estimated"
    case .otherDevice: "other-device"
    case .untimed: "untimed"
    case .duplicate: "duplicate"
    case .earlier: "earlier"
    case .farAhead: "far-ahead"
    case .tooFast: "too-fast"
    }
  }
}

/// How often each verdict was given.
package struct VerdictCounts: Equatable, Sendable {
  private var counts = [UInt64](repeating: 0, count: Verdict.allCases.count)

  package init() {}

  package subscript(verdict: Verdict) -> UInt64 { counts[verdict.rawValue] }

  package var total: UInt64 { counts.reduce(0, &+) }

  mutating func add(_ verdict: Verdict) { counts[verdict.rawValue] &+= 1 }

  /// Those that occurred, in the order of the cases: `usable 812, duplicate 1620`.
  package var description: String {
    Verdict.allCases.filter { self[$0] > 0 }.map { "\($0.name) \(self[$0])" }
      .joined(separator: ", ")
  }
}
