import FixFormats
import Geodesy
import Milepost
import Testing

@testable import MilepostDaemon

/// A session and the network around it, in simulated time.
struct GpsdSessionRun {
  /// What an address does.
  enum Address { case accepts, refuses, swallows }

  var session: GpsdSession
  var addresses: [Address]
  private(set) var now: Int64 = 0
  /// `4204 fix`, `0 send ?WATCH…`: all that the session wanted, by time in milliseconds.
  private(set) var log: [String] = []
  private var decoder = TPVDecoder()

  init(_ addresses: [Address] = [.accepts], timing: GpsdSession.Timing = .init(), seed: UInt64 = 1)
  {
    session = GpsdSession(endpoint: "host:2947", timing: timing, seed: seed)
    self.addresses = addresses
    perform(session.start(at: 0))
  }

  /// Lets time pass, with every deadline on the way.
  mutating func pass(until time: Int64) {
    while let next = session.nextDeadline(after: now), next <= time {
      now = max(now, next)
      perform(session.tick(at: now))
    }
    now = time
  }

  mutating func receive(_ line: String, at time: Int64) {
    pass(until: time)
    var line = line
    let report = line.withUTF8 { decoder.decode(UnsafeRawBufferPointer($0)) }
    perform(session.received(report, at: now))
    if case .tpv(let fix) = report, Self.isUsable(fix) { perform(session.usableFix(at: now)) }
  }

  mutating func close(at time: Int64) {
    pass(until: time)
    perform(session.failed("the connection was closed", at: now))
  }

  /// The gate in a nutshell: mode, position, 0/0 and simulation.
  private static func isUsable(_ fix: Fix) -> Bool {
    guard fix.mode >= 2, fix.origin == .measured, let place = fix.coordinate else { return false }
    return place.latitude != 0 || place.longitude != 0
  }

  var states: [String] {
    log.filter { line in SourceState.allCases.contains { line.hasSuffix(" \($0)") } }
  }

  private mutating func perform(_ actions: [GpsdSession.Action]) {
    for action in actions {
      switch action {
      case .resolve:
        log.append("\(now) resolve")
        perform(session.resolved(addresses.count, at: now))
      case .connect(let index): connect(index)
      case .send(let text): log.append("\(now) send \(text.dropLast(2))")
      case .close: log.append("\(now) close")
      case .announce(let change): log.append("\(now) \(change.state)")
      }
    }
  }

  private mutating func connect(_ index: Int) {
    log.append("\(now) connect \(index)")
    switch addresses[index] {
    case .accepts: perform(session.connected(at: now))
    case .refuses: perform(session.failed("Connection refused", at: now))
    case .swallows: break
    }
  }
}

struct GpsdSessionTests {
  struct Row: CustomTestStringConvertible {
    enum Event { case line(String), close }
    var name: String
    /// (millisecond, what comes from gpsd)
    var events: [(Int64, Event)]
    var until: Int64
    var expected: [String]
    var testDescription: String { name }
  }

  static let watch = #"send ?WATCH={"enable":true,"json":true}"#

