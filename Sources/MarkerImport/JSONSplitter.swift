/// Finds the objects of a JSON text one after another, however long the text: each element of a
/// top-level array or of a top-level `features` or `waypoints`, else each top-level object (JSON
/// lines, RFC 8142 sequences).
///
/// Only brackets and strings are seen here; each object is judged when it is decoded.
struct JSONSplitter {
  enum Found {
    case object(Range<Int>)
    case needsMore
    /// The text closes what it did not open.
    case broken
  }

  private static let lists: Set<String> = ["features", "waypoints"]

  /// Where in the window the scan goes on.
  private(set) var position: Int
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var stringStart = 0
  /// The string read last directly within a top-level object.
  private var key = ""
  /// Objects at this depth are the records; nil: those of depth 0.
  private var elementDepth: Int?
  private var objectStart: Int?
  /// The top-level object had its list, and is no record itself.
  private var isContainer = false
  private(set) var newlines = 0
  /// The line on which the object found last began.
  private(set) var objectLine = 1

  init(position: Int) { self.position = position }

  /// Nothing is open.
  var isComplete: Bool { depth == 0 && !isInString }

  /// How far back the window is still needed.
  var keptFrom: Int { min(objectStart ?? position, isInString ? stringStart : position) }

  mutating func dropPrefix(_ count: Int) {
    position -= count
    stringStart -= count
    if let start = objectStart { objectStart = start - count }
  }

  /// Gives up the object that has begun: too long.
  mutating func forgetObject() {
    objectStart = nil
    if isInString { stringStart = position }
  }

  mutating func next(in bytes: [UInt8]) -> Found {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == 10 { newlines += 1 }
      if isInString {
        string(byte, bytes)
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        isInString = true
        stringStart = position
      case UInt8(ascii: "{"):
        if depth == elementDepth ?? 0, !isContainer || depth > 0 { begin() }
        depth += 1
      case UInt8(ascii: "["):
        openList()
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return .broken }
        depth -= 1
        if let range = close(byte) { return .object(range) }
      default: break
      }
    }
    return .needsMore
  }

  private mutating func begin() {
    objectStart = position - 1
    objectLine = newlines + 1
  }

  private mutating func string(_ byte: UInt8, _ bytes: [UInt8]) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      guard depth == 1, elementDepth == nil, position - stringStart <= 64 else { return }
      key = String(decoding: bytes[stringStart..<position - 1], as: UTF8.self)
    }
  }

  private mutating func openList() {
    if depth == 0 {
      elementDepth = 1
    } else if depth == 1, elementDepth == nil, Self.lists.contains(key) {
      elementDepth = 2
      isContainer = true
      objectStart = nil
    }
  }

  private mutating func close(_ byte: UInt8) -> Range<Int>? {
    if depth == 0 {
      defer {
        elementDepth = nil
        isContainer = false
        key = ""
        objectStart = nil
      }
      guard byte == UInt8(ascii: "}"), !isContainer else { return nil }
      return objectStart.map { $0..<position }
    }
    guard depth == elementDepth, byte == UInt8(ascii: "}") else {
      if let elementDepth, depth == elementDepth - 1 { self.elementDepth = -1 }
      return nil
    }
    defer { objectStart = nil }
    return objectStart.map { $0..<position }
  }
}
