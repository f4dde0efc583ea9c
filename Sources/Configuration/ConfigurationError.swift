/// One thing wrong in a configuration file, for the person who mends it.
package struct ConfigurationProblem: Hashable, Sendable {
  package var file: String
  /// From 1; nil where the whole file is meant.
  package var line: Int?
  /// The key, or the section as `[Filter]`.
  package var key: String?
  package var reason: String

  package init(file: String, line: Int? = nil, key: String? = nil, reason: String) {
    self.file = file
    self.line = line
    self.key = key
    self.reason = reason
  }
}

extension ConfigurationProblem: CustomStringConvertible {
  /// `file:line: key: reason`
  package var description: String {
    let place = line.map { "\(file):\($0):" } ?? "\(file):"
    return place + (key.map { " \($0):" } ?? "") + " \(reason)"
  }
}

/// All problems of a configuration, in the order of its files and lines.
package struct ConfigurationError: Error, Hashable, Sendable {
  package var problems: [ConfigurationProblem]

  package init(_ problems: [ConfigurationProblem]) { self.problems = problems }
}

extension ConfigurationError: CustomStringConvertible {
  /// One line for each problem.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
