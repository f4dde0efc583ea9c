import Geodesy

/// Finds rows whose latitude and longitude are exchanged, as the bulk of the others tells.
///
/// The bulk is the box that the middle three fifths lie in, widened by its own size to all sides: a row outside
/// of it that is inside once exchanged does not belong where it stands.
enum Exchanged {
  /// Fewer rows tell nothing.
  static let fewest = 10
  /// Even a short road's box is widened by so much. Degrees.
  private static let leastWidth = 1.0

  /// The entries' numbers, in their order.
  static func find(_ entries: [MilepostTable.Entry]) -> [Int] {
    guard entries.count >= fewest else { return [] }
    let latitudes = bulk(entries.map(\.place.latitude))
    let longitudes = bulk(entries.map(\.place.longitude))
    func isInside(_ latitude: Double, _ longitude: Double) -> Bool {
      latitudes.contains(latitude) && longitudes.contains(longitude)
    }
    return entries.indices.filter {
      let place = entries[$0].place
      return !isInside(place.latitude, place.longitude)
        && isInside(place.longitude, place.latitude)
    }
  }

  private static func bulk(_ values: [Double]) -> ClosedRange<Double> {
    let sorted = values.sorted()
    let (low, high) = (sorted[sorted.count / 5], sorted[sorted.count - 1 - sorted.count / 5])
    let margin = max(high - low, leastWidth)
    return low - margin...high + margin
  }
}
