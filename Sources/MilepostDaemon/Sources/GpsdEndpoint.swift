/// Where a gpsd listens: a host's name or numeric address, and a port.
package struct GpsdEndpoint: Equatable, Sendable, CustomStringConvertible {
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16 = 2947) {
    self.host = host
    self.port = port
  }

  /// `[::1]:2947` where the host has colons.
  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
