import FixFormats
import Geodesy
import Milepost
import Testing

@Suite struct CSVFixDecoderTests {
  struct Row: CustomTestStringConvertible {
    var line: String
    var expected: CSVFixDecoder.Row
    var testDescription: String { line }

    /// A row at 1.5, 2.5 with that time.
    static func at(_ line: String, _ milliseconds: Int64?) -> Row {
      Row(
        line: line,
        expected: .fix(
          Fix(
            mode: 2, coordinate: Coordinate(latitude: 1.5, longitude: 2.5),
            time: milliseconds.map(Timestamp.init(_:)))))
    }

    static func bad(_ line: String, _ problem: LineProblem) -> Row {
      Row(line: line, expected: .malformed(problem))
    }
  }

  @Test(
    "a row is a fix, or says why not",
    arguments: [
      .at("2024-06-15T12:00:05Z,1.5,2.5", 1_718_452_805_000),
      .at("2024-06-15T12:00:05.1234Z,1.5,2.5", 1_718_452_805_123),
      .at("2024-06-15T12:00:05.12350000Z,1.5,2.5", 1_718_452_805_124),
      .at("2024-06-15 14:00:05+02:00,1.5,2.5", 1_718_452_805_000),
      .at("2024-06-15T07:30:05-0430,1.5,2.5", 1_718_452_805_000),
      .at("2024-06-15T20:00:05+08,1.5,2.5", 1_718_452_805_000),
      .at("1718452805,1.5,2.5", 1_718_452_805_000),
      .at("1718452805.25,1.5,2.5", 1_718_452_805_250),
      .at("1718452804.9999,1.5,2.5", 1_718_452_805_000),
      .at("-100000001.5,1.5,2.5", -100_000_001_500),
      .bad("18452805,1.5,2.5", .badTime),
      .at(",1.5,2.5", nil),
      .at(" , +1.50 ,\t2.5 ", nil),
      .at(",1.5,2.5,,,", nil),
      .at(",.15e1,2.5", nil),
      Row(
        line: "1718452805,-1.5,-2.5,11.5,84.25,4.5",
        expected: .fix(
          Fix(
            mode: 2, coordinate: Coordinate(latitude: -1.5, longitude: -2.5),
            time: Timestamp(1_718_452_805_000), speed: 11.5, track: 84.25, horizontalError: 4.5))),
      Row(
        line: ",91,181",
        expected: .fix(
          Fix(mode: 2, coordinate: Coordinate(latitude: 91, longitude: 181), time: nil))),
      Row(
        line: "1718452805,,",
        expected: .fix(Fix(mode: 1, coordinate: nil, time: Timestamp(1_718_452_805_000)))),
      Row(line: "time,lat,lon", expected: .header),
      Row(line: "Time,Latitude,Longitude,speed", expected: .header),
      .bad("hello", .unknownFormat),
      .bad("1718452805,1.5", .unknownFormat),
      .bad("1718452805;1.5;2.5", .unknownFormat),
      .bad("yesterday,1.5,2.5", .badTime),
      .bad("2024-06-15T12:00:05,1.5,2.5", .badTime),
      .bad("2024-02-30T12:00:05Z,1.5,2.5", .badTime),
      .bad("2024-06-15T12:00:05.Z,1.5,2.5", .badTime),
      .bad("2024-06-15T12:00:05+0:00,1.5,2.5", .badTime),
      .bad("2024-06-15T12:00:05+19:00,1.5,2.5", .badTime),
      .bad("1718452805000000,1.5,2.5", .badTime),
      .bad("999999999999,1.5,2.5", .badTime),
      .bad("1e9,1.5,2.5", .badTime),
      .bad(",x,2.5", .badLatitude),
      .bad(",nan,2.5", .badLatitude),
      .bad(",1e999,2.5", .badLatitude),
      .bad(",,2.5", .badLatitude),
      .bad(",1.5,", .badLongitude),
      .bad(",1.5,2.5,fast", .badSpeed),
      .bad(",1.5,2.5,,north", .badTrack),
      .bad(",1.5,2.5,,,good", .badError),
      .bad(",1.5,2.5,,,,", .tooManyFields),
    ] as [Row])
  func rows(row: Row) {
    #expect(row.line.withBytes(CSVFixDecoder.decode) == row.expected)
  }
}
