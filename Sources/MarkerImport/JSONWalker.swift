/// Walks one JSON value strictly (RFC 8259).
struct JSONWalker {
  struct Fault: Error {}

  /// Objects and arrays within one another.
  static let maximumDepth = 64

  let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    position += 1
    return true
  }

  mutating func expect(_ byte: UInt8) throws(Fault) {
    guard take(byte) else { throw Fault() }
  }

  /// Calls `member` at the value of each member.
  mutating func object(_ member: (String, inout JSONWalker) throws(Fault) -> Void) throws(Fault) {
    try expect(UInt8(ascii: "{"))
    if take(UInt8(ascii: "}")) { return }
    repeat {
      skipSpace()
      let key = try string()
      try expect(UInt8(ascii: ":"))
      skipSpace()
      try member(String(decoding: key, as: UTF8.self), &self)
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }

  /// Calls `element` at each element.
  mutating func array(_ element: (inout JSONWalker) throws(Fault) -> Void) throws(Fault) {
    try expect(UInt8(ascii: "["))
    if take(UInt8(ascii: "]")) { return }
    repeat {
      skipSpace()
      try element(&self)
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
  }

  /// A string, number, `true` or `false` as text; nil for anything else, which is stepped over.
  mutating func scalar(depth: Int = 0) throws(Fault) -> [UInt8]? {
    skipSpace()
    switch next {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < Self.maximumDepth else { throw Fault() }
      if next == UInt8(ascii: "{") {
        try object { (_, walker) throws(Fault) in _ = try walker.scalar(depth: depth + 1) }
      } else {
        try array { (walker) throws(Fault) in _ = try walker.scalar(depth: depth + 1) }
      }
      return nil
    default:
      let text = Array(
        bytes[position...].prefix { $0 > 0x20 && $0 != 0x2C && $0 != 0x5D && $0 != 0x7D })
      position += text.count
      if text.elementsEqual("null".utf8) { return nil }
      guard
        text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) || Self.isNumber(text)
      else { throw Fault() }
      return text
    }
  }

  private static func isNumber(_ text: [UInt8]) -> Bool {
    var rest = text[...]
    func digits() -> Int {
      let count = rest.prefix { $0 &- 0x30 < 10 }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let leading = rest.first
    let whole = digits()
    guard whole == 1 || whole > 1 && leading != UInt8(ascii: "0") else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard digits() > 0 else { return false }
    }
    if let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == 0x2B || sign == 0x2D { rest = rest.dropFirst() }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}

extension JSONWalker {
  private mutating func string() throws(Fault) -> [UInt8] {
    guard next == UInt8(ascii: "\"") else { throw Fault() }
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw Fault()
      default: text.append(byte)
      }
    }
    throw Fault()
  }

  private mutating func escape(into text: inout [UInt8]) throws(Fault) {
    guard let byte = next else { throw Fault() }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(10)
    case UInt8(ascii: "t"): text.append(9)
    case UInt8(ascii: "r"): text.append(13)
    case UInt8(ascii: "b"): text.append(8)
    case UInt8(ascii: "f"): text.append(12)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"):
      guard let scalar = Unicode.Scalar(try codePoint()) else { throw Fault() }
      text.append(contentsOf: String(Character(scalar)).utf8)
    default: throw Fault()
    }
  }

  /// The rest of `\u00E9`, with the second half of a pair.
  private mutating func codePoint() throws(Fault) -> UInt32 {
    let high = try fourDigits()
    guard 0xD800..<0xDC00 ~= high else { return high }
    guard next == UInt8(ascii: "\\") else { throw Fault() }
    position += 1
    guard next == UInt8(ascii: "u") else { throw Fault() }
    position += 1
    let low = try fourDigits()
    guard 0xDC00..<0xE000 ~= low else { throw Fault() }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  private mutating func fourDigits() throws(Fault) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw Fault() }
    position += 4
    return value
  }
}
