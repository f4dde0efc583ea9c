/// Where gpsd listens: `127.0.0.1:2947`, `gps.local:2947`, `[::1]:2947`.
package struct SourceAddress: Hashable, Sendable {
  /// gpsd's port, registered with IANA.
  package static let defaultPort: UInt16 = 2947

  /// A name or a numeric address, an IPv6 one without brackets.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16 = Self.defaultPort) {
    self.host = host
    self.port = port
  }

  /// Nil where `text` is no `host`, `host:port`, `[IPv6]` or `[IPv6]:port`; ports 1 to 65535.
  package init?(_ text: String) {
    let host: Substring
    var rest: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      rest = text[text.index(after: end)...]
      guard host.prefix(while: { $0.isHexDigit || $0 == ":" }).contains(":") else { return nil }
    } else {
      host = text.prefix { $0 != ":" }
      rest = text[host.endIndex...]
    }
    guard !host.isEmpty, host.utf8.count <= 253,
      host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") })
    else { return nil }
    self.host = String(host)
    port = Self.defaultPort
    guard !rest.isEmpty else { return }
    guard rest.removeFirst() == ":", rest.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = UInt16(rest), number > 0
    else { return nil }
    port = number
  }
}

extension SourceAddress: CustomStringConvertible {
  package var description: String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
