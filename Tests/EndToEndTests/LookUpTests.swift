import Glibc
import TestSupport
import Testing

@Suite("import, find and roads")
struct LookUpTests {
  private static let agency = """
    street;post;north;east;side
    臺9線;5,0;25,0;121,5;北上
    台9;5,5;25,01;121,5;南下
    台9;-0,3;24,9;121,5;
    台61甲;x;24,9;121,5;
    I-5;7;45,1;-122,5;

    """

  private static let columns = [
    "--road", "street", "--mileage", "post", "--lat", "north", "--lon", "east", "--carriageway",
    "side",
    "--decimal-comma", "--category", "=省道",
  ]

  struct Answer {
    var code: Int32
    var lines: [String]
  }

  private func run(_ arguments: [String], environment: [(name: String, value: String)] = []) throws
    -> Answer
  {
    let program = try RunningProgram(
      RunningProgram.product("milepostctl"), arguments, environment: environment)
    return Answer(code: try program.end(), lines: program.lines)
  }

  @Test("a file is imported in one step, rejected rows named, and its mileposts found")
  func whole() throws {
    let folder = try ScratchFolder()
    let source = try folder.write("agency.csv", Self.agency)
    let markers = folder("markers.csv")
    let imported = try run(["import"] + Self.columns + ["-o", markers, source])
    #expect(imported.code == 0)
    #expect(
      imported.lines[0] == "5 rows read, 4 mileposts written, 0 merged, 1 rejected, 0 left out")
    #expect(imported.lines[1] == "rejected 1: mileage \"x\" is none in the notation set: line 5")
    #expect(imported.lines.contains("台9: 3, -0K+300 to 5K+500"))
    #expect(
      try TestData.lines(of: markers).prefix(3) == [
        "road,mileage,latitude,longitude,category,section,carriageway,name,radius,kind,plate",
        "台9,-0K+300,24.9,121.5,省道,,,,,,\"-0,3\"", "台9,5K+000,25,121.5,省道,,北上,,,,\"5,0\"",
      ])

    struct Row {
      var arguments: [String]
      var code: Int32 = 0
      var first: String
    }
    let rows = [
      Row(arguments: ["台9", "5.1"], first: "台9 5K+000  25 121.5  北上"),
      Row(arguments: ["臺九線", "5.25"], first: "台9 5K+000  25 121.5  北上"),
      Row(arguments: ["--tie", "larger", "台9", "5.25"], first: "台9 5K+500  25.01 121.5  南下"),
      Row(arguments: ["--carriageway", "南下", "台9", "5"], first: "台9 5K+500  25.01 121.5  南下"),
      Row(arguments: ["台9", "-0K+300"], first: "台9 -0K+300  24.9 121.5"),
      Row(arguments: ["台9", "7.5"], first: "台9 5K+500  25.01 121.5  南下"),
      Row(
        arguments: ["台9", "7.501"], code: 1,
        first: "milepostctl: 台9 7K+501: no milepost within 2 km"),
      Row(
        arguments: ["台61", "5"], code: 1,
        first: "milepostctl: road 台61 is unknown; the closest are 台9, I-5"),
      Row(
        arguments: ["--category", "國道", "台9", "5"], code: 1,
        first: "milepostctl: 台9 is not in the category 國道, but in 省道"),
      Row(
        arguments: ["台9", "x"], code: 64,
        first: "milepostctl: \"x\" is not a mileage (use 15K+200, 15.2 or MP 26.00)"),
      Row(
        arguments: ["--json", "台9", "5.1"],
        first:
          #"{"id":"台9/5K+000","road":"台9","category":"省道","carriageway":"北上","mileage":"5K+000","mileage_m":5000,"off_m":-100,"plate":"5,0","latitude":25,"longitude":121.5}"#
      ),
    ]
    for row in rows {
      let answer = try run(["find", "--markers", markers] + row.arguments)
      #expect(answer.code == row.code, "\(row.arguments)")
      #expect(answer.lines.first == row.first)
    }
    #expect(
      try run(["roads", "--markers", markers]).lines == [
        "台9\t省道\t3\t-0K+300\t5K+500", "I-5\t省道\t1\t7K+000\t7K+000",
      ])
  }

  @Test("several rows of one mileage: one is printed, the rest is counted, --all prints them")
  func several() throws {
    let folder = try ScratchFolder()
    let markers = try folder.write(
      "m.csv",
      "road,mileage,latitude,longitude,category,carriageway\nA,1,50,8,x,R\nA,1,50,8,x,L\n"
        + "B,1,50,8,x,\nB,1,51,8,y,\n")
    let one = try run(["find", "--markers", markers, "A", "1"])
    #expect(one.lines == ["A 1K+000  50 8  L", "1 more: --all"])
    let all = try run(["find", "--markers", markers, "--all", "A", "1"])
    #expect(all.lines == ["A 1K+000  50 8  L", "A 1K+000  50 8  R"])
    let both = try run(["find", "--markers", markers, "B", "1"])
    #expect(both.code == 1)
    #expect(both.lines.first == "milepostctl: B is in several categories (use --category):")
    #expect(both.lines.count == 3)
  }

  @Test("rows of two categories that are one milepost are told by roads and milepostd --check")
  func shared() throws {
    let folder = try ScratchFolder()
    let header = "road,mileage,latitude,longitude,category\n"
    let first = try folder.write("a.csv", header + "台2己,1,25,121.5,國道\n台2己,2,25.1,121.5,國道\n")
    let second = try folder.write("b.csv", header + "台2己,1,25.0001,121.5,省道\n")
    let told = "\(second):2: 1 row of 省道 from here on is a milepost of \(first) (國道) already: 台2己"
    #expect(
      try run(["roads", "--markers", first, "--markers", second]).lines == [
        "台2己\t國道\t2\t1K+000\t2K+000", "台2己\t省道\t1\t1K+000\t1K+000", "milepostctl: \(told)",
      ])
    let configuration = try folder.write(
      "conf", "[Fences]\nMarkers=\nMarkers=\(first) \(second)\n")
    let check = try RunningProgram(
      RunningProgram.product("milepostd"), ["--check", "--config", configuration])
    #expect(try check.end() == 0)
    #expect(check.lines == [told, "\(configuration): good, 2 mileposts"])
  }

  @Test("--strict and --dry-run write nothing, and an old file stays")
  func nothingWritten() throws {
    let folder = try ScratchFolder()
    let source = try folder.write("agency.csv", Self.agency)
    let markers = try folder.write("markers.csv", "old")
    let strict = try run(["import", "--strict"] + Self.columns + ["-o", markers, source])
    #expect(strict.code == 65)
    #expect(
      strict.lines.last == "milepostctl: 1 rows rejected, nothing is written (--strict)")
    let dry = try run(["import", "--dry-run"] + Self.columns + ["-o", markers, source])
    #expect(dry.code == 0)
    #expect(try TestData.lines(of: markers) == ["old"])
  }

  @Test("without -o the file goes into the configured folder, from a preset of one's own")
  func configured() throws {
    let folder = try ScratchFolder()
    let source = try folder.write("agency.csv", "n,k,a,o\nA1,1,50,8\n")
    let preset = try folder.write(
      "mine.preset", "# mine\n[Import]\nRoad=n\nMileage=k\nLatitude=a\nLongitude=o\n")
    try folder.write("markers.d/x", "")
    let configuration = try folder.write(
      "milepostd.conf", "[Fences]\nMarkers=\nMarkers=\(folder("markers.d"))/*.csv\n")
    let answer = try run(
      ["import", "--config", configuration, "--preset", preset, source])
    #expect(answer.code == 0)
    #expect(
      try TestData.lines(of: folder("markers.d/mine.csv")).last == "A1,1K+000,50,8,,,,,,,1")
    #expect(try run(["find", "--config", configuration, "a 1", "2"]).lines == ["A1 1K+000  50 8"])
  }

  @Test("each mistake has its code and a line that helps")
  func mistakes() throws {
    let folder = try ScratchFolder()
    let empty = try folder.write("empty.csv", "")
    let swapped = try folder.write("swapped.csv", "r,m,a,o\nA,1,121.5,25\n")
    let columns = ["--road", "r", "--mileage", "m", "--lat", "a", "--lon", "o"]
    struct Row {
      var arguments: [String]
      var code: Int32
      var says: String
    }
    let rows = [
      Row(arguments: ["import"], code: 64, says: "a FILE is missing"),
      Row(arguments: ["import", "x.csv"], code: 64, says: "where is the mileage?"),
      Row(arguments: ["import", "--preset", "none", "x"], code: 64, says: "no preset \"none\""),
      Row(
        arguments: ["import", "--unit", "league", "x"], code: 64,
        says: "--unit: \"league\" is unknown"),
      Row(
        arguments: ["import", "--dry-run"] + columns + ["/none"], code: 74,
        says: "/none: No such file"),
      Row(
        arguments: ["import", "--dry-run"] + columns + [empty], code: 65,
        says: "empty.csv: is empty"),
      Row(
        arguments: ["import", "--dry-run"] + columns + [swapped], code: 65,
        says: "latitude and longitude are swapped"),
      Row(
        arguments: ["import", "-o", folder("")] + columns + [swapped], code: 74,
        says: "is a directory"),
      Row(arguments: ["find", "A"], code: 64, says: "ROAD and MILEAGE"),
      Row(
        arguments: ["find", "--markers", "/none", "A", "1"], code: 74, says: "/none: does not exist"
      ),
      Row(
        arguments: ["find", "--tie", "any", "--markers", "/none", "A", "1"], code: 64,
        says: "use smaller or larger"),
      Row(arguments: ["roads", "x"], code: 64, says: "takes options alone"),
      Row(arguments: ["import", "--help"], code: 0, says: "usage: milepostctl import"),
      Row(arguments: ["find", "--help"], code: 0, says: "usage: milepostctl find"),
      Row(arguments: ["roads", "--help"], code: 0, says: "usage: milepostctl roads"),
    ]
    for row in rows {
      let answer = try run(row.arguments)
      #expect(answer.code == row.code, "\(row.arguments) \(answer.lines)")
      #expect(answer.lines.contains { $0.contains(row.says) }, "\(row.arguments) \(answer.lines)")
    }
  }
}
