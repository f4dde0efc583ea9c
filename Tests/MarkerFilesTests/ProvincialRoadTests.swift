import Glibc
import MarkerFiles
import Milepost
import TestSupport
import Testing

/// The provincial roads of Taiwan (data.gov.tw 7040), as a whole.
@Suite struct ProvincialRoadTests {
  static let file = TestData.path("markers/tw-provincial-7040.cp950.csv")
  static let isAbsent = access(file, R_OK) != 0

  @Test(
    "30,079 rows load whole: a fence for each of the 20,002 road and plate pairs, and further ones",
    .disabled(if: isAbsent, "\(TestData.absence)"))
  func loads() throws {
    let rows = try Self.records(of: Self.utf8(Self.file))
    let titles = try #require(rows.first)
    func column(_ title: String) throws -> Int { try #require(titles.firstIndex(of: title)) }
    let (road, plate) = (try column("公路編號"), try column("牌面內容"))
    let (longitude, latitude) = (try column("坐標-E-WGS84"), try column("坐標-N-WGS84"))
    let carriageway = try column("牌面方向")

    var csv = "road,mileage,plate,latitude,longitude,carriageway\n"
    var keys: Set<[String]> = []
    for row in rows.dropFirst() {
      // Every row of this file has a usable plate: a plain decimal number.
      keys.insert([row[road], row[plate]])
      csv +=
        [row[road], row[plate], row[plate], row[latitude], row[longitude], row[carriageway]]
        .joined(separator: ",") + "\n"
    }
    // As Python's csv module counts them.
    #expect(rows.count - 1 == 30_079)
    #expect(keys.count == 20_002)

    let set = read(csv)
    #expect(set.rowsRead == 30_079 && set.rowsSkipped == 0 && set.failures.isEmpty)
    let loaded = Set(
      set.fences.compactMap { $0.milepost.map { [$0.road, $0.mileage.description] } })
    #expect(loaded.count == 20_002)
    #expect(set.fences.filter { !$0.id.contains("#") }.count == 20_002)
    #expect(Set(set.fences.map(\.id)).count == set.fences.count)
    #expect(set.reports.count == set.fences.count - 20_002)
    #expect(set.rowsMerged == 30_079 - set.fences.count)

    let wide = read(csv, options: MarkerOptions(defaultRadius: 75, roads: ["台1"]))
    #expect(wide.fences.allSatisfy { $0.milepost?.road == "台1" && $0.radius == 75 })
    #expect(wide.rowsRead == 30_079 && wide.fences.count > 0)
  }

  /// The file through iconv(3).
  private static func utf8(_ path: String) throws -> String {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var input = [CChar](repeating: 0, count: 1 << 24)
    var inputLeft = fread(&input, 1, input.count, file)
    var output = [CChar](repeating: 0, count: 1 << 25)
    var outputLeft = output.count
    let converter = try #require(iconv_open("UTF-8", "CP950"))
    defer { iconv_close(converter) }
    input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        var (from, to) = (source.baseAddress, target.baseAddress)
        _ = iconv(converter, &from, &inputLeft, &to, &outputLeft)
      }
    }
    try #require(inputLeft == 0)
    return String(
      decoding: output.prefix(output.count - outputLeft).lazy.map { UInt8(bitPattern: $0) },
      as: UTF8.self)
  }

  /// A plain CSV reader by another way than the code under test: a toggle at each quote.
  private static func records(of text: String) -> [[String]] {
    var (records, record, cell): ([[String]], [String], String.UnicodeScalarView) = (
      [], [], .init()
    )
    var isQuoted = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": isQuoted.toggle()
      case ",", "\n":
        guard !isQuoted else { continue }
        record.append(String(cell))
        cell = .init()
        if scalar == "\n" {
          records.append(record)
          record = []
        }
      case "\r": continue
      default: cell.append(scalar)
      }
    }
    return records
  }
}
