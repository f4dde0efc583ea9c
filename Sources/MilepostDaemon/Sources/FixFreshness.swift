/// Tells fix, no-fix and stale apart by what came when.
package struct FixFreshness {
  /// Without a usable fix for so long, and with reports that have none, a fix is lost: two receivers
  /// may take turns, and one epoch may fail, ms.
  static let noFixAfter: Int64 = 3_000

  /// Milliseconds.
  package var maxGap: Int64
  private var lastUsable: Int64?
  private var reportedNoFix = false

  package init(maxGap: Int64) { self.maxGap = maxGap }

  package mutating func usable(at now: Int64) {
    lastUsable = now
    reportedNoFix = false
  }

  /// A report of mode 0 or 1.
  package mutating func withoutFix() { reportedNoFix = true }

  package mutating func reset() { self = FixFreshness(maxGap: maxGap) }

  package func state(at now: Int64) -> SourceState {
    guard let lastUsable else { return .noFix }
    if reportedNoFix && now >= lastUsable + Self.noFixAfter { return .noFix }
    return now > lastUsable + maxGap ? .stale : .fix
  }

  /// When ``state(at:)`` changes by itself.
  package func deadline(after now: Int64) -> Int64? {
    guard let lastUsable else { return nil }
    let deadline =
      reportedNoFix
      ? min(lastUsable + Self.noFixAfter, lastUsable + maxGap + 1) : lastUsable + maxGap + 1
    return deadline > now ? deadline : nil
  }
}
