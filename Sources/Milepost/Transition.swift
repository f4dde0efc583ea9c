package import Geodesy

/// Why a transition is announced.
package enum Cause: String, Sendable {
  /// The vehicle was seen to cross the circle.
  case crossing
  /// Inside at the first fix of all, or inside a fence that is new.
  case initial
  /// Found after a stretch without usable fixes.
  case gap
  /// Found after a restart.
  case restart
  /// The fence is gone, or no longer lies round the vehicle.
  case removed
}

/// A fence entered or left.
package struct Transition: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case enter
    case exit
  }

  package var kind: Kind
  /// The fence's place in its ``FenceSet``.
  package var fence: Int32
  package var cause: Cause
  package var time: Timestamp
  /// True where `time` was computed from where the step meets the circle.
  package var interpolated: Bool
  /// Milliseconds since the last usable fix before a gap or a restart.
  package var gap: Int64?
  /// Of an exit: milliseconds since the enter; nil where they cannot be compared.
  package var inside: Int64?
  /// From the centre to the fix, along the ground.
  package var distance: Metres

  package init(
    kind: Kind, fence: Int32, cause: Cause, time: Timestamp, interpolated: Bool, gap: Int64? = nil,
    inside: Int64? = nil, distance: Metres
  ) {
    self.kind = kind
    self.fence = fence
    self.cause = cause
    self.time = time
    self.interpolated = interpolated
    self.gap = gap
    self.inside = inside
    self.distance = distance
  }
}
