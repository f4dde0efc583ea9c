/// What one line of a configuration file says, in systemd's syntax (systemd.syntax(7)).
///
/// Blanks around a line and around `=` do not count; `#` and `;` begin a comment only at a line's
/// start; a backslash at the end joins the next line that is no comment, as a blank.
struct ConfigurationLine: Equatable {
  enum Content: Equatable {
    case section(String)
    case assignment(key: String, value: String)
    /// Neither; why.
    case fault(String)
  }

  /// From 1; the first of joined lines.
  var number: Int
  var content: Content

  static func parse(_ text: String) -> [ConfigurationLine] {
    var lines: [ConfigurationLine] = []
    var joined: (text: String, number: Int)?
    let physical = text.unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false)
    for (index, scalars) in physical.enumerated() {
      let line = trimmed(Substring(scalars))
      if line.first == "#" || line.first == ";" { continue }
      let start = joined ?? ("", index + 1)
      guard line.last == "\\" else {
        joined = nil
        if let content = content(of: start.text + line) {
          lines.append(ConfigurationLine(number: start.number, content: content))
        }
        continue
      }
      joined = (start.text + line.dropLast() + " ", start.number)
    }
    if let joined, let content = content(of: joined.text) {
      lines.append(ConfigurationLine(number: joined.number, content: content))
    }
    return lines
  }

  private static func content(of joined: String) -> Content? {
    let line = trimmed(joined[...])
    guard let first = line.first else { return nil }
    if first == "[" {
      guard line.last == "]", line.count > 2 else {
        return .fault("\"\(line)\" is not a section (use [Filter])")
      }
      return .section(String(line.dropFirst().dropLast()))
    }
    guard let equals = line.firstIndex(of: "=") else {
      return .fault("\"\(line)\" is not an assignment (use Key=Value)")
    }
    let key = trimmed(line[..<equals])
    guard !key.isEmpty else { return .fault("a key is missing before = (use Key=Value)") }
    return .assignment(
      key: String(key), value: String(trimmed(line[line.index(after: equals)...])))
  }

  static func trimmed(_ text: Substring) -> Substring {
    func isBlank(_ character: Character) -> Bool {
      character == " " || character == "\t" || character == "\r"
    }
    var result = text.drop(while: isBlank)
    while let last = result.last, isBlank(last) { result.removeLast() }
    return result
  }
}
