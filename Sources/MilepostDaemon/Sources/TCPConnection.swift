internal import Glibc
internal import SystemdKit

/// One TCP connection to be made, made, and read; it never blocks.
///
/// Of its callbacks the last is `failed`, when the connection could not be made or has ended. After
/// ``cancel()`` there are none.
final class TCPConnection {
  struct Callbacks {
    var connected: () -> Void
    /// The bytes are valid during the call only.
    var received: (UnsafeRawBufferPointer) -> Void
    var failed: (_ reason: String) -> Void
  }

  /// A flood must leave timers and signals their turn: sd-event serves sources of one priority in turn,
  /// and none below while a more important one is ready.
  private static let readsPerTurn = 4
  private static let bufferSize = 65_536

  private let socket: FileDescriptor
  private let buffer: UnsafeMutableRawBufferPointer
  private var source: IOSource?
  private var callbacks: Callbacks?
  private var isConnected = false

  /// Begins to connect, by connect(2).
  init(to address: SocketAddress, loop: EventLoop, callbacks: Callbacks) throws(SystemError) {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let raw = try retryingInterrupts("socket", on: address.host) {
      Glibc.socket(address.family, kind, 0)
    }
    let socket = FileDescriptor(owning: raw)
    try Self.keepAlive(raw, on: address.host)
    do throws(SystemError) {
      _ = try retryingInterrupts("connect", on: address.host) {
        address.withSockaddr { connect(raw, $0, $1) }
      }
    } catch  where error.code == EINPROGRESS || error.code == EALREADY {
      // Goes on in the background, and is writable when it is decided.
    }
    self.socket = socket
    self.callbacks = callbacks
    buffer = .allocate(byteCount: Self.bufferSize, alignment: 16)
    source = try loop.addIO(raw, .writable) { [weak self] _ in self?.ready() }
  }

  deinit {
    cancel()
    buffer.deallocate()
  }

  func cancel() {
    source?.cancel()
    source = nil
    callbacks = nil
  }

  /// Sends it whole or fails: a request of few bytes on a connection just made always fits.
  func send(_ text: String) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(SystemError) in
        try socket.write(UnsafeRawBufferPointer(bytes), subject: "gpsd")
      }
    }
    switch result {
    case .success(let count): if count != text.utf8.count { fail("it does not take a request") }
    case .failure(let error): fail(SystemError.text(of: error.code))
    }
  }

  private func ready() {
    if isConnected { read() } else { finishConnecting() }
  }

  private func finishConnecting() {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(socket.rawValue, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0 else {
      return fail(SystemError.text(of: code))
    }
    do throws(SystemError) {
      try source?.watch(.readable)
    } catch {
      return fail(SystemError.text(of: error.code))
    }
    isConnected = true
    callbacks?.connected()
  }

  private func read() {
    for _ in 0..<Self.readsPerTurn where source != nil {
      do throws(SystemError) {
        guard let count = try socket.read(into: buffer, subject: "gpsd") else { return }
        guard count > 0 else { return fail("the connection was closed") }
        callbacks?.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        if count < buffer.count { return }
      } catch {
        return fail(SystemError.text(of: error.code))
      }
    }
  }

  private func fail(_ reason: String) {
    let failed = callbacks?.failed
    cancel()
    failed?(reason)
  }

  /// Finds out about a host that has gone without a word, by SO_KEEPALIVE.
  private static func keepAlive(_ socket: Int32, on host: String) throws(SystemError) {
    var yes: Int32 = 1
    _ = try retryingInterrupts("setsockopt", on: host) {
      setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}
