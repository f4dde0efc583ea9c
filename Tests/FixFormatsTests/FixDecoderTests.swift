import FixFormats
import Milepost
import Testing

@Suite struct FixDecoderTests {
  struct Row: CustomTestStringConvertible {
    var line: String
    var fixes = 0
    var blank = 0
    var malformed = 0
    var otherReports = 0
    var otherSentences = 0
    var testDescription: String { line }
  }

  @Test(
    "each line tells its format, and is counted once",
    arguments: [
      Row(line: #"{"class":"TPV"}"#, fixes: 1),
      Row(line: #"2026-11-30T09:06:08Z: {"class":"TPV"}"#, fixes: 1),
      Row(line: #"1764493568.123456: {"class":"SKY"}"#, otherReports: 1),
      Row(line: sentence("GPGLL,4901.5940,N,01203.9163,E,165744,A,A"), fixes: 1),
      Row(line: "Mon Nov 30: " + sentence("GPGLL,4901.5940,N,01203.9163,E,165744,A,A"), fixes: 1),
      Row(line: sentence("GPGSV,1,1,00"), otherSentences: 1),
      Row(line: "!AIVDM,1,1,,A,13aG?P0P00PD;88MD5MTDww@2<0L,0*23", otherSentences: 1),
      Row(line: ",1.5,2.5", fixes: 1),
      Row(line: "\u{FEFF}time,lat,lon", blank: 1),
      Row(line: "\u{FEFF}1718452805,1.5,2.5", fixes: 1),
      Row(line: "", blank: 1),
      Row(line: " \t", blank: 1),
      Row(line: "# Name: a log with $ and {", blank: 1),
      Row(line: #"66667,"lon":12.065271667}"#, malformed: 1),
      Row(line: #""lat":1.5,"x":{"a":1}}"#, malformed: 1),
      Row(line: "4.0,N,01203.9163,E,1,07*4D", malformed: 1),
      Row(line: "\0\u{1}\u{7F}é", malformed: 1),
      Row(line: "$GPGLL,4901.5940,N,01203.9163,E,165744,A,A*00", malformed: 1),
    ])
  func oneLine(row: Row) {
    var decoder = FixDecoder()
    var fixes = 0
    let problem = row.line.withBytes { decoder.decode($0) { _ in fixes += 1 } }
    decoder.finish { _ in fixes += 1 }
    var expected = FixDecoder.Counters()
    expected.lines = 1
    expected.fixes = row.fixes
    expected.blank = row.blank
    expected.malformed = row.malformed
    expected.otherReports = row.otherReports
    expected.otherSentences = row.otherSentences
    #expect(decoder.counters == expected)
    #expect(fixes == row.fixes)
    #expect((problem != nil) == (row.malformed == 1))
  }

  @Test("formats may be mixed, and each fix comes in its turn")
  func mixed() {
    var decoder = FixDecoder()
    var modes: [UInt8] = []
    let lines = [
      #"{"class":"TPV","device":"/dev/x","mode":7}"#, ",1.5,2.5",
      sentence("GPGLL,,,,,165744,V,N"), "junk", #"{"class":"TPV","mode":9}"#,
    ]
    for line in lines { _ = line.withBytes { decoder.decode($0) { modes.append($0.mode) } } }
    decoder.finish { modes.append($0.mode) }
    #expect(modes == [7, 2, 9, 1])
    #expect(decoder.devices.name(of: DeviceID(1)) == "/dev/x")
  }

  @Test("a checksum may be made needless")
  func relaxed() {
    var decoder = FixDecoder(requiresChecksum: false)
    let line = "$GPGLL,4901.5940,N,01203.9163,E,165744,A,A"
    #expect(line.withBytes { decoder.decode($0) { _ in } } == nil)
  }
}
