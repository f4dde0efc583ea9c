package import Milepost

/// What an earlier run left: how this one begins.
package struct StoredState: Sendable {
  package let installationID: String
  /// The last number given out under the installation id, in whatever run.
  package let lastSequence: Int64
  /// Events up to here are of earlier runs: in the journal they are repeated entries.
  package let lastRow: Int64
  /// The held fences by id, each with its time of entering; nil on the first run ever.
  package let held: [String: Timestamp?]?
  /// Of the last fix that was stored; nil where none was.
  package let lastFix: FixTime?
  /// Whether the run before said goodbye.
  package let cleanEnd: Bool
  /// Whether the machine was started anew since.
  package let otherBoot: Bool

  /// How the tracker begins.
  package var trackerStart: GeofenceTracker.Start {
    held.map { .restored($0, lastFix: lastFix) } ?? .firstRun
  }
}
