internal import FixFormats
internal import Glibc
package import Milepost
package import SystemdKit

/// Fixes from a gpsd over TCP.
///
/// ``start()`` succeeds without a gpsd, which may come later. All resolved addresses are tried in turn.
package final class GpsdSource: FixSource {
  package var onFix: ((Fix, Receipt) -> Void)?
  package var onStateChange: ((SourceStateChange) -> Void)?
  package private(set) var counters = SourceCounters()
  package let name: String

  private let endpoint: GpsdEndpoint
  private let loop: EventLoop
  private let resolver: any AddressResolver
  private var session: GpsdSession
  private var decoder = TPVDecoder()
  private var framer = LineFramer()
  private var addresses: [SocketAddress] = []
  private var connection: TCPConnection?
  private var timer: TimerSource?
  private var armedFor: Int64?

  /// A source not yet started; `seed` is of the jitter in the waits between attempts.
  package convenience init(
    loop: EventLoop, endpoint: GpsdEndpoint, timing: GpsdSession.Timing = .init(),
    seed: UInt64 = .random(in: 0 ... .max)
  ) {
    self.init(
      loop: loop, endpoint: endpoint, timing: timing, seed: seed,
      resolver: HostResolver(loop: loop))
  }

  init(
    loop: EventLoop, endpoint: GpsdEndpoint, timing: GpsdSession.Timing, seed: UInt64,
    resolver: any AddressResolver
  ) {
    self.loop = loop
    self.endpoint = endpoint
    name = "gpsd \(endpoint)"
    self.resolver = resolver
    session = GpsdSession(endpoint: endpoint.description, timing: timing, seed: seed)
  }

  package var state: SourceState { session.state(at: Clock.bootTimeMS) }

  package func start() throws(SourceError) {
    do throws(SystemError) {
      timer = try loop.addTimer { [weak self] in self?.tick() }
    } catch {
      throw SourceError("\(name): \(error)")
    }
    perform(session.start(at: Clock.bootTimeMS))
  }

  package func stop() {
    perform(session.stop())
    timer?.cancel()
    timer = nil
  }

  package func setMaxGap(_ maxGap: Int64) {
    perform(session.setMaxGap(maxGap, at: Clock.bootTimeMS))
  }

  package func noteUsableFix() { perform(session.usableFix(at: Clock.bootTimeMS)) }

  package func deviceID(named name: String) -> DeviceID { decoder.id(ofDevice: name) }

  package func deviceName(of id: DeviceID) -> String? { decoder.devices.name(of: id) }

  private func tick() {
    armedFor = nil
    perform(session.tick(at: Clock.bootTimeMS))
  }

  private func perform(_ actions: [GpsdSession.Action]) {
    for action in actions {
      switch action {
      case .resolve: resolve()
      case .connect(let index):
        if addresses.indices.contains(index) { connect(to: addresses[index]) }
      case .send(let text): connection?.send(text)
      case .close: close()
      case .announce(let change): onStateChange?(change)
      }
    }
    armTimer()
  }

  /// A timer that fires early does no harm: it is set anew only where it would be late.
  private func armTimer() {
    guard let timer, let next = session.nextDeadline(after: Clock.bootTimeMS) else { return }
    if let armedFor, armedFor <= next { return }
    armedFor = next
    // Fails for want of memory only.
    try? timer.arm(atMS: next)
  }
}

// MARK: Connection

extension GpsdSource {
  private func resolve() {
    resolver.resolve(endpoint) { [weak self] addresses, reason in
      guard let self else { return }
      self.addresses = addresses
      let now = Clock.bootTimeMS
      guard addresses.isEmpty else { return perform(session.resolved(addresses.count, at: now)) }
      fail(reason)
    }
  }

  private func connect(to address: SocketAddress) {
    close()
    let callbacks = TCPConnection.Callbacks(
      connected: { [weak self] in self?.connected() },
      received: { [weak self] in self?.received($0) },
      failed: { [weak self] in self?.ended($0, address) })
    do throws(SystemError) {
      connection = try TCPConnection(to: address, loop: loop, callbacks: callbacks)
    } catch {
      ended(SystemError.text(of: error.code), address)
    }
  }

  private func close() {
    resolver.cancel()
    connection?.cancel()
    connection = nil
    framer.reset()
  }

  private func connected() {
    counters.connections += 1
    perform(session.connected(at: Clock.bootTimeMS))
  }

  private func ended(_ reason: String, _ address: SocketAddress) {
    close()
    fail(address.host == endpoint.host ? reason : "\(address.host): \(reason)")
  }

  private func fail(_ reason: String) {
    counters.failures += 1
    perform(session.failed(reason, at: Clock.bootTimeMS))
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    let receipt = Receipt(
      wall: Timestamp(milliseconds: Clock.realTimeMS), boot: Clock.bootTimeMS)
    let current = connection
    // Out of `self` while it hands on lines, as their readers may look at or stop this source.
    var framer = self.framer
    self.framer = LineFramer()
    let overlong = framer.overlong
    framer.append(bytes) { line in
      if connection === current { take(line, receipt) }
    }
    counters.overlong += framer.overlong - overlong
    if connection === current { self.framer = framer }
    armTimer()
  }

  private func take(_ line: UnsafeRawBufferPointer, _ receipt: Receipt) {
    counters.lines += 1
    let report = decoder.decode(line)
    if case .malformed = report { counters.malformed += 1 }
    let actions = session.received(report, at: receipt.boot)
    if !actions.isEmpty { perform(actions) }
    guard case .tpv(let fix) = report else { return }
    counters.fixes += 1
    onFix?(fix, receipt)
  }
}
