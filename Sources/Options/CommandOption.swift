/// One option that a command knows: `--radius 40m`, `--check`, `-o FILE`.
package struct CommandOption: Sendable {
  /// Whether a value follows, as `--name VALUE` or `--name=VALUE`.
  package enum Value: Sendable {
    case none
    case required
  }

  /// The long name without its dashes, at which ``ParsedOptions`` is asked.
  package let name: String
  package let value: Value
  /// A second, one-letter name; ASCII.
  package let letter: Character?

  package init(_ name: String, _ value: Value = .none, letter: Character? = nil) {
    self.name = name
    self.value = value
    self.letter = letter
  }
}
