import FixFormats
import Geodesy
import Milepost
import Testing

@Suite struct NMEADecoderTests {
  /// The fixes of whole input, and what became of each sentence.
  private func decode(
    _ sentences: [String], requiresChecksum: Bool = true
  ) -> (fixes: [Fix], outcomes: [NMEADecoder.Outcome]) {
    var decoder = NMEADecoder(requiresChecksum: requiresChecksum)
    var fixes: [Fix] = []
    let outcomes = sentences.map { line in
      line.withBytes { decoder.decode($0) { fixes.append($0) } }
    }
    decoder.finish { fixes.append($0) }
    return (fixes, outcomes)
  }

  static let regensburg = Coordinate(latitude: 49.02656666666667, longitude: 12.065271666666666)
  static let place = "4901.5940,N,01203.9163,E"

  struct Row: CustomTestStringConvertible {
    var name: String
    var body: String
    var expected: Fix
    var testDescription: String { name }

    static func void(_ name: String, _ body: String, time: Int64? = nil) -> Row {
      Row(
        name: name, body: body,
        expected: Fix(mode: 1, coordinate: nil, time: time.map(Timestamp.init(_:))))
    }

    static func here(
      _ name: String, _ body: String, mode: UInt8 = 2, time: Int64? = nil,
      origin: Fix.Origin = .measured
    ) -> Row {
      Row(
        name: name, body: body,
        expected: Fix(
          mode: mode, coordinate: regensburg, time: time.map(Timestamp.init(_:)), origin: origin))
    }
  }

  static let noon: Int64 = 1_712_854_664_000

