/// One line for the journal, or for stderr where there is none.
package struct LogEntry: Equatable, Sendable {
  /// A further journal field.
  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Syslog's level, 0 (emergency) to 7 (debug).
  package let priority: Int
  /// SYSLOG_IDENTIFIER; nil is the daemon's own.
  package let identifier: String?
  package let message: String
  package let fields: [Field]

  package init(priority: Int, identifier: String? = nil, message: String, fields: [Field] = []) {
    self.priority = priority
    self.identifier = identifier
    self.message = message
    self.fields = fields
  }
}
