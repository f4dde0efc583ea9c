/// The straight line from one point to another; public for the reason that ``ECEF`` is.
public struct Segment: Sendable {
  /// Where it begins.
  public let start: ECEF
  /// Where it ends.
  public let end: ECEF
  /// `end - start`.
  public let direction: ECEF
  /// Square metres.
  public let lengthSquared: Double

  /// The segment between two points.
  @inlinable
  public init(from start: ECEF, to end: ECEF) {
    self.start = start
    self.end = end
    direction = end - start
    lengthSquared = direction.lengthSquared
  }

  /// Where along the line through both ends the foot of the perpendicular from `point` lies:
  /// 0 at the start, 1 at the end; 0 for a segment without length.
  @inlinable @inline(__always)
  public func projection(of point: ECEF) -> Double {
    lengthSquared > 0 ? (point - start).dot(direction) / lengthSquared : 0
  }

  /// Where the line through both ends enters and leaves a sphere.
  public struct Meeting: Equatable, Sendable {
    /// Fractions of the segment, 0 at its start and 1 at its end, not clamped; `entry <= exit`.
    public let entry: Double
    /// Where it leaves.
    public let exit: Double
    /// The middle between both: the foot of the perpendicular from the centre.
    public let foot: Double

    @inlinable
    init(entry: Double, exit: Double, foot: Double) {
      self.entry = entry
      self.exit = exit
      self.foot = foot
    }
  }

  /// Nil where the line passes the sphere at its radius or further away.
  @inlinable @inline(__always)
  public func meets(centre: ECEF, radiusSquared: Double) -> Meeting? {
    guard lengthSquared > 0 else { return nil }
    let foot = projection(of: centre)
    let missSquared = (start + foot * direction).distanceSquared(to: centre)
    guard missSquared < radiusSquared else { return nil }
    let half = ((radiusSquared - missSquared) / lengthSquared).squareRoot()
    return Meeting(entry: foot - half, exit: foot + half, foot: foot)
  }
}
