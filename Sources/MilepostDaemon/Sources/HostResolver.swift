internal import Glibc
internal import SystemdKit

/// Finds the addresses of a host.
protocol AddressResolver: AnyObject {
  /// Calls `done` once, perhaps before it returns: with the addresses, or none and the reason.
  func resolve(
    _ endpoint: GpsdEndpoint,
    done: @escaping (_ addresses: [SocketAddress], _ reason: String) -> Void)
  /// Forgets what is being looked up.
  func cancel()
}

/// Finds the addresses of a host without ever blocking the loop.
///
/// A numeric address is read at once. A name is given to getent(1), which asks the very getaddrinfo(3)
/// and nsswitch.conf(5) that we would, but in a process of its own: a name server that does not
/// answer holds up nothing but that.
final class HostResolver: AddressResolver {
  private let loop: EventLoop
  private var lookup: Lookup?
  /// Those that run or wait to be reaped.
  private var children: [Int32: ChildSource] = [:]

  init(loop: EventLoop) { self.loop = loop }

  deinit { cancel() }

  func resolve(
    _ endpoint: GpsdEndpoint,
    done: @escaping (_ addresses: [SocketAddress], _ reason: String) -> Void
  ) {
    cancel()
    if let address = SocketAddress(numeric: endpoint.host, port: endpoint.port) {
      return done([address], "")
    }
    do throws(SystemError) {
      try start(endpoint, done)
    } catch {
      done([], "its name cannot be resolved: \(error)")
    }
  }

  func cancel() {
    lookup?.source?.cancel()
    lookup = nil
    for child in children.values { child.signalGroup(SIGKILL) }
  }

  private func start(
    _ endpoint: GpsdEndpoint, _ done: @escaping ([SocketAddress], String) -> Void
  ) throws(SystemError) {
    let pipe = try Pipe()
    let null = try FileDescriptor.open("/dev/null", O_RDWR)
    let spawn = Spawn(
      executable: "/usr/bin/getent", arguments: ["getent", "ahosts", "--", endpoint.host],
      environment: [])
    let child = try spawn.start(input: null, output: pipe.writeEnd, error: null)
    let pid = child.pid
    children[pid] = try loop.addChild(child) { [weak self] _ in self?.children[pid] = nil }
    let lookup = Lookup(endpoint: endpoint, output: pipe.takeReadEnd(), done: done)
    try lookup.output.setNonBlocking()
    lookup.source = try loop.addIO(lookup.output.rawValue, .readable) { [weak self] _ in
      self?.readOutput()
    }
    self.lookup = lookup
  }

  private func readOutput() {
    guard let lookup, lookup.read() else { return }
    lookup.source?.cancel()
    self.lookup = nil
    let addresses = lookup.addresses
    let reason = addresses.isEmpty ? "no address is known for \"\(lookup.endpoint.host)\"" : ""
    lookup.done(addresses, reason)
  }
}

/// One run of getent(1).
private final class Lookup {
  let endpoint: GpsdEndpoint
  let output: FileDescriptor
  let done: ([SocketAddress], String) -> Void
  var source: IOSource?
  private var text: [UInt8] = []
  private static let longest = 65_536

  init(
    endpoint: GpsdEndpoint, output: consuming FileDescriptor,
    done: @escaping ([SocketAddress], String) -> Void
  ) {
    self.endpoint = endpoint
    self.output = output
    self.done = done
  }

  deinit { source?.cancel() }

  /// Reads once; true at the end.
  func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let result = buffer.withUnsafeMutableBytes { bytes in
      Result { () throws(SystemError) in try output.read(into: bytes, subject: "getent") }
    }
    guard case .success(let read) = result else { return true }
    guard let count = read else { return false }
    text += buffer.prefix(count)
    return count == 0 || text.count > Self.longest
  }

  /// Of lines like `127.0.0.1       STREAM localhost`, in the order given, each once.
  var addresses: [SocketAddress] {
    var addresses: [SocketAddress] = []
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count >= 2, words[1] == "STREAM",
        let address = SocketAddress(numeric: String(words[0]), port: endpoint.port),
        !addresses.contains(address)
      else { continue }
      addresses.append(address)
    }
    return addresses
  }
}
