/// A marker file of roads side by side, a milepost every 100 m along each: the daemon's share of a
/// whole country.
enum GeneratedMarkers {
  static let count = 100_000
  static let postsPerRoad = 1_000

  /// The place `metres` along a road, to seven decimals, as a CSV file has it.
  static func place(along metres: Double, road: Int = 0) -> String {
    func text(_ degrees: Double) -> String { "\((degrees * 1e7).rounded() / 1e7)" }
    return "\(text(45 + Double(road) / 500)),\(text(7 + metres / metresPerDegree))"
  }

  private static let metresPerDegree = 78_847.0

  static func csv() -> String {
    var text = "road,mileage,latitude,longitude,category\n"
    text.reserveCapacity(count * 48)
    for number in 0..<count {
      let (road, post) = number.quotientAndRemainder(dividingBy: postsPerRoad)
      let metres = post % 10 == 0 ? "000" : "\(post % 10)00"
      let place = place(along: Double(post) * 100, road: road)
      text += "國道\(road + 1)號,\(post / 10)K+\(metres),\(place),freeway\n"
    }
    return text
  }
}
