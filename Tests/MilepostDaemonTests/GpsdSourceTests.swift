import Glibc
import Milepost
import SystemdKit
import Testing

@testable import MilepostDaemon

/// A name server in memory.
private final class KnownAddresses: AddressResolver {
  private let hosts: [String]

  init(hosts: [String]) { self.hosts = hosts }

  func resolve(_ endpoint: GpsdEndpoint, done: @escaping ([SocketAddress], String) -> Void) {
    done(hosts.compactMap { SocketAddress(numeric: $0, port: endpoint.port) }, "")
  }

  func cancel() {}
}

struct GpsdSourceTests {
  /// Time-outs so short that a test need not wait long for them.
  static var hasty: GpsdSession.Timing {
    var timing = GpsdSession.Timing()
    timing.firstReport = 300
    timing.silence = 300
    timing.answer = 300
    timing.firstRetry = 20
    timing.longestRetry = 100
    return timing
  }

  /// Those that never run out within a test, but for the first wait.
  static var patient: GpsdSession.Timing {
    var timing = GpsdSession.Timing()
    timing.firstRetry = 20
    return timing
  }

  static let greeting = [Line.version, Line.devices]

  @Test func `a fix comes through, with its receipt and its receiver`() throws {
    let test = try SourceLoop()
    let server = try GpsdServer(loop: test.loop)
    server.greeting = Self.greeting + [Line.noFix, Line.fix(second: 7)]
    let source = GpsdSource(loop: test.loop, endpoint: .init(host: "127.0.0.1", port: server.port))
    let record = SourceRecord(source)
    try source.start()
    try test.wait(for: "two fixes") { record.fixes.count == 2 }
    #expect(record.fixes.map(\.mode) == [1, 3])
    #expect(
      record.fixes.last?.time
        == Timestamp(year: 2026, month: 11, day: 30, hour: 9, minute: 6, second: 7))
    #expect(record.fixes.last?.device == source.deviceID(named: "/dev/ttyGPS0"))
    #expect(record.fixes.last.flatMap { source.deviceName(of: $0.device) } == "/dev/ttyGPS0")
    try test.wait(for: "the subscription") { server.client?.asked == GpsdSession.watch }
    #expect(source.state == .fix)
    #expect(record.states == [.fix])
    #expect(source.counters.description == "lines 4, fixes 2, connections 1")
    source.stop()
    try test.wait(for: "the end of the connection") { server.client?.hasLeft == true }
  }

  @Test func `a gpsd that is not there yet is found when it comes`() throws {
    let test = try SourceLoop()
    let port = try GpsdServer.freePort()
    let source = GpsdSource(
      loop: test.loop, endpoint: .init(host: "127.0.0.1", port: port), timing: Self.patient)
    let record = SourceRecord(source)
    try source.start()
    try test.wait(for: "refusals") { source.counters.failures >= 3 }
    #expect(source.state == .unreachable)
    let server = try GpsdServer(loop: test.loop, port: port)
    server.greeting = Self.greeting + [Line.fix()]
    try test.wait(for: "a fix") { record.states.last == .fix }
    source.stop()
  }

  @Test func `a gpsd that ends in the midst of a line is reconnected, and the torn line forgotten`()
    throws
  {
    let test = try SourceLoop()
    let server = try GpsdServer(loop: test.loop)
    server.greeting = Self.greeting + [Line.fix()]
    let source = GpsdSource(
      loop: test.loop, endpoint: .init(host: "127.0.0.1", port: server.port), timing: Self.patient)
    let record = SourceRecord(source)
    try source.start()
    // A connection closed with something unread is reset.
    try test.wait(for: "a fix, and the subscription") {
      record.fixes.count == 1 && server.client?.asked.isEmpty == false
    }
    server.client?.send(String(Line.fix().prefix(40)))
    server.hangUp()
    try test.wait(for: "another fix") { record.fixes.count == 2 }
    #expect(record.states == [.fix, .unreachable, .fix])
    #expect(
      record.changes[1].message
        == "gpsd 127.0.0.1:\(server.port) lost: the connection was closed; reconnecting")
    #expect(source.counters.malformed == 0)
    source.stop()
  }

  @Test func `a server that accepts and says nothing is left and tried again`() throws {
    let test = try SourceLoop()
    let server = try GpsdServer(loop: test.loop)
    let source = GpsdSource(
      loop: test.loop, endpoint: .init(host: "127.0.0.1", port: server.port), timing: Self.hasty)
    try source.start()
    try test.wait(for: "a second attempt") { server.clients.count >= 2 }
    #expect(server.clients[0]?.asked == GpsdSession.watch)
    source.stop()
  }

  @Test func `a gpsd that falls silent is asked, and left where it does not answer`() throws {
    let test = try SourceLoop()
    let server = try GpsdServer(loop: test.loop)
    server.greeting = [Line.version, Line.noDevices]
    let source = GpsdSource(
      loop: test.loop, endpoint: .init(host: "127.0.0.1", port: server.port), timing: Self.hasty)
    try source.start()
    try test.wait(for: "a second connection") { server.clients.count >= 2 }
    #expect(server.clients[0]?.asked == GpsdSession.watch + GpsdSession.question)
    source.stop()
  }

  @Test func `over-long lines and binary are counted and skipped`() throws {
    let test = try SourceLoop()
    let server = try GpsdServer(loop: test.loop)
    server.greeting = Self.greeting
    let source = GpsdSource(loop: test.loop, endpoint: .init(host: "127.0.0.1", port: server.port))
    let record = SourceRecord(source)
    try source.start()
    try test.wait(for: "the connection") { server.client?.asked.isEmpty == false }
    let long = #"{"class":"SKY","x":""# + String(repeating: "x", count: 100_000) + "\"}\r\n"
    var garbage = (0..<5_000).map { UInt8(truncatingIfNeeded: ($0 &* 7_919) >> 3) }
    for index in garbage.indices where garbage[index] == 0x0A { garbage[index] = 0 }
    let client = try #require(server.client)
    client.send(long)
    client.send(garbage + [0x0A])
    client.send(Line.fix() + "\r\n")
    try test.wait(for: "a fix") { record.fixes.count == 1 }
    #expect(source.counters.overlong == 1)
    #expect(source.counters.malformed == 1)
    #expect(source.counters.lines == 4, "banner, devices, binary, fix")
    source.stop()
  }

  @Test func `a line that comes byte by byte is one line`() throws {
    let test = try SourceLoop()
    let server = try GpsdServer(loop: test.loop)
    server.greeting = Self.greeting
    let source = GpsdSource(loop: test.loop, endpoint: .init(host: "127.0.0.1", port: server.port))
    let record = SourceRecord(source)
    try source.start()
    try test.wait(for: "the connection") { source.counters.lines == 2 }
    for byte in (Line.fix() + "\r\n").utf8 {
      server.client?.send([byte])
      try test.loop.runOnce(timeoutMS: 0)
    }
    try test.wait(for: "a fix") { record.fixes.count == 1 }
    #expect(source.counters.malformed == 0)
    source.stop()
  }

  @Test func `a flood leaves timers their turn`() throws {
    let test = try SourceLoop()
    let server = try GpsdServer(loop: test.loop)
    server.greeting = Self.greeting
    let source = GpsdSource(loop: test.loop, endpoint: .init(host: "127.0.0.1", port: server.port))
    let record = SourceRecord(source)
    var fixesAtTimer: Int?
    let timer = try test.loop.addTimer { fixesAtTimer = record.fixes.count }
    try source.start()
    try test.wait(for: "the connection") { source.counters.lines == 2 }
    let count = 20_000
    let client = try #require(server.client)
    client.send(String(repeating: Line.fix() + "\r\n", count: count))
    try timer.arm(afterMS: 0)
    try test.wait(for: "all fixes") { record.fixes.count == count }
    #expect(try #require(fixesAtTimer) < count)
    source.stop()
  }

  @Test func `the owner may stop the source from within a fix`() throws {
    let test = try SourceLoop()
    let server = try GpsdServer(loop: test.loop)
    server.greeting = Self.greeting + [Line.fix(), Line.fix(second: 1), Line.fix(second: 2)]
    let source = GpsdSource(loop: test.loop, endpoint: .init(host: "127.0.0.1", port: server.port))
    var fixes = 0
    source.onFix = { [weak source] _, _ in
      fixes += 1
      #expect(source?.counters.fixes == fixes)
      if fixes == 2 { source?.stop() }
    }
    try source.start()
    try test.wait(for: "the end of the connection") { server.client?.hasLeft == true }
    #expect(fixes == 2)
  }

  /// 127.0.0.2 is a loopback address too on Linux; nobody listens there.
  @Test func `of two addresses the first refuses and the second serves`() throws {
    let test = try SourceLoop()
    let server = try GpsdServer(loop: test.loop)
    server.greeting = Self.greeting + [Line.fix()]
    let source = GpsdSource(
      loop: test.loop, endpoint: .init(host: "vehicle", port: server.port), timing: Self.patient,
      seed: 1, resolver: KnownAddresses(hosts: ["127.0.0.2", "127.0.0.1"]))
    let record = SourceRecord(source)
    try source.start()
    try test.wait(for: "a fix") { record.fixes.count == 1 }
    #expect(source.counters.failures == 1)
    #expect(source.counters.connections == 1)
    source.stop()
  }

  @Test func `a name is looked up without blocking`() throws {
    let test = try SourceLoop()
    let resolver = HostResolver(loop: test.loop)
    var addresses: [SocketAddress]?
    resolver.resolve(.init(host: "localhost", port: 2947)) { found, _ in addresses = found }
    #expect(addresses == nil)
    try test.wait(for: "localhost") { addresses != nil }
    let hosts = try #require(addresses).map(\.host)
    #expect(hosts.contains("127.0.0.1") || hosts.contains("::1"))
    #expect(Set(hosts).count == hosts.count)
  }

  @Test func `a name that nobody knows is said to be so`() throws {
    let test = try SourceLoop()
    let resolver = HostResolver(loop: test.loop)
    var reason: String?
    resolver.resolve(.init(host: "no.such.host.invalid")) { found, why in
      #expect(found.isEmpty)
      reason = why
    }
    try test.wait(for: "the answer") { reason != nil }
    #expect(reason == "no address is known for \"no.such.host.invalid\"")
  }

  @Test func `a name like an option is a name`() throws {
    let test = try SourceLoop()
    let resolver = HostResolver(loop: test.loop)
    var reason: String?
    resolver.resolve(.init(host: "--help")) { _, why in reason = why }
    try test.wait(for: "the answer") { reason != nil }
    #expect(reason == "no address is known for \"--help\"")
  }
}
