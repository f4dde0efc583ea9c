/// A file's text as UTF-8, of which only a window is held.
package final class TextSource {
  package let bytes: ByteSource
  private var encoding: TextEncoding
  /// The window.
  private(set) var window: [UInt8] = []
  /// Where in ``window`` the part not yet used begins.
  var position = 0
  private(set) var isAtEnd = false

  var name: String { bytes.name }

  /// `encoding` nil is UTF-8, or UTF-16 or what an XML declaration names, where the file begins so.
  package init(_ bytes: ByteSource, encoding: String?) throws(ImportFault) {
    self.bytes = bytes
    var first = try bytes.chunk()
    while first.count < Self.headSize, case let more = try bytes.chunk(), !more.isEmpty {
      first += more
    }
    if let advice = Self.archives.first(where: { first.starts(with: $0.start) })?.advice {
      throw ImportFault(.data, "\(bytes.name): \(advice)")
    }
    self.encoding = try TextEncoding(encoding ?? Self.detected(first) ?? "utf-8")
    try append(first)
    if window.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// So much is looked at to tell encoding, format and delimiter.
  private static let headSize = 4_096

  private static let archives: [(start: [UInt8], advice: String)] = [
    (
      [0x50, 0x4B, 3, 4],
      "is a ZIP archive, or KMZ (unzip it, with -O cp950 where names are Chinese)"
    ),
    ([0x1F, 0x8B], "is compressed (pipe it through gzip -dc)"),
  ]

  private static func detected(_ start: [UInt8]) -> String? {
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    let head = String(decoding: start.prefix(200), as: UTF8.self)
    guard let declaration = head.firstRange(of: "<?xml"),
      let end = head[declaration.upperBound...].firstRange(of: "?>"),
      let key = head[declaration.upperBound..<end.lowerBound].firstRange(of: "encoding=")
    else { return nil }
    let quoted = head[key.upperBound..<end.lowerBound]
    guard let quote = quoted.first else { return nil }
    return String(quoted.dropFirst().prefix { $0 != quote })
  }

  /// Reads more into the window, having dropped what is used; false at the file's end.
  func refill() throws(ImportFault) -> Bool {
    guard !isAtEnd else { return false }
    if position > 0 {
      window.removeSubrange(..<position)
      position = 0
    }
    try append(try bytes.chunk())
    return !isAtEnd
  }

  private func append(_ chunk: [UInt8]) throws(ImportFault) {
    try encoding.decode(chunk, into: &window, file: name)
    isAtEnd = chunk.isEmpty
  }
}
