/// How markers are read.
package struct MarkerOptions: Sendable {
  /// The radius of a row that gives none, metres.
  package var defaultRadius: Double
  /// Only mileposts of these roads, named as in the files; all where empty. Pins always count.
  package var roads: Set<String>
  /// Keeps the carriageways of one milepost apart, each with a fence of its own.
  package var splitCarriageways: Bool
  /// Further rules of which mileposts count.
  package var filter: MarkerFilter
  /// Makes a fence of each row, for looking one up; their ids are not unique then.
  package var keepsRows = false

  package init(
    defaultRadius: Double = 40, roads: Set<String> = [], splitCarriageways: Bool = false,
    filter: MarkerFilter = MarkerFilter()
  ) {
    self.defaultRadius = defaultRadius
    self.roads = roads
    self.splitCarriageways = splitCarriageways
    self.filter = filter
  }
}
