/// Where a gpsd listens: a host's name or numeric address, and a port.
package struct GpsdEndpoint: Equatable, Sendable, CustomStringConvertible {
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16 = 2947) {
    self.host = host
    self.port = port
  }

  /// Reads `127.0.0.1:2947`, `vehicle.lan`, `[::1]:2947` or `::1`; without a port it is gpsd's 2947.
  package init?(_ text: String) {
    let parts: (host: Substring, port: Substring?)
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      parts = (
        text[text.index(after: text.startIndex)..<end], rest.isEmpty ? nil : rest.dropFirst()
      )
    } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
      parts = (text[..<colon], text[text.index(after: colon)...])
    } else {
      parts = (text[...], nil)
    }
    guard !parts.host.isEmpty, !parts.host.contains(where: \.isWhitespace) else { return nil }
    host = String(parts.host)
    guard let port = parts.port else {
      port = 2947
      return
    }
    guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port),
      number > 0
    else { return nil }
    self.port = number
  }

  /// `[::1]:2947` where the host has colons.
  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
