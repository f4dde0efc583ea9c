import Configuration
import Milepost
import Testing

/// The settings of one file's text.
func settings(_ text: String) throws -> Settings {
  try Configuration.settings(from: [.init(name: "m.conf", bytes: Array(text.utf8))])
}

/// The problems of files, as a person reads them.
func problems(_ texts: String...) -> [String] {
  let files = texts.enumerated().map { index, text in
    Configuration.File(
      name: index == 0 ? "m.conf" : "m.conf.d/\(index).conf", bytes: Array(text.utf8))
  }
  do {
    _ = try Configuration.settings(from: files)
    return []
  } catch {
    return error.problems.map(\.description)
  }
}

@Suite struct ConfigurationTests {
  @Test("an empty file gives the documented defaults")
  func defaults() throws {
    let s = try settings("")
    #expect(s == Settings())
    #expect(s.source.kind == .gpsd && s.source.address.description == "127.0.0.1:2947")
    #expect(s.source.device == nil && s.source.path == "/run/milepostd/fixes")
    #expect(s.source.requireChecksum)
    #expect(s.filter.jitterThreshold == 15 && s.filter.maxHorizontalError == 100)
    #expect(s.filter.maxSpeedMPS == 500 / 3.6 && s.filter.maxGapMS == 10_000)
    #expect(s.filter.maxGapDistance == 500 && !s.filter.deadReckoning && !s.filter.simulated)
    #expect(s.fences.markers == ["/etc/milepostd/markers.d/*.csv"] && s.fences.radius == 40)
    #expect(s.fences.exitMargin == 0 && s.fences.roads.isEmpty && !s.fences.splitCarriageways)
    #expect(s.hooks.directory == "/etc/milepostd/hooks.d" && s.hooks.timeoutMS == 30_000)
    #expect(s.hooks.attempts == 5 && s.hooks.maxAgeMS == 600_000 && s.hooks.maxRunning == 4)
    #expect(!s.hooks.runOnInitial)
    #expect(s.events.database == "/var/lib/milepostd/events.db")
    #expect(s.events.keepMS == 7_776_000_000)
    #expect(s.engine == Engine.Settings())
  }

  @Test("systemd's syntax: comments, blanks, continuation lines, X- names, CRLF and a BOM")
  func syntax() throws {
    let s = try settings(
      "\u{FEFF}# comment\n; comment \\\n[Filter]\r\n  JitterThreshold = 20m  \n"
        + "[Fences]\nRoads=A1 \\\n# between\n; too\n   \"US 101\" \\\n  國道5號\nX-Note=1\n"
        + "[X-Other]\nanything=1\n[Source]\nDevice=/dev/a#b;c\nPath=/run/a b\\\n\n[Hooks]\nAttempts=7\\"
    )
    #expect(s.filter.jitterThreshold == 20)
    #expect(s.fences.roads == ["A1", "US 101", "國道5號"])
    #expect(s.source.device == "/dev/a#b;c")
    #expect(s.source.path == "/run/a b")
    #expect(s.hooks.attempts == 7)
  }

  @Test("a later assignment wins, an empty one brings the default back")
  func scalars() throws {
    let s = try settings(
      "[Filter]\nMaxGap=5s\nMaxGap=7s\nMaxGapDistance=9m\nMaxGapDistance=\n"
        + "[Source]\nDevice=/dev/x\n[Source]\nDevice=\n")
    #expect(s.filter.maxGapMS == 7_000 && s.filter.maxGapDistance == 500)
    #expect(s.source.device == nil)
  }

