import Geodesy

/// The area that a coordinate system is made for, as a box of degrees.
struct AreaOfUse {
  var name: String
  var west: Double
  var south: Double
  /// Less than ``west`` where the box reaches over the antimeridian.
  var east: Double
  var north: Double

  /// Surveys go on with a system beyond its area, Norway with UTM zone 33 as far as 31° E; farther off a
  /// place is a mistake. Degrees.
  static let reach = 15.0
  /// So much nearer the area exchanged coordinates have to be to be taken for that. Degrees.
  static let exchangeGain = 10.0
  /// Boxes are drawn tightly. Degrees.
  static let slack = 1.0

  /// ``name`` as a line of a report holds it.
  var shortName: String { name.count > 60 ? "\(name.prefix(59))…" : name }

  /// By how many degrees a place is outside.
  func excess(of place: Coordinate) -> Double {
    let width = east >= west ? east - west : east - west + 360
    let beyondWest = Self.turn(place.longitude - west)
    let beside = beyondWest <= width ? 0 : min(beyondWest - width, 360 - beyondWest)
    return max(beside, south - place.latitude, place.latitude - north, 0)
  }

  /// True where exchanging the two coordinates brings a place into the area.
  static func isExchange(from excess: Double, to exchanged: Double) -> Bool {
    exchanged <= reach && exchanged + exchangeGain < excess
  }

  /// 0 up to 360.
  private static func turn(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest
  }
}
