import Glibc

@testable import SystemdKit

/// A datagram socket bound to a path, as journald and the service manager have.
final class DatagramSocket {
  private let descriptor: FileDescriptor
  private let path: String

  init(boundTo path: String) throws {
    let raw = try retryingInterrupts("socket", on: path) {
      socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    descriptor = FileDescriptor(owning: raw)
    self.path = path
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    _ = try retryingInterrupts("bind", on: path) {
      withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
    try descriptor.setNonBlocking()
  }

  deinit { unlink(path) }

  /// The next datagram, nil where there is none. Unix datagrams arrive before send returns.
  func receive() throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }
    return count.map { Array(buffer.prefix($0)) }
  }
}

/// Reads a descriptor to its end.
func readAll(_ descriptor: borrowing FileDescriptor) throws -> [UInt8] {
  var all: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4_096)
  while true {
    let count = try buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) } ?? 0
    if count == 0 { return all }
    all += buffer.prefix(count)
  }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
