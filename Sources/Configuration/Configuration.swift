/// Makes settings of configuration files, and complains about all that is wrong in them at once.
package enum Configuration {
  /// One file's name, as problems name it, and its bytes.
  package struct File: Sendable {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The settings of a file and its drop-ins, in this order: a later assignment wins, one to a list
  /// adds.
  package static func settings(from files: [File]) throws(ConfigurationError) -> Settings {
    var reader = ConfigurationReader()
    for file in files { reader.read(file) }
    guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
    return reader.settings
  }

  /// The changed keys, as `Source.Address`, that only a restart applies.
  package static func restartNeeded(from old: Settings, to new: Settings) -> [String] {
    SettingKey.all.filter { $0.needsRestart && !$0.isEqual(old, new) }.map(\.qualifiedName)
  }
}

/// Reads files one after another into settings.
struct ConfigurationReader {
  private(set) var settings = Settings()
  private(set) var problems: [ConfigurationProblem] = []
  /// Lists whose default is replaced.
  private var assignedLists: Set<String> = []

  private static let keys: [SettingKey.Section: [SettingKey]] = Dictionary(
    grouping: SettingKey.all, by: \.section)

  /// Where the assignments that follow belong.
  private enum Place {
    case nowhere
    case section(SettingKey.Section)
    /// Of other programs (`X-`), or complained about already.
    case ignored
  }

  mutating func read(_ file: Configuration.File) {
    guard let text = text(of: file) else { return }
    var place = Place.nowhere
    for line in ConfigurationLine.parse(text) {
      switch line.content {
      case .fault(let reason): report(reason, at: line.number, of: file)
      case .section(let name):
        place = SettingKey.Section(rawValue: name).map { .section($0) } ?? .ignored
        if case .ignored = place, !name.hasPrefix("X-") {
          let sections = SettingKey.Section.allCases.map { "[\($0.rawValue)]" }
          report(
            "unknown section (use \(Self.choice(sections)))", key: "[\(name)]", at: line.number,
            of: file)
        }
      case .assignment(let key, let value):
        assign(key, value, place: place, at: line.number, of: file)
      }
    }
  }

  private mutating func assign(
    _ name: String, _ value: String, place: Place, at line: Int, of file: Configuration.File
  ) {
    let section: SettingKey.Section
    switch place {
    case .ignored: return
    case .section(let current): section = current
    case .nowhere:
      report("stands before any section (begin with [Source])", key: name, at: line, of: file)
      return
    }
    guard let key = Self.keys[section]?.first(where: { $0.name == name }) else {
      if !name.hasPrefix("X-") {
        report(Self.unknown(name, in: section), key: name, at: line, of: file)
      }
      return
    }
    if assignedLists.insert(key.qualifiedName).inserted { key.clearList(of: &settings) }
    do {
      try key.apply(value, to: &settings)
    } catch {
      report(error.reason, key: name, at: line, of: file)
    }
  }

  private mutating func report(
    _ reason: String, key: String? = nil, at line: Int?, of file: Configuration.File
  ) {
    problems.append(
      ConfigurationProblem(file: file.name, line: line, key: key, reason: reason))
  }

  /// Nil, and a problem, where the file is no UTF-8 text.
  private mutating func text(of file: Configuration.File) -> String? {
    let bytes = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? file.bytes[3...] : file.bytes[...]
    let bad =
      bytes.firstIndex(of: 0)
      ?? String(validating: bytes, as: UTF8.self).map { _ in bytes.endIndex }
      ?? Self.firstInvalid(file.bytes)
    guard bad < bytes.endIndex else { return String(decoding: bytes, as: UTF8.self) }
    let line = bytes[..<bad].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    report("is not UTF-8 text (save the file as UTF-8)", at: line, of: file)
    return nil
  }

  private static func firstInvalid(_ bytes: [UInt8]) -> Int {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return bytes.endIndex
    } catch {
      return error.byteOffsets.lowerBound
    }
  }
}

extension ConfigurationReader {
  /// What to write instead of a key that its section does not have.
  private static func unknown(_ name: String, in section: SettingKey.Section) -> String {
    if let key = SettingKey.all.first(where: { $0.name == name }) {
      return "belongs in [\(key.section.rawValue)], not in [\(section.rawValue)]"
    }
    let names = (keys[section] ?? []).map(\.name)
    let near = names.filter { distance($0.lowercased(), name.lowercased()) <= 2 }
    return "unknown key in [\(section.rawValue)] (use \(choice(near.isEmpty ? names : near)))"
  }

  /// `a, b or c`
  private static func choice(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Letters to change, add or remove (Levenshtein); far where the lengths differ much.
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard abs(a.count - b.count) <= 2 else { return .max }
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let changed = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(changed, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
