/// Where a value comes from: a column, a value picked out of a column, or a constant.
package enum FieldSource: Hashable, Sendable {
  case column(String)
  case picked(column: String, expression: String)
  case constant(String)

  /// `NAME`, `#3`, `NAME ~ EXPRESSION`, `=CONSTANT`
  package init(_ text: String) {
    if text.hasPrefix("=") {
      self = .constant(String(text.dropFirst()))
    } else if let tilde = text.firstRange(of: " ~ ") {
      self = .picked(
        column: String(text[..<tilde.lowerBound]), expression: String(text[tilde.upperBound...]))
    } else {
      self = .column(text)
    }
  }
}

extension FieldSource {
  /// Nil for a constant.
  var column: String? {
    switch self {
    case .column(let name), .picked(let name, _): name
    case .constant: nil
    }
  }

  var constant: String? {
    if case .constant(let text) = self { text } else { nil }
  }

  /// As it was written.
  var text: String {
    switch self {
    case .column(let name): name
    case .picked(let name, let expression): "'\(name) ~ \(expression)'"
    case .constant(let text): "=\(text)"
    }
  }
}

extension String {
  /// `3` of `#3`.
  var number: Substring { hasPrefix("#") ? dropFirst() : self[...] }
}

/// The sources of one value, tried in order until one gives some text.
struct Field {
  private enum Origin {
    case cell(Int)
    case picked(Int, Pick)
    case constant(ArraySlice<UInt8>)
  }

  private var origins: [Origin] = []

  init(_ sources: [FieldSource], _ wanted: inout WantedFields) throws(ImportFault) {
    for source in sources {
      switch source {
      case .column(let name): origins.append(.cell(wanted.slot(name)))
      case .picked(let name, let expression):
        origins.append(.picked(wanted.slot(name), try Pick(expression)))
      case .constant(let text): origins.append(.constant(Array(text.utf8)[...]))
      }
    }
  }

  /// A column whose absence leaves no source; nil where some source can give a value.
  func needed(missing: Set<Int>) -> Int? {
    var first: Int?
    for origin in origins {
      switch origin {
      case .constant: return nil
      case .cell(let slot), .picked(let slot, _):
        guard missing.contains(slot) else { return nil }
        first = first ?? slot
      }
    }
    return first
  }

  /// Nil where no source gives any text.
  func text(of record: Record) -> ArraySlice<UInt8>? {
    for origin in origins {
      let found: ArraySlice<UInt8>?
      switch origin {
      case .cell(let slot): found = record[slot]
      case .picked(let slot, let pick):
        found = record[slot].flatMap { pick.pick(from: $0)?.trimmed }
      case .constant(let text): found = text
      }
      if let found, !found.isEmpty { return found }
    }
    return nil
  }
}
