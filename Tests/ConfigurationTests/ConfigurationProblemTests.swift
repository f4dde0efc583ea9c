import Configuration
import Testing

@Suite struct ConfigurationProblemTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var section: String
    var line: String
    var problem: String
    var testDescription: String { line }
  }

  @Test(
    "a bad value is complained about with file, line, key, reason and what to write",
    arguments: [
      Row(
        section: "Filter", line: "JitterThreshold=15 mm",
        problem: "JitterThreshold: \"15 mm\" is not a distance (use 15m)"),
      Row(
        section: "Filter", line: "JitterThreshold=1000.1m",
        problem: "JitterThreshold: \"1000.1m\" is out of range (use 0m to 1000m)"),
      Row(
        section: "Filter", line: "JitterThreshold=-1",
        problem: "JitterThreshold: \"-1\" is out of range (use 0m to 1000m)"),
      Row(
        section: "Filter", line: "JitterThreshold=nan",
        problem: "JitterThreshold: \"nan\" is not a distance (use 15m)"),
      Row(
        section: "Filter", line: "MaxGap=999ms",
        problem: "MaxGap: \"999ms\" is out of range (use 1s to 1d)"),
      Row(
        section: "Filter", line: "MaxGap=" + String(repeating: "9", count: 400),
        problem: "MaxGap: \"\(String(repeating: "9", count: 400))\" is out of range (use 1s to 1d)"),
      Row(
        section: "Filter", line: "MaxGap=10 apples",
        problem: "MaxGap: \"10 apples\" is not a time span (use 10s)"),
      Row(
        section: "Filter", line: "MaxGap=infinity",
        problem: "MaxGap: \"infinity\" is not a time span (use 10s)"),
      Row(
        section: "Filter", line: "MaxGap=1.s",
        problem: "MaxGap: \"1.s\" is not a time span (use 10s)"),
      Row(
        section: "Filter", line: "MaxSpeed=100mph",
        problem: "MaxSpeed: \"100mph\" is not a speed (use 500km/h)"),
      Row(
        section: "Filter", line: "MaxSpeed=0",
        problem: "MaxSpeed: \"0\" is out of range (use 1km/h to 10000km/h)"),
      Row(
        section: "Filter", line: "Simulated=maybe",
        problem: "Simulated: \"maybe\" is not a boolean (use yes or no)"),
      Row(
        section: "Fences", line: "Radius=0.5m",
        problem: "Radius: \"0.5m\" is out of range (use 1m to 100km)"),
      Row(
        section: "Fences", line: "Radius=101km",
        problem: "Radius: \"101km\" is out of range (use 1m to 100km)"),
      Row(
        section: "Fences", line: "Markers=/a.csv markers/*.csv",
        problem: "Markers: \"markers/*.csv\" is not an absolute path "
          + "(use /etc/milepostd/markers.d/*.csv)"),
      Row(
        section: "Fences", line: "Roads=\"A1",
        problem: "Roads: a quote is not closed (end it with \")"),
      Row(
        section: "Fences", line: "Roads=A\u{7}",
        problem: "Roads: holds a control character (remove it)"),
      Row(
        section: "Source", line: "Type=nmea",
        problem: "Type: \"nmea\" is not a source (use gpsd or fifo)"),
      Row(
        section: "Source", line: "Path=fixes",
        problem: "Path: \"fixes\" is not an absolute path (use /run/milepostd/fixes)"),
      Row(
        section: "Hooks", line: "Attempts=0",
        problem: "Attempts: \"0\" is out of range (use 1 to 20)"),
      Row(
        section: "Hooks", line: "MaxRunning=99999999999999999999",
        problem: "MaxRunning: \"99999999999999999999\" is out of range (use 1 to 64)"),
      Row(
        section: "Hooks", line: "MaxRunning=2.5",
        problem: "MaxRunning: \"2.5\" is not a whole number (use 4)"),
      Row(
        section: "Hooks", line: "Timout=3s",
        problem: "Timout: unknown key in [Hooks] (use Timeout)"),
      Row(
        section: "Hooks", line: "timeout=3s",
        problem: "timeout: unknown key in [Hooks] (use Timeout)"),
      Row(
        section: "Hooks", line: "Radius=3m",
        problem: "Radius: belongs in [Fences], not in [Hooks]"),
      Row(
        section: "Events", line: "Colour=red",
        problem: "Colour: unknown key in [Events] (use Database, Keep or MaxSize)"),
      Row(
        section: "Events", line: "Keep 90d",
        problem: "\"Keep 90d\" is not an assignment (use Key=Value)"),
      Row(
        section: "Events", line: "=90d", problem: "a key is missing before = (use Key=Value)"),
      Row(
        section: "Events", line: "[Hooks", problem: "\"[Hooks\" is not a section (use [Filter])"),
      Row(
        section: "Events", line: "[Hook]",
        problem: "[Hook]: unknown section (use [Source], [Filter], [Fences], [Hooks] or [Events])"),
    ])
  func badValues(_ row: Row) {
    #expect(problems("# 1\n[\(row.section)]\n\(row.line)\n") == ["m.conf:3: \(row.problem)"])
  }

  @Test("addresses that cannot be meant are refused")
  func addresses() {
    let bad = [
      "::1", ":2947", "host:", "host:0", "host:65536", "host:x", "host:+1", "a:1:2", "[::1",
      "[host]:1", "[]:1", "[::1]2947", "a b:1", "http://host",
    ]
    for text in bad {
      #expect(
        problems("[Source]\nAddress=\(text)") == [
          "m.conf:2: Address: \"\(text)\" is not host:port (use 127.0.0.1:2947 or [::1]:2947)"
        ])
    }
  }

  @Test("all problems of all files are reported at once, the keys of an unknown section not")
  func allAtOnce() {
    #expect(
      problems(
        "Type=fifo\n[Sauce]\nType=x\n[Filter]\nMaxGap=x\nSimulated=yes\n",
        "[Hooks]\nAttempts=\\\n99\nMaxRunning=x\n") == [
          "m.conf:1: Type: stands before any section (begin with [Source])",
          "m.conf:2: [Sauce]: unknown section "
            + "(use [Source], [Filter], [Fences], [Hooks] or [Events])",
          "m.conf:5: MaxGap: \"x\" is not a time span (use 10s)",
          "m.conf.d/1.conf:2: Attempts: \"99\" is out of range (use 1 to 20)",
          "m.conf.d/1.conf:4: MaxRunning: \"x\" is not a whole number (use 4)",
        ])
  }

  @Test("a file that is no UTF-8 text is refused with the line")
  func encodings() {
    for bad: [UInt8] in [[0xE9], [0]] {
      let bytes = Array("\u{FEFF}[Source]\n#".utf8) + bad + Array("\n".utf8)
      let error = #expect(throws: ConfigurationError.self) {
        try Configuration.settings(from: [.init(name: "m.conf", bytes: bytes)])
      }
      #expect(
        error?.description == "m.conf:2: is not UTF-8 text (save the file as UTF-8)")
    }
  }
}
