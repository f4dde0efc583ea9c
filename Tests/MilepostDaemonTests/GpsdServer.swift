import Glibc
import SystemdKit
import Testing

@testable import MilepostDaemon

/// A TCP server of our own on the test's loop, in a gpsd's stead.
final class GpsdServer {
  let port: UInt16
  /// What has connected, in order; nil once closed by us.
  private(set) var clients: [GpsdClient?] = []
  private let loop: EventLoop
  private let listener: FileDescriptor
  private var source: IOSource?
  /// What each new client is told at once.
  var greeting: [String] = []

  /// Listens on 127.0.0.1 or another loopback address; port 0 is any.
  init(loop: EventLoop, host: String = "127.0.0.1", port: UInt16 = 0) throws {
    self.loop = loop
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let raw = try retryingInterrupts("socket", on: "server") { socket(AF_INET, kind, 0) }
    listener = FileDescriptor(owning: raw)
    var yes: Int32 = 1
    setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let address = try #require(SocketAddress(numeric: host, port: port))
    _ = try retryingInterrupts("bind", on: "server") { address.withSockaddr { bind(raw, $0, $1) } }
    _ = try retryingInterrupts("listen", on: "server") { listen(raw, 8) }
    self.port = try Self.port(of: raw)
    source = try loop.addIO(raw, .readable) { [weak self] _ in self?.accept() }
  }

  deinit { source?.cancel() }

  /// The client that is connected now.
  var client: GpsdClient? { clients.last ?? nil }

  /// Closes the newest client's connection, unsent bytes going out first where they fit.
  func hangUp() { if !clients.isEmpty { clients[clients.count - 1] = nil } }

  private func accept() {
    let raw = Glibc.accept(listener.rawValue, nil, nil)
    guard raw >= 0, let client = try? GpsdClient(FileDescriptor(owning: raw), loop) else { return }
    clients.append(client)
    for line in greeting { client.send(line + "\r\n") }
  }

  /// A port that was free a moment ago.
  static func freePort(kind: __socket_type = SOCK_STREAM) throws -> UInt16 {
    let raw = try retryingInterrupts("socket", on: "port") {
      socket(AF_INET, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }
    let descriptor = FileDescriptor(owning: raw)
    let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
    let bound = descriptor.rawValue
    _ = try retryingInterrupts("bind", on: "port") { address.withSockaddr { bind(bound, $0, $1) } }
    return try port(of: bound)
  }

  private static func port(of socket: Int32) throws -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = try retryingInterrupts("getsockname", on: "server") {
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}

/// One connection of a ``GpsdServer``.
final class GpsdClient {
  private let descriptor: FileDescriptor
  private var source: IOSource?
  private var unsent: [UInt8] = []
  /// What it has asked so far.
  private(set) var asked = ""
  private(set) var hasLeft = false

  init(_ descriptor: consuming FileDescriptor, _ loop: EventLoop) throws {
    self.descriptor = descriptor
    try self.descriptor.setNonBlocking()
    source = try loop.addIO(self.descriptor.rawValue, .readable) { [weak self] in self?.ready($0) }
  }

  deinit { source?.cancel() }

  var isSent: Bool { unsent.isEmpty }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    unsent += bytes
    flush()
  }

  private func ready(_ events: IOEvents) {
    if events.contains(.writable) { flush() }
    guard events != .writable else { return }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let raw = descriptor.rawValue
    let count = buffer.withUnsafeMutableBytes { Glibc.read(raw, $0.baseAddress, $0.count) }
    if count > 0 {
      asked += String(decoding: buffer.prefix(count), as: UTF8.self)
    } else if count == 0 || errno != EAGAIN {
      hasLeft = true
      source?.cancel()
    }
  }

  private func flush() {
    let raw = descriptor.rawValue
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      unsent.removeFirst(count)
    }
    try? source?.watch(unsent.isEmpty ? .readable : [.readable, .writable])
  }
}