  @Test(
    "one sentence, one fix",
    arguments: [
      Row(
        name: "RMC", body: "GPRMC,165744,A,\(place),22.4,131.9,110424,1.6,E,A",
        expected: Fix(
          mode: 2, coordinate: regensburg, time: Timestamp(noon), speed: 11.523555555555554,
          track: 131.9)),
      Row(
        name: "south and west",
        body: "GNRMC,165744.00,A,3351.1234567,S,15112.6543210,W,,,110424,,,D",
        expected: Fix(
          mode: 2,
          coordinate: Coordinate(latitude: -33.852057611666666, longitude: -151.21090535),
          time: Timestamp(noon))),
      .here("RMC of NMEA 2.0, without mode", "GPRMC,165744,A,\(place),,,110424,,", time: noon),
      .here(
        "a navigational status V is not void", "GNRMC,165744,A,\(place),,,110424,,,A,V", time: noon),
      .here("any talker", "XYRMC,165744,A,\(place),,,110424,,,A", time: noon),
      .here("half a millisecond up", "GPRMC,165743.9995,A,\(place),,,110424,,,A", time: noon),
      .here("less is cut", "GPRMC,165744.00049,A,\(place),,,110424,,,A", time: noon),
      .here("a year of 1999", "GPRMC,000001,A,\(place),,,311299,,,A", time: 946_598_401_000),
      .here("79 is 2079", "GPRMC,000000,A,\(place),,,060179,,,A", time: 3_440_188_800_000),
      .here("80 is 1980", "GPRMC,000000,A,\(place),,,060180,,,A", time: 315_964_800_000),
      .here("the leap day", "GPRMC,235959,A,\(place),,,290224,,,A", time: 1_709_251_199_000),
      .here("a leap second", "GPRMC,235960,A,\(place),,,150624,,,A", time: 1_718_496_000_000),
      .here("mode E", "GPRMC,165744,A,\(place),,,110424,,,E", time: noon, origin: .estimated),
      .here("mode S", "GPRMC,165744,A,\(place),,,110424,,,S", time: noon, origin: .simulated),
      .here("mode M", "GPRMC,165744,A,\(place),,,110424,,,M", time: noon, origin: .simulated),
      .here(
        "GGA, with altitude, without date", "GPGGA,165744,\(place),1,07,1.0,336.7,M,46.6,M,,",
        mode: 3),
      .here("GGA without altitude", "GPGGA,165744,\(place),2,07,1.0,,M,,M,,"),
      .here("quality 6", "GPGGA,165744,\(place),6,07,1.0,,M,,M,,", origin: .estimated),
      .here("quality 7", "GPGGA,165744,\(place),7,07,1.0,,M,,M,,", origin: .simulated),
      .here("quality 8", "GPGGA,165744,\(place),8,07,1.0,,M,,M,,", origin: .simulated),
      .here("GNS", "GNGNS,165744,\(place),AAN,07,1.0,336.7,46.6,,", mode: 3),
      .here("GNS, one system has a fix", "GNGNS,165744,\(place),NNA,07,1.0,,,,"),
      .here("GNS, estimated", "GNGNS,165744,\(place),NE,07,1.0,,,,", origin: .estimated),
      .here("GNS, measured by one", "GNGNS,165744,\(place),EA,07,1.0,,,,"),
      .here("GLL", "GPGLL,\(place),165744,A,A"),
      .here("GLL of NMEA 2.0", "GPGLL,\(place),165744,A"),
      .here("GLL of NMEA 1.5", "GPGLL,\(place)"),
      .void("RMC void", "GPRMC,165744,V,\(place),,,110424,,,A", time: noon),
      .void("RMC mode N", "GPRMC,165744,A,\(place),,,110424,,,N", time: noon),
      .void("RMC empty", "GPRMC,,V,,,,,,,,,,N"),
      .void("day 00", "GPRMC,165744,A,\(place),,,000424,,,A"),
      .void("30 February", "GPRMC,165744,A,\(place),,,300224,,,A"),
      .void("hour 24", "GPRMC,240000,A,\(place),,,110424,,,A"),
      .void("minutes 60", "GPRMC,165744,A,4960.0000,N,01203.9163,E,,,110424,,,A", time: noon),
      .void(
        "minutes 60 of longitude", "GPRMC,165744,A,4901.5940,N,01260.0,E,,,110424,,,A", time: noon),
      .void(
        "latitude beyond 90", "GPRMC,165744,A,9000.0001,N,01203.9163,E,,,110424,,,A", time: noon),
      .void(
        "longitude beyond 180", "GPRMC,165744,A,4901.5940,N,18000.1,E,,,110424,,,A", time: noon),
      .void("no hemisphere", "GPRMC,165744,A,4901.5940,,01203.9163,E,,,110424,,,A", time: noon),
      .void(
        "letters in a number", "GPRMC,165744,A,49O1.5940,N,01203.9163,E,,,110424,,,A", time: noon),
      .void("quality 0", "GPGGA,165744,\(place),0,00,99.99,,,,,,"),
      .void("no quality", "GPGGA,165744,\(place),,00,99.99,,,,,,"),
      .void("GNS, all N", "GNGNS,165744,\(place),NNN,,,,,,"),
      .void("GLL void", "GPGLL,\(place),165744,V,N"),
    ])
  func oneSentence(row: Row) throws {
    let result = decode([sentence(row.body)])
    #expect(result.outcomes == [.taken])
    #expect(result.fixes.count == 1)
    let fix = try #require(result.fixes.first)
    var close = fix
    if let a = fix.coordinate, let b = row.expected.coordinate,
      abs(a.latitude - b.latitude) < 1e-13, abs(a.longitude - b.longitude) < 1e-13
    {
      close.coordinate = b
    }
    if let a = fix.speed, let b = row.expected.speed, abs(a - b) < 1e-12 { close.speed = b }
    #expect(close == row.expected)
  }

  struct Other: CustomTestStringConvertible {
    var line: String
    var expected: NMEADecoder.Outcome
    var testDescription: String { line }
  }

  static let valid = sentence("GPGLL,\(place),165744,A,A")

  @Test(
    "what is no position is told apart",
    arguments: [
      Other(line: sentence("GPGSV,1,1,00"), expected: .ignored),
      Other(line: "$GPGSV,1,1,00*00", expected: .ignored),
      Other(line: "$PGRMC,A,,,,,,,,,A,3,1,1,4,30*00", expected: .ignored),
      Other(line: "!AIVDM,1,1,,A,13aG?P0P00PD;88MD5MTDww@2<0L,0*23", expected: .ignored),
      Other(line: valid + " \r", expected: .taken),
      Other(line: valid.lowercased(), expected: .malformed(.notASentence)),
      Other(line: String(valid.dropLast(1)), expected: .malformed(.cutShort)),
      Other(line: String(valid.dropLast(2)), expected: .malformed(.cutShort)),
      Other(line: String(valid.dropLast(3)), expected: .malformed(.noChecksum)),
      Other(line: String(valid.dropLast(2)) + "00", expected: .malformed(.wrongChecksum)),
      Other(line: valid + "x", expected: .malformed(.wrongChecksum)),
      Other(line: "$GPGLL*50", expected: .malformed(.notASentence)),
      Other(line: "$GPG", expected: .malformed(.cutShort)),
      Other(line: "$", expected: .malformed(.notASentence)),
      Other(line: "$$$,,,", expected: .malformed(.notASentence)),
      Other(line: "GPGLL", expected: .malformed(.notASentence)),
      Other(line: "", expected: .malformed(.notASentence)),
    ])
  func outcomes(row: Other) {
    #expect(decode([row.line]).outcomes == [row.expected])
  }

