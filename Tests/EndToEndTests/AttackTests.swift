import Glibc
import SystemdKit
import Testing
import TestSupport

/// A server in gpsd's place that says what the test wants.
private final class HostileServer {
  let port: UInt16
  private let listener: FileDescriptor
  private var connection: FileDescriptor?

  init() throws {
    listener = FileDescriptor(owning: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let raw = listener.rawValue
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(raw, $0, size) == 0 && listen(raw, 4) == 0 && getsockname(raw, $0, &size) == 0
      }
    }
    try #require(isBound)
    port = UInt16(bigEndian: address.sin_port)
  }

  func waitForClient() throws {
    var descriptor = pollfd(fd: listener.rawValue, events: Int16(POLLIN), revents: 0)
    try #require(poll(&descriptor, 1, Int32(RunningProgram.patience)) == 1)
    connection = FileDescriptor(owning: accept(listener.rawValue, nil, nil))
  }

  /// False where the daemon has hung up.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let raw = connection?.rawValue, !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  func send(_ text: String) { send(Array(text.utf8)) }
}

/// The real milepostd against hostile input: it goes on, and uses no more memory than its limits say.
@Suite("Attacks on the daemon")
struct AttackTests {
  private static let sample = TestData.package + "/Config/markers.d/sample.csv"

  /// The highest resident size so far.
  private func peakKB(_ program: RunningProgram) throws -> Int {
    let line = try TestData.lines(of: "/proc/\(program.pid)/status").first { $0.hasPrefix("VmHWM") }
    return Int(line?.filter(\.isNumber) ?? "") ?? .max
  }

  private func tpv(_ second: Int, _ latitude: Double, _ longitude: Double) -> String {
    "{\"class\":\"TPV\",\"device\":\"/dev/x\",\"mode\":3,\"time\":\"2026-11-30T09:00:0\(second).000Z\","
      + "\"lat\":\(latitude),\"lon\":\(longitude)}\r\n"
  }

  private struct Row: Sendable {
    var name: String
    var words: @Sendable () -> [UInt8]
    /// Sent so many times.
    var times = 1
  }

