/// What is wrong, or odd, in a marker file, for the person who mends it.
package struct MarkerReport: Hashable, Sendable {
  package enum Severity: Sendable {
    /// The row is used.
    case warning
    /// The row is skipped.
    case skipped
    /// The file is not used.
    case failure
    /// The file cannot be read.
    case unreadable
  }

  package var file: String
  /// From 1; nil where the whole file is meant.
  package var line: Int?
  package var reason: String
  package var severity: Severity

  package init(file: String, line: Int?, reason: String, severity: Severity) {
    self.file = file
    self.line = line
    self.reason = reason
    self.severity = severity
  }
}

extension MarkerReport: CustomStringConvertible {
  /// `file:line: reason`
  package var description: String {
    "\(file):\(line.map { "\($0):" } ?? "") \(reason)"
  }
}
