internal import Glibc

/// A TCP address of IPv4 or IPv6, as connect(2) takes it.
struct SocketAddress: Equatable, Sendable {
  let family: Int32
  /// `127.0.0.1`, `::1`.
  let host: String
  private let bytes: [UInt8]

  /// Reads a numeric address, by getaddrinfo(3) with AI_NUMERICHOST, which never asks a name server.
  /// Nil for a name.
  init?(numeric host: String, port: UInt16) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    guard let first = list?.pointee, let address = first.ai_addr else { return nil }
    family = first.ai_family
    self.host = host
    bytes = [UInt8](UnsafeRawBufferPointer(start: address, count: Int(first.ai_addrlen)))
  }

  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes.prefix($0.count)) }
    return withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
    }
  }
}