  private static let rows = [
    Row(
      name: "binary", words: { (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 5) } }
    ),
    Row(name: "NULs", words: { [UInt8](repeating: 0, count: 1_000_000) }),
    Row(
      name: "a line of 100 MB", words: { [UInt8](repeating: 0x41, count: 1_000_000) }, times: 100),
    Row(
      name: "a string of 100 MB",
      words: { Array("{\"class\":\"".utf8) + [UInt8](repeating: 0x41, count: 1_000_000) },
      times: 100),
    Row(
      name: "nesting 60,000 deep",
      words: { Array(("{\"a\":" + String(repeating: "[", count: 60_000) + "\n").utf8) }),
    Row(
      name: "braces 30,000 deep",
      words: { Array((String(repeating: "{\"a\":", count: 12_000) + "\n").utf8) }),
    Row(
      name: "100,000 devices",
      words: {
        (0..<100_000).reduce(into: []) {
          $0 += "{\"class\":\"DEVICE\",\"path\":\"/dev/\($1)\",\"activated\":1}\n".utf8
        }
      }),
    Row(
      name: "10,000 devices in a line",
      words: {
        Array(
          ("{\"class\":\"DEVICES\",\"devices\":["
            + (0..<2_500).map { "{\"path\":\"/\($0)\",\"activated\":1}" }.joined(separator: ",")
            + "]}\n").utf8)
      }, times: 20),
    Row(
      name: "fixes of 20,000 receivers",
      words: {
        (0..<20_000).reduce(into: []) {
          $0 += "{\"class\":\"TPV\",\"device\":\"/dev/\($1)\",\"mode\":1}\n".utf8
        }
      }),
    Row(
      name: "numbers beyond all bounds",
      words: {
        Array(
          """
          {"class":"TPV","mode":1e999,"lat":1e999,"lon":-1e999,"time":"9999-99-99T99:99:99Z"}
          {"class":"TPV","mode":3,"lat":9\(String(repeating: "9", count: 40_000)),"lon":1,"time":1e308}
          {"class":"VERSION","release":"\\u0000\\n\\ud800","proto_major":99999999999999999999}
          {"class":"ERROR","message":"\\u001b[2J %n%s%n"}

          """.utf8)
      }),
  ]

  @Test("a hostile gpsd takes neither the daemon nor its memory, and the next fix counts")
  func hostileGpsd() throws {
    let server = try HostileServer()
    let folder = try DaemonFolder(
      markers: Self.sample, source: "Type=gpsd\nAddress=127.0.0.1:\(server.port)")
    let daemon = try folder.start()
    try server.waitForClient()
    server.send(
      "{\"class\":\"VERSION\",\"release\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n")
    server.send(tpv(1, 24.8490, 121.7690))
    try daemon.wait(forLineWith: "fix from gpsd")
    let before = try peakKB(daemon)
    for row in Self.rows {
      let words = row.words()
      for _ in 0..<row.times { try #require(server.send(words), "\(row.name): hung up") }
      server.send("\n")
      print("attack: gpsd sends \(row.name): peak \(try peakKB(daemon)) kB")
    }
    // A pinned receiver that falls silent gives way after a while; the same one goes on at once.
    server.send(tpv(9, 24.8500, 121.7700))
    try daemon.wait(forLineWith: "enter A1 0K+000")
    let after = try peakKB(daemon)
    // AddressSanitizer keeps what was freed.
    if getenv("ASAN_OPTIONS") == nil {
      #expect(after - before < 16_384, "\(before) kB before, \(after) kB after")
    }
    daemon.signal(SIGTERM)
    #expect(try daemon.end() == 0)
  }

  @Test("hostile names in marker files reach hooks and journal as they are, or not at all")
  func hostileNames() throws {
    let folder = try ScratchFolder()
    let names = ["$(touch /tmp/x)", "`id`", "-rf", "../../etc", "a\u{1B}[2J", "x\u{202E}y", "%n%s"]
    let markers = try folder.write(
      "names.csv",
      "road,mileage,latitude,longitude\n"
        + names.map { "\"\($0)\",1,24.8506,121.7707393\n" }.joined())
    let daemon = try DaemonFolder(markers: markers)
    try daemon.addRecordingHook()
    let program = try daemon.start()
    let feed = try daemon.feed(program)
    feed.write("2026-11-30T09:00:00Z,24.8490,121.7690\n2026-11-30T09:00:08Z,24.8506,121.7707393\n")
    try program.wait(forLineWith: "enter -rf")
    try wait(for: "the hook's last run") { daemon.hookedCount() >= 2 }
    #expect(daemon.hooked().allSatisfy { $0.hasPrefix("enter ") })
    // Nothing that a terminal obeys, whatever a file says.
    #expect(!program.lines.contains { $0.utf8.contains(0x1B) })
    program.signal(SIGTERM)
    #expect(try program.end() == 0)
  }

  private struct FileRow {
    var name: String
    var make: (String) -> Void
    var says: String
  }

  @Test("what is no plain file of a sane size is refused without being read")
  func hostileFiles() throws {
    let rows = [
      FileRow(name: "a FIFO", make: { mkfifo($0, 0o644) }, says: "is not a regular file"),
      FileRow(name: "a device", make: { symlink("/dev/zero", $0) }, says: "is not a regular file"),
      FileRow(
        name: "3 GiB", make: { truncate(Self.made($0), 3 << 30) }, says: "is larger than 2 GiB"),
      FileRow(name: "a directory", make: { mkdir($0, 0o755) }, says: "is a directory"),
      FileRow(name: "a link to itself", make: { symlink($0, $0) }, says: "symbolic links"),
      FileRow(name: "64 MB of NULs", make: { truncate(Self.made($0), 64 << 20) }, says: "file"),
    ]
    for row in rows {
      let folder = try ScratchFolder()
      row.make(folder("file"))
      for (kind, text, arguments) in [
        ("marker file", "[Fences]\nMarkers=\nMarkers=\(folder("file"))\n", "main.conf"),
        ("configuration", "", "file"),
      ] {
        let configuration = try folder.write("main.conf", text)
        let path = arguments == "file" ? folder("file") : configuration
        let program = try RunningProgram(
          RunningProgram.product("milepostd"), ["--check", "--config", path])
        #expect(try program.end() == 78, "\(kind): \(row.name): \(program.lines)")
        print("attack: \(kind) is \(row.name): \(program.lines.first?.suffix(80) ?? "")")
        if kind == "marker file" {
          #expect(program.lines.contains { $0.contains(row.says) }, "\(row.name): \(program.lines)")
        }
      }
    }
  }

  private static func made(_ path: String) -> String {
    if let file = fopen(path, "w") { fclose(file) }
    return path
  }

  @Test("configuration of hostile sizes ends in lines, not in a crash")
  func hostileConfiguration() throws {
    let nines = String(repeating: "9", count: 100_000)
    for (name, text) in [
      ("a number of 100,000 digits", "[Filter]\nJitterThreshold=\(nines)m\n"),
      ("a key of 100,000 letters", "[Filter]\n\(nines)=1\n"),
      ("a section of 100,000 letters", "[\(nines)]\n"),
      ("5,000 problems", "[Filter]\n" + String(repeating: "x=1\n", count: 5_000)),
      (
        "an endless continuation",
        "[Filter]\nJitterThreshold=\\\n" + String(repeating: "\\\n", count: 90_000) + "x\n"
      ),
      ("a time span beyond Int64", "[Hooks]\nTimeout=\(nines)d 1s\n"),
      ("a count beyond Int64", "[Hooks]\nAttempts=99999999999999999999\n"),
      ("a radius of 10^308", "[Fences]\nRadius=1e308km\n"),
      (
        "a pattern of stars",
        "[Fences]\nMarkers=/\(String(repeating: "*/", count: 4_000))*.csv\nRadius=0\n"
      ),
    ] {
      let folder = try ScratchFolder()
      let path = try folder.write("main.conf", text)
      let program = try RunningProgram(
        RunningProgram.product("milepostd"), ["--check", "--config", path])
      #expect(try program.end() == 78, "\(name)")
      print("attack: configuration with \(name): \(program.lines.count) lines, code 78")
    }
  }
}