  static let rows = [
    Row(
      name: "a banner after 4 s is in time, and nothing is said meanwhile",
      events: [
        (4_000, .line(Line.version)), (4_000, .line(Line.devices)), (4_500, .line(Line.fix())),
      ],
      until: 5_000, expected: ["4500 fix"]),
    Row(
      name: "no receiver, then one that is plugged in",
      events: [
        (100, .line(Line.version)), (100, .line(Line.noDevices)), (9_000, .line(Line.opened)),
        (12_000, .line(Line.fix())),
      ], until: 13_000, expected: ["2100 noDevice", "12000 fix"]),
    Row(
      name: "a receiver that gpsd closes",
      events: [
        (100, .line(Line.version)), (100, .line(Line.devices)), (200, .line(Line.fix())),
        (300, .line(Line.closed)),
      ], until: 9_000, expected: ["200 fix", "2300 noDevice"]),
    Row(
      name: "a receiver listed but not open is none",
      events: [
        (100, .line(Line.version)),
        (100, .line(#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/x"}]}"#)),
      ], until: 9_000, expected: ["2100 noDevice"]),
    Row(
      name: "a TPV shows that there is a receiver, whatever was listed",
      events: [
        (100, .line(Line.version)), (100, .line(Line.noDevices)), (200, .line(Line.noFix)),
      ], until: 9_000, expected: ["2200 noFix"]),
    Row(
      name: "a receiver that loses its fix, and finds it",
      events: [
        (100, .line(Line.version)), (1_000, .line(Line.fix())), (2_000, .line(Line.noFix)),
        (8_000, .line(Line.noFix)), (9_000, .line(Line.fix())),
      ], until: 9_500, expected: ["1000 fix", "6000 noFix", "9000 fix"]),
    Row(
      name: "one epoch without a fix is no loss",
      events: [
        (100, .line(Line.version)), (1_000, .line(Line.fix())), (2_000, .line(Line.noFix)),
        (3_000, .line(Line.fix())), (4_000, .line(Line.noFix)), (5_000, .line(Line.fix())),
      ], until: 9_000, expected: ["1000 fix"]),
    Row(
      name: "a receiver that falls silent is stale after MaxGap",
      events: [
        (100, .line(Line.version)), (1_000, .line(Line.fix())), (2_000, .line(Line.fix())),
        (5_000, .line(Line.sky)), (14_000, .line(Line.fix())),
      ], until: 20_000, expected: ["1000 fix", "12001 stale", "14000 fix"]),
    Row(
      name: "gpsd ends and comes back: one line lost, one restored",
      events: [
        (100, .line(Line.version)), (1_000, .line(Line.fix())), (20_000, .line(Line.fix())),
        (20_500, .close), (22_000, .line(Line.version)), (22_000, .line(Line.devices)),
        (24_000, .line(Line.noFix)), (29_000, .line(Line.fix())),
      ], until: 30_000,
      expected: ["1000 fix", "11001 stale", "20000 fix", "20500 unreachable", "29000 fix"]),
    Row(
      name: "what is no gpsd is dropped like one that is silent",
      events: [(100, .line("SSH-2.0-OpenSSH_9.2")), (14_000, .line("what?"))],
      until: 17_500, expected: ["17000 unreachable"]),
    Row(
      name: "any protocol is welcome",
      events: [
        (100, .line(#"{"class":"VERSION","release":"9","proto_major":99,"proto_minor":0}"#)),
        (200, .line(Line.fix())),
      ], until: 300, expected: ["200 fix"]),
    Row(
      name: "unknown classes and errors are nothing",
      events: [
        (100, .line(Line.version)), (150, .line(#"{"class":"FANCY","x":[1,{"y":2}]}"#)),
        (160, .line(#"{"class":"ERROR","message":"?"}"#)), (200, .line(Line.fix())),
      ], until: 300, expected: ["200 fix"]),
  ]

  @Test("states are told as they last", arguments: rows)
  func states(_ row: Row) {
    var run = GpsdSessionRun()
    for (time, event) in row.events {
      switch event {
      case .line(let text): run.receive(text, at: time)
      case .close: run.close(at: time)
      }
    }
    run.pass(until: row.until)
    #expect(run.states == row.expected)
  }

  @Test func `a gpsd that opens receivers without end is believed of 64`() {
    func opened(_ number: Int, _ time: String) -> String {
      #"{"class":"DEVICE","path":"/dev/\#(number)","activated":\#(time)}"#
    }
    var run = GpsdSessionRun()
    run.receive(Line.version, at: 10)
    run.receive(Line.noDevices, at: 10)
    for number in 0..<1_000 { run.receive(opened(number, #""2026-11-30T09:06:08.216Z""#), at: 20) }
    for number in 0..<63 { run.receive(opened(number, "0"), at: 30) }
    run.pass(until: 2_500)
    #expect(run.states == ["2020 noFix"])
    run.receive(opened(63, "0"), at: 3_000)
    run.pass(until: 20_000)
    #expect(run.states == ["2020 noFix", "13000 noDevice"])
  }

  @Test func `the subscription is one write, once per connection`() {
    var run = GpsdSessionRun()
    run.receive(Line.version, at: 10)
    run.receive(Line.devices, at: 10)
    run.pass(until: 5_000)
    #expect(Array(run.log.prefix(3)) == ["0 resolve", "0 connect 0", "0 \(Self.watch)"])
    #expect(run.log.filter { $0.contains("send") }.count == 1)
  }

  @Test func `a connection that says nothing is given up after 15 s`() {
    var run = GpsdSessionRun()
    run.pass(until: 15_000)
    #expect(run.log.last == "15000 close")
    run.pass(until: 15_500)
    #expect(run.log.contains { $0.hasSuffix("connect 0") && !$0.hasPrefix("0 ") })
  }

  @Test func `silence of 30 s is asked about, and 15 s without an answer end the connection`() {
    var run = GpsdSessionRun()
    run.receive(Line.version, at: 0)
    run.receive(Line.noDevices, at: 1_000)
    run.pass(until: 45_999)
    #expect(run.log.last == "31000 send ?DEVICES")
    run.pass(until: 46_000)
    #expect(run.log.last == "46000 close")
  }

  @Test func `an answer keeps the connection for another 30 s`() {
    var run = GpsdSessionRun()
    run.receive(Line.version, at: 1_000)
    run.receive(Line.noDevices, at: 45_000)
    run.pass(until: 80_000)
    #expect(
      run.log.filter { $0.contains("DEVICES") || $0.contains("close") }
        == ["31000 send ?DEVICES", "75000 send ?DEVICES"])
  }

  @Test func `all addresses are tried, a mute one for 5 s, before waiting`() {
    var run = GpsdSessionRun([.refuses, .swallows, .accepts])
    run.pass(until: 5_000)
    #expect(
      run.log == [
        "0 resolve", "0 connect 0", "0 connect 1", "2000 unreachable", "5000 close",
        "5000 connect 2", "5000 \(Self.watch)",
      ])
  }

  @Test func `a name is given up after 10 s`() {
    var session = GpsdSession(endpoint: "host:2947", seed: 1)
    #expect(session.start(at: 0) == [.resolve])
    #expect(session.nextDeadline(after: 0) == 10_000)
    #expect(session.tick(at: 10_000) == [.close])
    #expect(session.resolved(1, at: 10_001) == [], "an answer that comes late is nothing")
  }

  @Test func `waits grow from half a second to 30, and connecting alone does not reset them`() {
    var run = GpsdSessionRun()
    var last: Int64 = 0
    for whole: Int64 in [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000] {
      run.receive(Line.version, at: run.now + 10)
      run.receive(Line.noFix, at: run.now)
      run.close(at: run.now)
      last = run.now
      run.pass(until: last + whole * 3 / 4 - 1)
      #expect(!run.session.isOpen)
      run.pass(until: last + whole)
      #expect(run.session.isOpen)
    }
    run.receive(Line.fix(), at: run.now + 10)
    run.close(at: run.now)
    run.pass(until: run.now + 500)
    #expect(run.session.isOpen, "a usable fix resets them")
  }

  @Test func `a gpsd absent at start is told once, however often it is tried`() {
    var run = GpsdSessionRun([.refuses])
    run.pass(until: 600_000)
    #expect(run.states == ["2000 unreachable"])
    run.addresses = [.accepts]
    run.pass(until: 630_000)
    run.receive(Line.version, at: 630_000)
    run.receive(Line.fix(), at: 630_100)
    #expect(run.states == ["2000 unreachable", "630100 fix"])
  }

  @Test func `after the end nothing is done`() {
    var run = GpsdSessionRun()
    run.receive(Line.version, at: 10)
    #expect(run.session.stop() == [.close])
    #expect(run.session.nextDeadline(after: 10) == nil)
    #expect(run.session.failed("late", at: 20) == [])
    #expect(run.session.stop() == [])
  }

  @Test func `messages say what is lost, why, and what is back`() throws {
    var session = GpsdSession(endpoint: "host:2947", seed: 1)
    func message(_ actions: [GpsdSession.Action]) -> String? {
      for case .announce(let change) in actions { return change.message }
      return nil
    }
    _ = session.start(at: 0)
    _ = session.resolved(1, at: 0)
    _ = session.connected(at: 0)
    _ = session.received(.version(release: "3.22", protoMajor: 3, protoMinor: 14), at: 1)
    #expect(message(session.usableFix(at: 2)) == "fix from gpsd host:2947 (3.22, protocol 3.14)")
    #expect(
      message(session.failed("the connection was closed", at: 20_000))
        == "gpsd host:2947 lost: the connection was closed; reconnecting")
    _ = session.tick(at: 21_000)
    _ = session.resolved(1, at: 21_000)
    _ = session.connected(at: 21_000)
    _ = session.received(.watch, at: 23_000)
    #expect(message(session.usableFix(at: 23_500)) == "fix restored after 3 s from gpsd host:2947")
  }

  @Test func `each state has a message id of its own`() {
    #expect(Set(SourceState.allCases.map(\.messageID)).count == SourceState.allCases.count)
    #expect(SourceState.allCases.allSatisfy { $0.messageID.utf8.count == 32 })
  }
}
