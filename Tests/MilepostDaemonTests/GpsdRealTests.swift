import Glibc
import Milepost
import SystemdKit
import Testing

@testable import MilepostDaemon

/// A gpsd of our own, fed by UDP.
final class RealGpsd {
  static let executable = "/usr/sbin/gpsd"
  static var isAbsent: Bool { access(executable, X_OK) != 0 }

  private let loop: EventLoop
  private let port: UInt16
  private let inputPort: UInt16
  private var process: ChildSource?
  private var feed: TimerSource?
  private let sender: FileDescriptor
  private let receiver: SocketAddress
  private var second = 0

  init(loop: EventLoop, port: UInt16, inputPort: UInt16) throws {
    self.loop = loop
    self.port = port
    self.inputPort = inputPort
    receiver = try #require(SocketAddress(numeric: "127.0.0.1", port: inputPort))
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    sender = FileDescriptor(
      owning: try retryingInterrupts("socket", on: "feed") { socket(AF_INET, kind, 0) })
    feed = try loop.addTimer { [weak self] in self?.feedOnce() }
    try feed?.arm(afterMS: 0)
  }

  deinit {
    feed?.cancel()
    process?.signalGroup(SIGKILL)
  }

  var isRunning: Bool { process != nil }

  func start() throws {
    let null = try FileDescriptor.open("/dev/null", O_RDWR)
    let child = try Spawn(
      executable: Self.executable,
      arguments: ["gpsd", "-N", "-n", "-b", "-S", "\(port)", "udp://127.0.0.1:\(inputPort)"],
      environment: []
    ).start(input: null, output: null, error: null)
    process = try loop.addChild(child) { [weak self] _ in self?.process = nil }
  }

  /// As `kill -9` does.
  func kill() { process?.signalGroup(SIGKILL) }

  /// One epoch of a car driving north, every 50 ms. Nobody listening is no matter.
  private func feedOnce() {
    let (minutes, seconds) = (second / 60, second % 60)
    let clock = "12\(Self.two(minutes))\(Self.two(seconds)).00"
    let latitude = "48\(Self.two(10 + second / 100)).\(Self.two(second % 100))00"
    second += 1
    send("GPRMC,\(clock),A,\(latitude),N,01131.0000,E,048.6,000.0,011226,,,A")
    send("GPGGA,\(clock),\(latitude),N,01131.0000,E,1,08,0.9,545.4,M,46.9,M,,")
    try? feed?.arm(afterMS: 50)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func send(_ sentence: String) {
    let sum = sentence.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    let line = Array("$\(sentence)*\(sum < 16 ? "0" : "")\(digits)\r\n".utf8)
    let raw = sender.rawValue
    _ = receiver.withSockaddr { sendto(raw, line, line.count, 0, $0, $1) }
  }
}

struct GpsdRealTests {
  @Test(
    "gpsd killed and started anew: its fixes come again, with one line lost and one restored",
    .disabled(if: RealGpsd.isAbsent, "no /usr/sbin/gpsd: install the package gpsd"))
  func killedAndRestarted() throws {
    let test = try SourceLoop(limitSeconds: 120)
    let port = try GpsdServer.freePort()
    let gpsd = try RealGpsd(
      loop: test.loop, port: port, inputPort: try GpsdServer.freePort(kind: SOCK_DGRAM))
    try gpsd.start()
    let source = GpsdSource(loop: test.loop, endpoint: .init(host: "127.0.0.1", port: port))
    let record = SourceRecord(source)
    try source.start()
    func usable() -> Int { record.fixes.count { $0.mode >= 2 } }
    try test.wait(for: "the first fixes") { usable() >= 10 }
    let device = try #require(record.fixes.last?.device)
    #expect(source.deviceName(of: device)?.hasPrefix("udp://127.0.0.1:") == true)

    gpsd.kill()
    try test.wait(for: "the end of gpsd") { !gpsd.isRunning && source.state == .unreachable }
    let before = usable()
    try gpsd.start()
    try test.wait(for: "fixes after the restart") { usable() >= before + 10 }

    // Where gpsd took long to start, that has been told before.
    let states = record.states.drop { $0 != .fix }
    #expect(Array(states) == [.fix, .unreachable, .fix])
    let messages = record.changes.suffix(2).map(\.message)
    #expect(messages[0].hasPrefix("gpsd 127.0.0.1:\(port) lost: "))
    #expect(messages[1].hasPrefix("fix restored after "))
    source.stop()
    gpsd.kill()
    try test.wait(for: "the end of gpsd") { !gpsd.isRunning }
  }
}
