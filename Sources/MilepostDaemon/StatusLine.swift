import Milepost

/// What `systemctl status` shows in one line.
struct StatusLine {
  var source: String
  var state: SourceState
  var fences: Int
  var held: Int
  /// Name of the nearest fence, and metres to its centre.
  var nearest: (name: String, distance: Double)?
  var fixes: UInt64
  var events: Int64

  var text: String {
    guard fences > 0 else { return "no mileposts; \(state.rawValue) from \(source)" }
    let place = nearest.map { "; nearest \($0.name), \(Self.distance($0.distance))" } ?? ""
    return
      "\(state.rawValue) from \(source); \(countText(fences, "milepost")), in \(held)\(place); "
      + "\(countText(fixes, "usable fix", "usable fixes")), \(countText(events, "event"))"
  }

  private static func distance(_ metres: Double) -> String {
    metres < 1_000
      ? "\(decimalText(metres, places: 0)) m" : "\(decimalText(metres / 1_000, places: 1)) km"
  }
}
