import Glibc
import SystemdKit
import Testing
import TestSupport

/// A gpsd of the test's own, fed by UDP.
final class GpsdUnderTest {
  static let path = "/usr/sbin/gpsd"

  let port: UInt16
  private let receiverPort: UInt16
  private let socket: FileDescriptor
  private var program: RunningProgram?

  init() throws {
    port = try Self.freePort(SOCK_STREAM)
    receiverPort = try Self.freePort(SOCK_DGRAM)
    socket = FileDescriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0))
    try start()
  }

  func start() throws {
    program = try RunningProgram(
      Self.path, ["-N", "-n", "-b", "-S", "\(port)", "udp://127.0.0.1:\(receiverPort)"])
    try wait(for: "gpsd on port \(port)") { self.isListening() }
  }

  /// As a crash ends it; by its process id.
  func kill() {
    program?.signal(SIGKILL)
    program = nil
  }

  /// Sends an epoch's sentences and gives gpsd the time to take them as one.
  func send(_ sentences: String) {
    var address = Self.address(receiverPort)
    let bytes = Array(sentences.utf8)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          socket.rawValue, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    usleep(15_000)
  }

  /// Waits until a connection from the daemon stands, as /proc/net/tcp shows it.
  func waitForClient() throws {
    let local = String(port, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: 4 - local.utf8.count) + local
    try wait(for: "a client of gpsd") {
      try TestData.lines(of: "/proc/net/tcp").contains { line in
        let fields = line.split(separator: " ")
        // State 01 is established, tx_queue:rx_queue follow; the client's end is asked.
        return fields.count > 3 && fields[2].hasSuffix(":\(padded)") && fields[3] == "01"
      }
    }
    usleep(500_000)
  }

  private func isListening() -> Bool {
    let probe = FileDescriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = Self.address(port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(probe.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func freePort(_ kind: __socket_type) throws -> UInt16 {
    let probe = FileDescriptor(owning: Glibc.socket(AF_INET, Int32(kind.rawValue), 0))
    var address = address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(probe.rawValue, $0, size) == 0 && getsockname(probe.rawValue, $0, &size) == 0
      }
    }
    try #require(isBound)
    return UInt16(bigEndian: address.sin_port)
  }
}

extension ToldEvent {
  /// Of the day, from `…T09:00:14.084Z`.
  var milliseconds: Int {
    let clock = time.split(separator: "T").last?.split(separator: "Z").first ?? ""
    let parts = clock.split(separator: ":").map { Double($0) ?? 0 }
    guard parts.count == 3 else { return -1 }
    return Int(((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1_000)
  }
}