  @Test("assignments to a list add, over files too; an empty one begins it anew")
  func lists() throws {
    func markers(_ texts: String...) throws -> [String] {
      try Configuration.settings(
        from: texts.map { .init(name: "f", bytes: Array("[Fences]\n\($0)\n".utf8)) }
      ).fences.markers
    }
    #expect(
      try markers("Markers=/a/*.csv /b.csv", "Markers=/c.csv") == ["/a/*.csv", "/b.csv", "/c.csv"])
    #expect(try markers("Markers=/a.csv", "Markers=\nMarkers='/d e.csv'") == ["/d e.csv"])
    #expect(try markers("Markers=") == [])
    #expect(try markers("Markers=/a\\ b.csv") == ["/a b.csv"])
  }

  struct Length: CustomTestStringConvertible, Sendable {
    var text: String
    var metres: Double
    var testDescription: String { text }
  }

  @Test(
    "lengths are written with m or km; a bare number is metres",
    arguments: [
      Length(text: "15m", metres: 15), Length(text: "15 m", metres: 15),
      Length(text: "15", metres: 15), Length(text: "0.5km", metres: 500),
      Length(text: "0", metres: 0), Length(text: "12.5m", metres: 12.5),
      Length(text: "1km", metres: 1_000), Length(text: "1000m", metres: 1_000),
    ])
  func lengths(_ row: Length) throws {
    #expect(
      try settings("[Filter]\nJitterThreshold=\(row.text)").filter.jitterThreshold == row.metres)
  }

  struct Span: CustomTestStringConvertible, Sendable {
    var text: String
    var milliseconds: Int64
    var testDescription: String { text }
  }

  @Test(
    "time spans are systemd's; a bare number is seconds",
    arguments: [
      Span(text: "3600", milliseconds: 3_600_000), Span(text: "90min", milliseconds: 5_400_000),
      Span(text: "1h 30min", milliseconds: 5_400_000), Span(text: "2h30m", milliseconds: 9_000_000),
      Span(text: "1.5 hours", milliseconds: 5_400_000),
      Span(text: "90d", milliseconds: 7_776_000_000),
      Span(text: "2w", milliseconds: 1_209_600_000), Span(text: "1y", milliseconds: 31_557_600_000),
      Span(text: "2M", milliseconds: 5_259_600_000), Span(text: "1d 1ms", milliseconds: 86_400_001),
    ])
  func spans(_ row: Span) throws {
    #expect(try settings("[Events]\nKeep=\(row.text)").events.keepMS == row.milliseconds)
  }

  @Test("speeds are written with km/h or m/s; a bare number is km/h")
  func speeds() throws {
    func speed(_ text: String) throws -> Double {
      try settings("[Filter]\nMaxSpeed=\(text)").filter.maxSpeedMPS
    }
    #expect(try speed("36km/h") == 10)
    #expect(try speed("36") == 10)
    #expect(try speed("27m/s") == 27)
  }

  @Test("booleans are systemd's")
  func booleans() throws {
    for text in ["1", "yes", "Y", "true", "T", "ON"] {
      #expect(try settings("[Filter]\nSimulated=\(text)").filter.simulated, "\(text)")
    }
    for text in ["0", "no", "N", "False", "f", "off"] {
      #expect(try !settings("[Source]\nRequireChecksum=\(text)").source.requireChecksum, "\(text)")
    }
  }

  struct Address: CustomTestStringConvertible, Sendable {
    var text: String
    var host: String
    var port: UInt16
    var testDescription: String { text }
  }

  @Test(
    "an address is a host, and a port where it is not 2947",
    arguments: [
      Address(text: "gps.local", host: "gps.local", port: 2947),
      Address(text: "10.0.0.1:65535", host: "10.0.0.1", port: 65_535),
      Address(text: "[::1]:2948", host: "::1", port: 2948),
      Address(text: "[fe80::1%eth0]", host: "fe80::1%eth0", port: 2947),
    ])
  func addresses(_ row: Address) throws {
    let address = try settings("[Source]\nAddress=\(row.text)").source.address
    #expect(address == SourceAddress(host: row.host, port: row.port))
    #expect(SourceAddress(address.description) == address)
  }

  @Test("values that a reload cannot apply are named, and only those")
  func restart() throws {
    let old = Settings()
    let new = try settings(
      "[Source]\nType=fifo\nAddress=[::1]:2947\nPath=/x\nDevice=/dev/y\n[Events]\nDatabase=/z\n"
        + "Keep=1d\n[Fences]\nRadius=50\n")
    #expect(
      Configuration.restartNeeded(from: old, to: new) == [
        "Source.Type", "Source.Address", "Source.Path", "Events.Database",
      ])
    #expect(Configuration.restartNeeded(from: new, to: new) == [])
  }

  @Test("the middle's settings follow the file")
  func engine() throws {
    let engine = try settings(
      "[Filter]\nJitterThreshold=1\nMaxHorizontalError=2\nMaxSpeed=36\nMaxGap=4\n"
        + "MaxGapDistance=5\nDeadReckoning=yes\nSimulated=yes\n[Fences]\nExitMargin=6\n"
    ).engine
    #expect(engine.jitterThreshold == 1 && engine.exitMargin == 6)
    #expect(engine.gate.maxHorizontalError == 2 && engine.gate.maxSpeed == 10)
    #expect(engine.gate.maxGap == 4_000 && engine.gate.maxGapDistance == 5)
    #expect(engine.gate.deadReckoning && engine.gate.simulated)
  }
}
