/// Finds the records of a JSON text one after another, however long the text: each element of a
/// top-level array or of a top-level `features` or `waypoints`, else each top-level value (JSON lines,
/// RFC 8142 sequences).
///
/// Only brackets and strings are seen here; each object is judged when it is decoded.
struct JSONSplitter {
  enum Found {
    case object(Range<Int>)
    /// A record that cannot be used, and why.
    case unusable(String)
    case needsMore
    /// The text closes what it did not open.
    case broken
  }

  /// An object that is a record, and not closed yet.
  private struct Object {
    /// Nil where it is given up as too long.
    var start: Int?
    var line: Int
  }

  private static let lists: Set<String> = ["features", "waypoints"]
  /// No longer key is one of ``lists``.
  private static let keyLimit = 64
  /// Stands before each text of a sequence, and never within one.
  private static let recordSeparator: UInt8 = 0x1E

  /// Where in the window the scan goes on.
  private(set) var position: Int
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var stringStart = 0
  /// The string read last directly within a top-level object.
  private var key = ""
  /// Within a list the depth of its elements; -1 behind the list; nil outside of all.
  private var elementDepth: Int?
  private var object: Object?
  /// The line of a record that has begun and is no object.
  private var strayLine: Int?
  /// The top-level object had its list, and is no record itself.
  private var isContainer = false
  private(set) var newlines = 0
  /// The line on which the record found last began.
  private(set) var recordLine = 1

  init(position: Int) { self.position = position }

  /// Nothing is open.
  var isComplete: Bool { depth == 0 && !isInString }

  /// How far back the window is still needed.
  var keptFrom: Int { min(object?.start ?? position, isKey ? stringStart : position) }

  /// Within a string that may be the key of a list.
  private var isKey: Bool {
    isInString && isAtKeys && position - stringStart <= Self.keyLimit
  }

  /// Directly within a top-level object, outside of a list.
  private var isAtKeys: Bool { depth == 1 && (elementDepth ?? -1) < 0 }

  /// Records begin at this depth.
  private var recordDepth: Int { elementDepth ?? 0 }

  mutating func dropPrefix(_ count: Int) {
    position -= count
    stringStart -= count
    if let start = object?.start { object?.start = start - count }
  }

  /// Gives up the object that has begun: too long.
  mutating func forgetObject() { object?.start = nil }

  mutating func next(in bytes: [UInt8]) -> Found {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == Self.recordSeparator, let torn = tear() { return torn }
      if !isInString, endsStray(byte), let stray = takeStray() { return stray }
      position += 1
      if byte == 10 { newlines += 1 }
      if isInString {
        string(byte, bytes)
      } else if let found = structure(byte) {
        return found
      }
    }
    return .needsMore
  }

  /// A record that the text's end ends.
  mutating func takeStray() -> Found? {
    guard let line = strayLine else { return nil }
    strayLine = nil
    recordLine = line
    return .unusable("is no object")
  }

  /// A byte outside of strings.
  private mutating func structure(_ byte: UInt8) -> Found? {
    switch byte {
    case UInt8(ascii: "{"):
      if depth == recordDepth { object = Object(start: position - 1, line: newlines + 1) }
      depth += 1
    case UInt8(ascii: "["):
      openList()
      depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      guard depth > 0 else { return .broken }
      depth -= 1
      return close()
    case UInt8(ascii: "\""):
      noteStray()
      isInString = true
      stringStart = position
    case 9, 10, 13, 0x20, UInt8(ascii: ","), Self.recordSeparator: break
    default: noteStray()
    }
    return nil
  }

  private mutating func noteStray() {
    if depth == recordDepth, strayLine == nil { strayLine = newlines + 1 }
  }

  /// What no object can hold ends with its line, in a list with the comma or the list.
  private func endsStray(_ byte: UInt8) -> Bool {
    guard strayLine != nil, depth == recordDepth else { return false }
    if depth == 0 { return byte == 10 || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
    return [UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "]"), UInt8(ascii: "}")]
      .contains(byte)
  }

  private mutating func string(_ byte: UInt8, _ bytes: [UInt8]) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      let mayBeKey = isAtKeys && position - stringStart <= Self.keyLimit + 1
      isInString = false
      guard isAtKeys else { return }
      key = mayBeKey ? String(decoding: bytes[stringStart..<position - 1], as: UTF8.self) : ""
    }
  }

  private mutating func openList() {
    if depth == 0 {
      elementDepth = 1
    } else if isAtKeys, Self.lists.contains(key) {
      elementDepth = 2
      isContainer = true
      object = nil
    } else {
      noteStray()
    }
  }

  /// A bracket has been closed, whichever.
  private mutating func close() -> Found? {
    let record = depth == recordDepth ? object : nil
    if let elementDepth, depth == elementDepth - 1 { self.elementDepth = -1 }
    if depth == 0 { (elementDepth, isContainer, key) = (nil, false, "") }
    guard let record else { return nil }
    object = nil
    recordLine = record.line
    guard let start = record.start, position - start <= recordLimit else {
      return .unusable("is longer than 1 MiB")
    }
    return .object(start..<position)
  }

  /// At a record separator: what is open is cut off.
  private mutating func tear() -> Found? {
    guard depth > 0 || isInString else { return nil }
    let line = object?.line ?? strayLine
    (depth, isInString, isEscaped, key) = (0, false, false, "")
    (elementDepth, object, strayLine, isContainer) = (nil, nil, nil, false)
    guard let line else { return nil }
    recordLine = line
    return .unusable("is cut off")
  }
}
