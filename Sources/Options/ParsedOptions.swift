/// What stood on a command line.
package struct ParsedOptions: Sendable {
  /// In their order; a repeated one stands here repeatedly.
  package var options: [(name: String, value: String?)] = []
  /// What is no option, in order.
  package var operands: [String] = []

  package init() {}

  package func has(_ name: String) -> Bool { options.contains { $0.name == name } }

  /// The value of the last one of this name.
  package func value(_ name: String) -> String? { options.last { $0.name == name }?.value }

  /// The values of all of this name, in order.
  package func values(_ name: String) -> [String] {
    options.compactMap { $0.name == name ? $0.value : nil }
  }
}

/// Why a command line cannot be understood; worth exit code 64.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
