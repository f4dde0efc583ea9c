/// Writes one JSON object in a line, keys in the order of the calls.
package struct JSONText {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() { bytes.reserveCapacity(512) }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func object(_ key: String? = nil, _ members: (inout JSONText) -> Void) {
    if let key { begin(key) }
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    members(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  package mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    begin(key)
    quote(value)
  }

  package mutating func member(_ key: String, _ value: Bool) { raw(key, value ? "true" : "false") }

  package mutating func member(_ key: String, _ value: Int64) {
    begin(key)
    bytes.append(fraction: value, divisor: 1)
  }

  /// Rounded to `places` decimals; absent where nil or not finite.
  package mutating func member(_ key: String, _ value: Double?, places: Int) {
    guard let value, value.isFinite else { return }
    begin(key)
    bytes.append(value, places: places)
  }

  /// Milliseconds as seconds, exact.
  package mutating func member(_ key: String, milliseconds: Int64?) {
    guard let milliseconds else { return }
    begin(key)
    bytes.append(fraction: milliseconds, divisor: 1_000)
  }

  /// ISO 8601, as ``Timestamp/description``.
  package mutating func member(_ key: String, _ time: Timestamp) {
    begin(key)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(time)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A value that is JSON already.
  package mutating func raw(_ key: String, _ value: String) {
    begin(key)
    bytes.append(contentsOf: value.utf8)
  }

  /// Keys are the program's own and need no escapes.
  private mutating func begin(_ key: String) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: key.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Source: RFC 8259, section 7.
  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.contains(where: Self.needsEscape) {
      for byte in text.utf8 { escape(byte) }
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    case _ where Self.needsEscape(byte):
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }
}