  @Test("without the need of a checksum one may be absent, but not wrong")
  func relaxed() {
    let bare = "$GPGLL,\(Self.place),165744,A,A"
    let result = decode([bare, bare + "*00", Self.valid], requiresChecksum: false)
    #expect(result.outcomes == [.taken, .malformed(.wrongChecksum), .taken])
  }

  private func rmc(_ time: String, _ date: String = "110424") -> String {
    sentence("GPRMC,\(time),A,\(Self.place),10,20,\(date),,,A")
  }
  private func gga(_ time: String) -> String {
    sentence("GPGGA,\(time),\(Self.place),1,07,1.0,336.7,M,46.6,M,,")
  }

  @Test("the sentences of one time are one fix, with the date of the one that has it")
  func epochs() {
    let fixes = decode([gga("165744"), rmc("165744"), gga("165745"), rmc("165745")]).fixes
    #expect(fixes.map(\.time) == [Timestamp(Self.noon), Timestamp(Self.noon + 1_000)])
    #expect(fixes.allSatisfy { $0.mode == 3 && $0.track == 20 })
  }

  @Test("from the second epoch on a fix comes with its epoch's last sentence, and only once")
  func prompt() {
    var decoder = NMEADecoder()
    var counts: [Int] = []
    for second in 0..<4 {
      for line in [rmc("16574\(second)"), gga("16574\(second)"), rmc("16574\(second)")] {
        var count = 0
        _ = line.withBytes { decoder.decode($0) { _ in count += 1 } }
        counts.append(count)
      }
    }
    decoder.finish { _ in counts.append(99) }
    #expect(counts == [0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0])
  }

  @Test("a sentence lost makes its epoch late, not the fix of the next one poorer")
  func lostSentence() {
    var lines: [String] = []
    for second in 0..<6 {
      lines += [gga("16574\(second)"), rmc("16574\(second)")]
    }
    lines.remove(at: 5)
    let fixes = decode(lines).fixes
    #expect(fixes.count == 6)
    #expect(fixes.map { $0.speed != nil } == [true, true, false, true, true, true])
    let noon = Self.noon - 4_000
    #expect(fixes.map(\.time) == (0..<6).map { Timestamp(noon + 1_000 * Int64($0)) })
  }

  @Test("a time without date is within 12 h of the last known, over midnight both ways")
  func dates() {
    let lines = [rmc("235958", "150624"), gga("235959"), gga("000000"), gga("235959")]
    let midnight: Int64 = 1_718_496_000_000
    #expect(
      decode(lines).fixes.map(\.time)
        == [-2_000, -1_000, 0, -1_000].map { Timestamp(midnight + $0) })
  }

  @Test("without any date there is no time")
  func noDate() {
    #expect(decode([gga("235959"), gga("000000")]).fixes.map(\.time) == [nil, nil])
  }

  @Test("the position is that of the sentence that is valid")
  func partlyVoid() {
    let void = sentence("GPRMC,165744,V,,,,,,,110424,,,N")
    let fixes = decode([void, gga("165744")]).fixes
    #expect(fixes.count == 1)
    #expect(fixes.first?.coordinate?.latitude == 49 + 1.5940 / 60)
    #expect(fixes.first?.time == Timestamp(Self.noon))
  }

  @Test("untimed void sentences make one epoch until a kind comes again")
  func untimed() {
    let lines = ["GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,00,99.99,,,,,,", "GPGLL,,,,,,V,N"]
    let fixes = decode((lines + lines + lines).map { sentence($0) }).fixes
    #expect(fixes == Array(repeating: Fix(mode: 1, coordinate: nil, time: nil), count: 3))
  }

  @Test("one valid sentence that says simulated makes the epoch simulated")
  func leastTrusted() {
    let simulated = sentence("GPRMC,165744,A,\(Self.place),,,110424,,,S")
    #expect(decode([gga("165744"), simulated]).fixes.map(\.origin) == [.simulated])
  }
}
