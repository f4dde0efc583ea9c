import Milepost

/// One key of the configuration: where it stands, what it means, how its value is read.
package struct SettingKey: Sendable {
  /// A file's sections, in the order of the shipped file.
  package enum Section: String, CaseIterable, Sendable {
    case source = "Source"
    case filter = "Filter"
    case fences = "Fences"
    case hooks = "Hooks"
    case events = "Events"
  }

  typealias Field<Value> = any (WritableKeyPath<Settings, Value> & Sendable)

  /// How a value is read, and where it goes. Ranges come with the text that an error shows.
  enum Kind: Sendable {
    case flag(Field<Bool>)
    case distance(Field<Double>, ClosedRange<Double>, String)
    case speed(Field<Double>, ClosedRange<Double>, String)
    case duration(Field<Int64>, ClosedRange<Int64>, String)
    /// A mileage, exact, in micrometres; 0 where empty.
    case step(Field<Int64>)
    /// In bytes.
    case bytes(Field<Int64>, ClosedRange<Int64>, String)
    case count(Field<Int>, ClosedRange<Int>, String)
    case source(Field<Settings.Source.Kind>)
    case address(Field<SourceAddress>)
    case device(Field<String?>)
    case path(Field<String>)
    case patterns(Field<[String]>)
    case names(Field<[String]>)
  }

  package let section: Section
  package let name: String
  /// As the shipped file writes it.
  package let defaultText: String
  /// One line for the person who reads the shipped file.
  package let summary: String
  /// A reload does not apply it.
  package let needsRestart: Bool
  let kind: Kind

  init(
    _ section: Section, _ name: String, _ defaultText: String, _ kind: Kind,
    needsRestart: Bool = false, _ summary: String
  ) {
    self.section = section
    self.name = name
    self.defaultText = defaultText
    self.kind = kind
    self.needsRestart = needsRestart
    self.summary = summary
  }

  /// ``summary``, and whether a reload is not enough.
  package var explanation: String { summary + (needsRestart ? " Needs a restart." : "") }

  /// `Source.Address`
  package var qualifiedName: String { "\(section.rawValue).\(name)" }
}

extension SettingKey {
  /// Sets the field to a value; a list gets the value's words added, or becomes empty by an empty
  /// value, while another empty value brings the default back.
  func apply(_ text: String, to settings: inout Settings) throws(SettingValue.Fault) {
    let withoutTabs = text.utf8.filter { $0 != UInt8(ascii: "\t") }
    if ControlCharacter.isIn(withoutTabs.span) {
      throw SettingValue.Fault("holds a control character (remove it)")
    }
    if case .patterns(let field) = kind { return try add(text, to: field, of: &settings) }
    if case .names(let field) = kind { return try add(text, to: field, of: &settings) }
    try set(text.isEmpty ? defaultText : text, of: &settings)
  }

  /// Makes a list empty, as before its first assignment; another field stays.
  func clearList(of settings: inout Settings) {
    switch kind {
    case .patterns(let field), .names(let field): settings[keyPath: field] = []
    default: break
    }
  }

  func isEqual(_ a: Settings, _ b: Settings) -> Bool {
    switch kind {
    case .flag(let field): a[keyPath: field] == b[keyPath: field]
    case .distance(let field, _, _), .speed(let field, _, _):
      a[keyPath: field] == b[keyPath: field]
    case .duration(let field, _, _), .bytes(let field, _, _), .step(let field):
      a[keyPath: field] == b[keyPath: field]
    case .count(let field, _, _): a[keyPath: field] == b[keyPath: field]
    case .source(let field): a[keyPath: field] == b[keyPath: field]
    case .address(let field): a[keyPath: field] == b[keyPath: field]
    case .device(let field): a[keyPath: field] == b[keyPath: field]
    case .path(let field): a[keyPath: field] == b[keyPath: field]
    case .patterns(let field), .names(let field): a[keyPath: field] == b[keyPath: field]
    }
  }

  private func add(_ text: String, to field: Field<[String]>, of settings: inout Settings)
    throws(SettingValue.Fault)
  {
    guard !text.isEmpty else {
      settings[keyPath: field] = []
      return
    }
    for word in try SettingValue.words(text) {
      if case .patterns = kind { _ = try SettingValue.path(word, example: defaultText) }
      settings[keyPath: field].append(word)
    }
  }

  private func set(_ text: String, of settings: inout Settings) throws(SettingValue.Fault) {
    switch kind {
    case .flag(let field): settings[keyPath: field] = try SettingValue.flag(text)
    case .distance(let field, let range, let allowed):
      let metres = try SettingValue.distance(text, example: defaultText)
      settings[keyPath: field] = try within(metres, range, allowed, text)
    case .speed(let field, let range, let allowed):
      let speed = try SettingValue.speed(text, example: defaultText)
      settings[keyPath: field] = try within(speed, range, allowed, text)
    case .duration(let field, let range, let allowed):
      let span = try SettingValue.milliseconds(text, example: defaultText)
      let bounds = Double(range.lowerBound)...Double(range.upperBound)
      settings[keyPath: field] = Int64(try within(span, bounds, allowed, text).rounded())
    case .step(let field): settings[keyPath: field] = try SettingValue.step(text)
    case .bytes(let field, let range, let allowed):
      let size = try SettingValue.bytes(text, example: defaultText)
      let bounds = Double(range.lowerBound)...Double(range.upperBound)
      settings[keyPath: field] = Int64(try within(size, bounds, allowed, text).rounded())
    case .count(let field, let range, let allowed):
      guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }) else {
        throw SettingValue.Fault("\"\(text)\" is not a whole number (use \(defaultText))")
      }
      settings[keyPath: field] = try within(Int(text) ?? .max, range, allowed, text)
    case .source(let field):
      guard let kind = Settings.Source.Kind(rawValue: text.lowercased()) else {
        throw SettingValue.Fault("\"\(text)\" is not a source (use gpsd or fifo)")
      }
      settings[keyPath: field] = kind
    case .address(let field):
      guard let address = SourceAddress(text) else {
        throw SettingValue.Fault(
          "\"\(text)\" is not host:port (use 127.0.0.1:2947 or [::1]:2947)")
      }
      settings[keyPath: field] = address
    case .device(let field): settings[keyPath: field] = text.isEmpty ? nil : text
    case .path(let field):
      settings[keyPath: field] = try SettingValue.path(text, example: defaultText)
    case .patterns, .names: break
    }
  }

  private func within<Number: Comparable>(
    _ number: Number, _ range: ClosedRange<Number>, _ allowed: String, _ text: String
  ) throws(SettingValue.Fault) -> Number {
    guard range.contains(number) else {
      throw SettingValue.Fault("\"\(text)\" is out of range (use \(allowed))")
    }
    return number
  }
}
