package import Milepost

/// How markers are read.
package struct MarkerOptions: Sendable {
  /// The radius of a row that gives none, metres.
  package var defaultRadius: Double
  /// Only mileposts of these roads, named as in the files; all where empty. Pins always count.
  package var roads: Set<String>
  /// Keeps the carriageways of one milepost apart, each with a fence of its own.
  package var splitCarriageways: Bool
  /// Makes a fence of each row, for looking one up; their ids are not unique then.
  package var keepsRows = false

  package init(
    defaultRadius: Double = 40, roads: Set<String> = [], splitCarriageways: Bool = false
  ) {
    self.defaultRadius = defaultRadius
    self.roads = roads
    self.splitCarriageways = splitCarriageways
  }
}

/// The fences of all marker files loaded together, and what there is to say about the files.
package struct MarkerSet: Sendable {
  /// In the order of the files and of their rows.
  package var fences: [Geofence] = []
  package var reports: [MarkerReport] = []
  package var filesRead = 0
  /// Rows below the headers, blank lines not counted.
  package var rowsRead = 0
  /// Rows with a fault.
  package var rowsSkipped = 0
  /// Rows of roads that the options leave out.
  package var rowsFilteredOut = 0
  /// Rows that became part of an earlier row's fence.
  package var rowsMerged = 0
  /// Roads of the options that no row has, sorted.
  package var unmatchedRoads: [String] = []

  package init() {}

  /// The reports of files that could not be used at all.
  package var failures: [MarkerReport] { reports.filter { $0.severity == .failure } }
}
