package import Configuration
import MarkerFiles
package import Milepost

/// What the daemon runs on: read, checked and complete, or not at all.
package struct Setup {
  package let settings: Settings
  package let fences: FenceSet
  /// What is survived, one line each: bad rows of marker files, roads that no file has.
  package let warnings: [String]

  /// - Throws: ``SetupError`` with a line for everything that must be mended.
  package init(configuration path: String, mayBeAbsent: Bool) throws(SetupError) {
    do {
      settings = try Configuration.load(path: path, mayBeAbsent: mayBeAbsent)
    } catch {
      throw SetupError(lines: error.problems.map(\.description))
    }
    let markers = MarkerFile.load(
      settings.fences.markers, options: settings.fences.markerOptions)
    guard markers.failures.isEmpty else {
      throw SetupError(lines: markers.reports.map(\.description))
    }
    fences = FenceSet(markers.fences)
    warnings =
      markers.reports.map { $0.severity == .skipped ? "\($0), ignoring" : "\($0)" }
      + markers.unmatchedRoads.map { "Roads: no marker file has \($0), ignoring" }
  }

  /// `30 mileposts`
  package var summary: String { countText(fences.fences.count, "milepost") }
}

/// Why the daemon cannot run on a configuration; worth exit code 78.
package struct SetupError: Error {
  package let lines: [String]
}

/// A number with its noun: `1 milepost`, `2 mileposts`.
func countText(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
