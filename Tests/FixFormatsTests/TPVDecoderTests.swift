import FixFormats
import Geodesy
import Milepost
import Testing

@Suite struct TPVDecoderTests {
  private func decode(_ line: String) -> GpsdReport {
    var decoder = TPVDecoder()
    return line.withBytes { decoder.decode($0) }
  }

  private func fix(_ members: String) -> Fix? {
    if case .tpv(let fix) = decode(#"{"class":"TPV"\#(members)}"#) { fix } else { nil }
  }

  @Test("a TPV in full")
  func full() {
    let line = #"""
      {"class":"TPV","device":"/dev/ttyGPS0","status":2,"mode":3,"time":"2024-06-15T12:00:05.000Z",\#
      "ept":0.005,"lat":48.117400000,"lon":-11.517166667,"altHAE":592.3000,"track":84.4000,\#
      "speed":11.524,"climb":-0.250,"eph":17.100,"epx":7,"epy":8}
      """#
    let expected = Fix(
      mode: 3, coordinate: Coordinate(latitude: 48.1174, longitude: -11.517166667),
      time: Timestamp(1_718_452_805_000), speed: 11.524, track: 84.4, horizontalError: 17.1,
      device: DeviceID(1))
    #expect(decode(line) == .tpv(expected))
  }

  struct Row: CustomTestStringConvertible {
    var name: String
    var members: String
    var expected: Fix
    var testDescription: String { name }
  }

  static let here = Coordinate(latitude: 1.5, longitude: 2.5)
  static let position = #","lat":1.5,"lon":2.5"#

  @Test(
    "what a TPV says is what the fix holds",
    arguments: [
      Row(name: "class alone", members: "", expected: Fix(mode: 0, coordinate: nil, time: nil)),
      Row(
        name: "mode 1", members: #","mode":1"#, expected: Fix(mode: 1, coordinate: nil, time: nil)),
      Row(
        name: "no latitude", members: #","mode":3,"lon":2.5"#,
        expected: Fix(mode: 3, coordinate: nil, time: nil)),
      Row(
        name: "no longitude", members: #","mode":3,"lat":2.5"#,
        expected: Fix(mode: 3, coordinate: nil, time: nil)),
      Row(
        name: "NaN for a latitude", members: #","mode":3,"lat":NaN,"lon":2.5"#,
        expected: Fix(mode: 3, coordinate: nil, time: nil)),
      Row(
        name: "C's nan, null and text are absent",
        members: #"\#(position),"speed":nan,"track":null,"eph":"9""#,
        expected: Fix(mode: 0, coordinate: here, time: nil)),
      Row(
        name: "beyond a double is absent", members: #"\#(position),"speed":1e999,"track":-1e999"#,
        expected: Fix(mode: 0, coordinate: here, time: nil)),
      Row(
        name: "a latitude beyond a double is no position", members: #","lat":1e999,"lon":2.5"#,
        expected: Fix(mode: 0, coordinate: nil, time: nil)),
      Row(
        name: "a latitude beyond 90 is handed on", members: #","lat":91,"lon":181"#,
        expected: Fix(
          mode: 0, coordinate: Coordinate(latitude: 91, longitude: 181), time: nil)),
      Row(
        name: "a mode that is none", members: #","mode":1e3"#,
        expected: Fix(mode: 0, coordinate: nil, time: nil)),
      Row(
        name: "status 8", members: #"\#(position),"status":8"#,
        expected: Fix(mode: 0, coordinate: here, time: nil, origin: .simulated)),
      Row(
        name: "status 5", members: #"\#(position),"status":5"#,
        expected: Fix(mode: 0, coordinate: here, time: nil, origin: .estimated)),
      Row(
        name: "status 2", members: #"\#(position),"status":2"#,
        expected: Fix(mode: 0, coordinate: here, time: nil)),
      Row(
        name: "epx and epy in eph's stead", members: #"\#(position),"epx":7.5,"epy":8.25"#,
        expected: Fix(mode: 0, coordinate: here, time: nil, horizontalError: 8.25)),
      Row(
        name: "the larger of epy and epx", members: #"\#(position),"epy":8.25,"epx":7.5"#,
        expected: Fix(mode: 0, coordinate: here, time: nil, horizontalError: 8.25)),
      Row(
        name: "epx alone", members: #"\#(position),"epx":7.5"#,
        expected: Fix(mode: 0, coordinate: here, time: nil, horizontalError: 7.5)),
      Row(
        name: "eph before epx", members: #"\#(position),"eph":1,"epx":7.5"#,
        expected: Fix(mode: 0, coordinate: here, time: nil, horizontalError: 1)),
      Row(
        name: "the last of equal keys", members: #","lat":9,"mode":1,"mode":2\#(position)"#,
        expected: Fix(mode: 2, coordinate: here, time: nil)),
      Row(
        name: "the last of equal keys, null", members: #"\#(position),"lat":null"#,
        expected: Fix(mode: 0, coordinate: nil, time: nil)),
      Row(
        name: "half a millisecond is rounded up", members: #","time":"2024-06-15T12:00:04.9995Z""#,
        expected: Fix(mode: 0, coordinate: nil, time: Timestamp(1_718_452_805_000))),
      Row(
        name: "less than half is cut", members: #","time":"2024-06-15T12:00:05.0004999Z""#,
        expected: Fix(mode: 0, coordinate: nil, time: Timestamp(1_718_452_805_000))),
      Row(
        name: "no fraction", members: #","time":"2024-06-15T12:00:05Z""#,
        expected: Fix(mode: 0, coordinate: nil, time: Timestamp(1_718_452_805_000))),
      Row(
        name: "a time that is none", members: #","time":"2024-02-30T12:00:05Z""#,
        expected: Fix(mode: 0, coordinate: nil, time: nil)),
      Row(
        name: "white space anywhere",
        members: " , \"lat\"\t: 1.5 ,\"lon\" :2.5 , \"mode\": 3 ",
        expected: Fix(mode: 3, coordinate: here, time: nil)),
      Row(
        name: "unknown keys of every kind",
        members:
          #","a":[],"b":{},"c":[1,[{"d":"}"}]],"long-key":true,"e\"f":"\\","g":false\#(position)"#,
        expected: Fix(mode: 0, coordinate: here, time: nil)),
      Row(
        name: "a class, a latitude and a device within another object",
        members: #","x":{"class":"SKY","lat":9,"device":"y"}\#(position)"#,
        expected: Fix(mode: 0, coordinate: here, time: nil)),
      Row(
        name: "escapes and other scripts in strings",
        members: #","name":"國道\u00e9\n\"","x":"\/\b\f\r\t"\#(position)"#,
        expected: Fix(mode: 0, coordinate: here, time: nil)),
    ])
  func fields(row: Row) {
    #expect(fix(row.members) == row.expected)
  }

  @Test("keys may come in any order, the class last")
  func anyOrder() {
    let line = #"{"mode":3,"lon":2.5,"device":"d","lat":1.5,"class":"TPV"}"#
    #expect(
      decode(line) == .tpv(Fix(mode: 3, coordinate: Self.here, time: nil, device: DeviceID(1))))
  }

  struct Report: CustomTestStringConvertible {
    var line: String
    var expected: GpsdReport
    var testDescription: String { line }
  }

  @Test(
    "each line is the report that it is",
    arguments: [
      Report(
        line:
          #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        expected: .version(release: "3.22", protoMajor: 3, protoMinor: 14)),
      Report(
        line: #"{"release":"x","class":"VERSION"}"#,
        expected: .version(release: "x", protoMajor: -1, protoMinor: -1)),
      Report(line: #"{"class":"DEVICES","devices":[]}"#, expected: .devices([])),
      Report(
        line: #"""
          {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a",\#
          "activated":"2026-11-30T09:06:08.216Z"},{"class":"DEVICE","path":"\/dev\/b","activated":0},\#
          {"class":"DEVICE","path":"/dev/c"},{"no":"path"}]}
          """#,
        expected: .devices([
          GpsdDevice(path: "/dev/a", activated: true), GpsdDevice(path: "/dev/b", activated: false),
          GpsdDevice(path: "/dev/c", activated: false),
        ])),
      Report(
        line: #"{"class":"DEVICE","path":"/dev/pts/1","activated":0}"#,
        expected: .device(GpsdDevice(path: "/dev/pts/1", activated: false))),
      Report(
        line: #"{"class":"DEVICE","path":"\u0047\ud83d\ude97é","activated":1e9}"#,
        expected: .device(GpsdDevice(path: "G🚗é", activated: true))),
      Report(line: #"{"class":"DEVICE"}"#, expected: .other),
      Report(line: #"{"class":"WATCH","enable":true,"json":true}"#, expected: .watch),
      Report(
        line: #"{"class":"ERROR","message":"Unrecognized request '?FOO;\n'"}"#,
        expected: .error(message: "Unrecognized request '?FOO;\n'")),
      Report(line: #"{"class":"ERROR"}"#, expected: .error(message: "")),
      Report(line: #"{"class":"SKY","satellites":[{"PRN":1}]}"#, expected: .other),
      Report(line: #"{"class":"GST","lat":3.5,"lon":2.5,"device":"x"}"#, expected: .other),
      Report(line: #"{"class":"TPVX","lat":3.5,"lon":2.5}"#, expected: .other),
      Report(line: #"{"class":"TOFF","real_sec":1718452802, "real_nsec":0}"#, expected: .other),
      Report(line: #"{"class":"SOMETHING-NEW"}"#, expected: .other),
      Report(line: #"{"class":3}"#, expected: .malformed(.noClass)),
      Report(line: "{}", expected: .malformed(.noClass)),
      Report(line: #"{"x":{"class":"TPV"}}"#, expected: .malformed(.noClass)),
      Report(line: "", expected: .malformed(.syntax)),
      Report(line: "[1]", expected: .malformed(.syntax)),
      Report(line: "null", expected: .malformed(.syntax)),
      Report(line: "{", expected: .malformed(.cutShort)),
      Report(line: #"{"class":"TPV","lat":4"#, expected: .malformed(.cutShort)),
      Report(line: #"{"class":"TP"#, expected: .malformed(.cutShort)),
      Report(line: #"{"class":"TPV","lat"#, expected: .malformed(.cutShort)),
      Report(line: #"{"class":"TPV","x":"\"#, expected: .malformed(.cutShort)),
      Report(line: #"{"class":"TPV","x":"\u12"#, expected: .malformed(.cutShort)),
      Report(line: #"{"class":"TPV","x":"\q"}"#, expected: .malformed(.syntax)),
      Report(line: #"{"class":"TPV","x":"\u12g4"}"#, expected: .malformed(.syntax)),
      Report(line: "{\"class\":\"TPV\",\"x\":\"\u{1}\"}", expected: .malformed(.syntax)),
      Report(line: #"{"class":"TPV",}"#, expected: .malformed(.syntax)),
      Report(line: #"{"class":"TPV" "lat":1}"#, expected: .malformed(.syntax)),
      Report(line: #"{"class" "TPV"}"#, expected: .malformed(.syntax)),
      Report(line: #"{"class":"TPV","lat":}"#, expected: .malformed(.syntax)),
      Report(line: #"{"class":"TPV","lat":nul}"#, expected: .malformed(.syntax)),
      Report(line: #"{"class":"TPV","x":-true}"#, expected: .malformed(.syntax)),
      Report(line: #"{"class":"TPV","lat":048.1}"#, expected: .malformed(.badNumber)),
      Report(line: #"{"class":"TPV","lat":48.}"#, expected: .malformed(.badNumber)),
      Report(line: #"{"class":"TPV","lat":-}"#, expected: .malformed(.syntax)),
      Report(line: #"{"class":"TPV","lat":1e}"#, expected: .malformed(.badNumber)),
      Report(line: #"{"class":"TPV","alt":012}"#, expected: .malformed(.badNumber)),
      Report(line: #"{"class":"TPV","alt":1.2.3}"#, expected: .malformed(.syntax)),
      Report(line: #"{"class":"TPV"}x"#, expected: .malformed(.trailingBytes)),
      Report(line: #"{"class":"TPV"}{"class":"TPV"}"#, expected: .malformed(.trailingBytes)),
      Report(line: #"{"class":"SKY","satellites":[{"PRN":1}"#, expected: .malformed(.cutShort)),
    ])
  func reports(row: Report) {
    #expect(decode(row.line) == row.expected)
  }

  @Test("32 levels pass, 33 do not, in a position report and elsewhere")
  func depth() {
    func nested(_ depth: Int, class name: String) -> String {
      let inner = depth - 1
      return #"{"class":"\#(name)","x":"#
        + String(repeating: "[", count: inner) + String(repeating: "]", count: inner) + "}"
    }
    #expect(decode(nested(32, class: "WATCH")) == .watch)
    #expect(decode(nested(33, class: "WATCH")) == .malformed(.tooDeep))
    #expect(decode(nested(32, class: "TPV")) == .tpv(Fix(mode: 0, coordinate: nil, time: nil)))
    #expect(decode(nested(33, class: "TPV")) == .malformed(.tooDeep))
    #expect(decode(nested(30_000, class: "TPV")) == .malformed(.tooDeep))
  }

  @Test("what a line says does not depend on the line before: keys, order, day")
  func noMemory() {
    let lines = [
      #"{"class":"TPV","mode":3,"time":"2024-06-15T12:00:05.000Z","lat":1.5,"lon":2.5,"magtrack":9.5}"#,
      #"{"class":"TPV","mode":3,"time":"2024-06-16T00:00:00.001Z","lon":1.5,"lat":2.5,"magtrack":9.5}"#,
      #"{"class":"TPV","mode":2,"time":"2016-12-31T23:59:60.500Z","lan":1.5,"lat":2.5,"magtruck":9.5}"#,
      #"{"class":"TPV","mode":2,"time":"2017-01-01T00:00:00.500Z","lat": 1.5,"lon":2.5,"magtrack":9.5}"#,
      #"{"class":"SKY","mode":2,"time":"2017-01-01T00:00:00.500Z","lat":1.5}"#,
      #"{"lat":1.5,"lon":2.5,"time":"2017-01-01T00:00:00+00:00","class":"TPV","mode":1}"#,
      #"{"class":"TPV","mode":2,"time":"2017-01-01T24:00:00.000Z","lat":1.5,"lon":2.5,"m":0}"#,
      #"{"class":"TPV","mode":2,"time":"2017-01-01T00:00:61.000Z","lat":1.5,"lon":2.5,"m":0}"#,
      #"{"class":"TPV"}"#, #"{"class":"TPV","mode"#,
    ]
    for before in lines {
      for line in lines {
        var decoder = TPVDecoder()
        _ = before.withBytes { decoder.decode($0) }
        #expect(line.withBytes { decoder.decode($0) } == decode(line), "\(before)")
      }
    }
    #expect(
      fix(#","time":"2016-12-31T23:59:60.500Z""#)?.time == Timestamp(1_483_228_800_500))
  }

  @Test("each device has its number, and beyond 64 all share one")
  func devices() {
    var decoder = TPVDecoder()
    func device(_ name: String) -> DeviceID? {
      #"{"class":"TPV","device":"\#(name)"}"#.withBytes {
        if case .tpv(let fix) = decoder.decode($0) { fix.device } else { nil }
      }
    }
    for number in 1...64 { #expect(device("/dev/\(number)") == DeviceID(UInt16(number))) }
    #expect(device("/dev/65") == DeviceTable.overflow)
    #expect(device("/dev/66") == DeviceTable.overflow)
    #expect(device("/dev/7") == DeviceID(7))
    #expect(device(#"\/dev\/7"#) == DeviceID(7))
    #expect(device("") == .unnamed)
    #expect(decoder.devices.name(of: DeviceID(7)) == "/dev/7")
    #expect(decoder.devices.name(of: .unnamed) == nil)
    #expect(decoder.devices.name(of: DeviceTable.overflow) == nil)
    #expect(decoder.id(ofDevice: "/dev/64") == DeviceID(64))
  }
}
