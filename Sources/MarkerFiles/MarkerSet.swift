package import Milepost

/// The fences of all marker files loaded together, and what there is to say about the files.
package struct MarkerSet: Sendable {
  /// In the order of the files and of their rows.
  package var fences = FenceTable()
  package var reports: [MarkerReport] = []
  package var filesRead = 0
  /// Rows below the headers, blank lines not counted.
  package var rowsRead = 0
  /// Rows with a fault.
  package var rowsSkipped = 0
  /// Rows that the options leave out.
  package var rowsFilteredOut = 0
  /// Rows that became part of an earlier row's fence.
  package var rowsMerged = 0
  /// Of those the ones of another file or category; ``reports`` tell them, too.
  package var shared: [SharedMileposts] = []
  /// Roads of the options that no row has, sorted.
  package var unmatchedRoads: [String] = []

  package init() {}

  /// The reports of files that could not be used at all.
  package var failures: [MarkerReport] {
    reports.filter { $0.severity == .failure || $0.severity == .unreadable }
  }
}
