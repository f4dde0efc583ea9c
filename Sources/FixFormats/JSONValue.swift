/// One JSON value held whole: for gpsd's rare reports, not for positions.
enum JSONValue {
  case object([(key: String, value: JSONValue)])
  case array([JSONValue])
  case string(String)
  case number(Double)
  /// `true`, `false`, `null`, NaN.
  case other

  /// Reads the value at `position`, and moves that past it; `depth` is that of the container it
  /// stands in.
  init(_ text: JSONText, at position: inout Int, depth: Int = 0) throws(LineProblem) {
    switch text.bytes[position] {
    case UInt8(ascii: "{"):
      var members: [(key: String, value: JSONValue)] = []
      try Self.list(text, at: &position, end: UInt8(ascii: "}"), depth: depth + 1) {
        position throws(LineProblem) in
        let key = try text.string(at: position)
        position = try text.colon(at: key.end)
        members.append((text.content(of: key), try Self(text, at: &position, depth: depth + 1)))
      }
      self = .object(members)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try Self.list(text, at: &position, end: UInt8(ascii: "]"), depth: depth + 1) {
        position throws(LineProblem) in
        elements.append(try Self(text, at: &position, depth: depth + 1))
      }
      self = .array(elements)
    default: self = try Self.scalar(text, at: &position, depth: depth)
    }
  }

  private static func scalar(
    _ text: JSONText, at position: inout Int, depth: Int
  ) throws(LineProblem) -> JSONValue {
    if text.isNumber(at: position) {
      let number = try Decimal.json(text, at: position)
      position = number.end
      return number.value.map(JSONValue.number) ?? .other
    }
    if text.bytes[position] == UInt8(ascii: "\"") {
      let string = try text.string(at: position)
      position = string.end
      return .string(text.content(of: string))
    }
    position = try text.value(at: position, depth: depth)
    return .other
  }

  private static func list(
    _ text: JSONText, at position: inout Int, end: UInt8, depth: Int,
    item: (inout Int) throws(LineProblem) -> Void
  ) throws(LineProblem) {
    guard depth <= JSONText.maximumDepth else { throw .tooDeep }
    position = text.space(at: position + 1)
    if text.bytes[position] != end {
      while true {
        try item(&position)
        position = text.space(at: position)
        if text.bytes[position] == end { break }
        position = text.space(at: try text.expect(UInt8(ascii: ","), at: position))
      }
    }
    position += 1
  }

  /// The last member of that name.
  subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// A whole number that an Int holds.
  var integer: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { nil }
  }

  var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }
}

extension JSONText {
  /// A string with its escapes resolved; lone surrogates become U+FFFD, as does bad UTF-8.
  func content(of raw: RawString) -> String {
    let bytes = bytes.slice(raw.range)
    if !raw.hasEscapes { return String(decoding: bytes, as: UTF8.self) }
    var text = ""
    var rest = bytes[...]
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      text += String(decoding: rest[..<backslash], as: UTF8.self)
      rest = rest[(backslash + 1)...]
      text.unicodeScalars.append(Self.escaped(&rest))
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private static func escaped(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Unicode.Scalar {
    switch rest.popFirst() {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return unicode(&rest)
    case let byte?: return Unicode.Scalar(byte)
    case nil: return "\u{FFFD}"
    }
  }

  private static func unicode(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Unicode.Scalar {
    let first = codeUnit(&rest)
    if UTF16.isLeadSurrogate(first), rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
      var following = rest.dropFirst(2)
      let second = codeUnit(&following)
      if UTF16.isTrailSurrogate(second) {
        rest = following
        let scalar = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        return Unicode.Scalar(scalar) ?? "\u{FFFD}"
      }
    }
    return Unicode.Scalar(UInt32(first)) ?? "\u{FFFD}"
  }

  private static func codeUnit(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = rest.popFirst().flatMap(hexValue) else { return 0xFFFD }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
