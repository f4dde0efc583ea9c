import Geodesy

/// What was odd about places that are used all the same.
struct PlaceNotes {
  struct Disagreement {
    var line: Int
    var distance: Metres
  }

  /// Rows whose projected coordinates fit another system than the first, by its name.
  var otherSystem: [String: [Int]] = [:]
  /// Rows whose two places are more than ``PlaceDecoder/tolerance`` apart.
  var disagreements: [Disagreement] = []
  /// Rows whose x and y are exchanged, as their degrees tell, which are used.
  var exchanged: [Int] = []
  /// Rows outside the area of use of their system, by its name and area.
  var outside: [String: [Int]] = [:]
}
