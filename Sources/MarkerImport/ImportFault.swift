/// Why an import cannot go on, for the person who mends it.
package struct ImportFault: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// An option or a preset is wrong.
    case usage
    /// The file's content is wrong.
    case data
    /// The operating system refuses.
    case inputOutput
  }

  package var kind: Kind
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
