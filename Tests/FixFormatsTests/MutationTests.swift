import FixFormats
import Milepost
import TestSupport
import Testing

/// Lines damaged at random: none may crash a decoder, make it hang, or make one line many fixes.
@Suite struct MutationTests {
  static let tpv = [
    #"{"class":"TPV","device":"/dev/ttyGPS0","status":2,"mode":3,"time":"2024-06-15T12:00:05.000Z","ept":0.005,"lat":48.117400000,"lon":11.517166667,"track":84.4000,"speed":11.524,"eph":17.100}"#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-11-30T09:06:08.216Z"}]}"#,
    #"{"class":"ERROR","message":"Unrecognized \u00e9\ud83d\ude97 '?FOO;\n'"}"#,
    #"{"class":"SKY","satellites":[{"PRN":1,"el":-1.5e-3,"used":true},[],{},null,NaN,-inf]}"#,
  ]
  static let nmea = [
    sentence("GPRMC,165744.25,A,4901.5940,N,01203.9163,E,22.4,131.9,110424,1.6,E,A"),
    sentence("GNGGA,165744.25,4901.5940,N,01203.9163,E,1,07,1.0,336.7,M,46.6,M,,"),
    sentence("GNGNS,165744.25,4901.5940,N,01203.9163,E,AN,07,1.0,336.7,46.6,,"),
    sentence("GPGLL,4901.5940,N,01203.9163,E,165744.25,A,A"),
  ]
  static let csv = [
    "2024-06-15T12:00:05.123+02:00,48.1174,11.517,11.5,84.25,4.5", "1718452805.25,-1.5,2.5e0",
  ]
  /// Bytes that mean something somewhere.
  static let spice = Array("{}[]\",:\\$!*#-+.eE0159nNtT \t\0\u{7F}é".utf8) + [0xFF, 0x80]

  struct Row: CustomTestStringConvertible {
    var name: String
    var lines: [String]
    var testDescription: String { name }
  }

  @Test(
    "a damaged line is at most one fix, and none is lost count of",
    arguments: [
      Row(name: "TPV", lines: tpv), Row(name: "NMEA", lines: nmea), Row(name: "CSV", lines: csv),
      Row(name: "all", lines: tpv + nmea + csv),
    ])
  func damaged(row: Row) {
    var generator = SeededRandom.fresh(for: "MutationTests.\(row.name)")
    var decoder = FixDecoder(requiresChecksum: false)
    var fixes = 0
    let rounds = 20_000
    for _ in 0..<rounds {
      let line = mutated(row.lines, &generator)
      _ = line.withUnsafeBytes { decoder.decode($0) { _ in fixes += 1 } }
    }
    decoder.finish { _ in fixes += 1 }
    let counters = decoder.counters
    #expect(counters.lines == rounds)
    #expect(counters.fixes == fixes)
    #expect(fixes <= rounds)
    let others =
      counters.blank + counters.malformed + counters.otherReports + counters.otherSentences
    #expect(others + fixes <= rounds)
    #expect(counters.malformed > 0)
  }

  @Test("a damaged report reads the same after any other")
  func damagedReports() {
    var generator = SeededRandom.fresh(for: "MutationTests.damagedReports")
    var used = TPVDecoder()
    func withoutDevice(_ report: GpsdReport) -> GpsdReport {
      guard case .tpv(var fix) = report else { return report }
      fix.device = .unnamed
      return .tpv(fix)
    }
    for _ in 0..<20_000 {
      let line = mutated(Self.tpv, &generator)
      var new = TPVDecoder()
      let expected = line.withUnsafeBytes { withoutDevice(new.decode($0)) }
      let found = line.withUnsafeBytes { withoutDevice(used.decode($0)) }
      #expect(found == expected, "\(String(decoding: line, as: UTF8.self))")
    }
  }

  @Test("every beginning of a line is taken without harm")
  func everyPrefix() {
    var decoder = FixDecoder(requiresChecksum: false)
    for line in Self.tpv + Self.nmea + Self.csv {
      let bytes = Array(line.utf8)
      for end in 0...bytes.count {
        // Exactly as large as the line, so that a sanitizer sees a read beyond it.
        let exact = UnsafeMutableRawBufferPointer.allocate(byteCount: end, alignment: 1)
        defer { exact.deallocate() }
        exact.copyBytes(from: bytes[..<end])
        decoder.decode(UnsafeRawBufferPointer(exact)) { _ in }
      }
    }
  }

  private func mutated(_ lines: [String], _ generator: inout SeededRandom) -> [UInt8] {
    var bytes = Array((lines.randomElement(using: &generator) ?? "").utf8)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let at = Int.random(in: 0...bytes.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.insert(Self.spice.randomElement(using: &generator) ?? 0, at: at)
      case 1: if at < bytes.count { bytes.remove(at: at) }
      case 2: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &generator) }
      case 3: bytes.removeSubrange(at...)
      case 4: bytes.removeSubrange(..<at)
      default:
        let from = Int.random(in: 0...bytes.count, using: &generator)
        bytes.insert(contentsOf: bytes[min(at, from)..<max(at, from)], at: at)
      }
    }
    return bytes
  }
}
