import Geodesy
import Milepost
import TestSupport
import Testing

@Suite("Fences in flat arrays")
struct FenceTableTests {
  /// A fence with its id as ``FenceIdentity`` would make it, or another.
  private func fence(_ milepost: Milepost?, id: String? = nil, radius: Metres = 40) -> Geofence {
    Geofence(
      id: id ?? milepost.map { FenceIdentity.milepost($0, splitCarriageways: false) } ?? "",
      kind: milepost == nil ? "pin" : "milepost",
      centre: Coordinate(latitude: 24.858123456789, longitude: -121.7714), radius: radius,
      milepost: milepost)
  }

  private func milepost(_ micrometres: Int64, _ notation: Mileage.Notation = .kilometres)
    -> Milepost
  {
    Milepost(road: "國道5號", mileage: Mileage(micrometres: micrometres, notation: notation))
  }

  private func isSame(_ a: Geofence, _ b: Geofence) -> Bool {
    func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }
    return a == b && bytes(a.id) == bytes(b.id)
      && bytes(a.milepost?.road) == bytes(b.milepost?.road)
      && bytes(a.milepost?.name) == bytes(b.milepost?.name)
      && a.radius.bitPattern == b.radius.bitPattern
      && a.centre.latitude.bitPattern == b.centre.latitude.bitPattern
      && a.centre.longitude.bitPattern == b.centre.longitude.bitPattern
  }

  @Test("whatever a fence is, it comes back as it was put in")
  func roundTrip() {
    var full = milepost(15_200_000_000)
    (full.section, full.carriageway, full.category) = ("5%/x", "L", "freeway")
    (full.name, full.plate) = ("", "015K+200")
    var long = milepost(-300_000_000)
    long.name = String(repeating: "哩", count: 20_000)
    // One road written in two ways that Unicode calls the same.
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    var (first, second) = (milepost(1_000_000), milepost(1_000_000))
    (first.road, second.road) = (composed, decomposed)
    let fences = [
      fence(milepost(0)), fence(full), fence(full, id: "國道5號/5%25%2Fx/15K+200/L"),
      fence(long, radius: 0.1 + 0.7), fence(first), fence(second), fence(nil, id: "pin/Depot"),
      fence(nil, id: ""), fence(milepost(Int64(Int32.max) * 1_000_000)),
      fence(milepost(41_842_944_000, .miles), radius: 100_000), fence(milepost(.min)),
      fence(milepost(.max, .miles)), fence(milepost(7)), fence(milepost(2_000_000_000)),
    ]
    let many = (0..<20).flatMap { _ in fences }
    let table = FenceTable(many)
    #expect(table.count == many.count)
    for (number, fence) in many.enumerated() { #expect(isSame(table[number], fence), "\(number)") }
  }

  @Test("one fence's id, centre, radius or carriageway can change, and no other fence's does")
  func changes() {
    var shared = milepost(1_000_000_000)
    shared.carriageway = "L"
    var expected = (0..<100).map { _ in fence(shared) }
    var table = FenceTable(expected)
    table.setID("another", of: 70)
    table.setCentre(Coordinate(latitude: 1, longitude: 2), of: 70)
    table.changeCommon(of: 70) {
      $0.radius = 80
      $0.carriageway = nil
    }
    expected[70].id = "another"
    expected[70].centre = Coordinate(latitude: 1, longitude: 2)
    expected[70].radius = 80
    expected[70].milepost?.carriageway = nil
    #expect(Array(table) == expected)
  }

  @Test("each id finds its fence, and no other text finds one")
  func numbers() {
    let fences = (0..<5_000).map { number in
      number % 3 == 0
        ? fence(nil, id: "pin/\(number)") : fence(milepost(Int64(number) * 100_000_000))
    }
    let numbers = FenceSet(fences).numbers()
    for (number, fence) in fences.enumerated() { #expect(numbers[fence.id] == Int32(number)) }
    for text in ["", "pin/1", "國道5號/0K+000", "國道5號/0K+100/", "國道5號"] {
      #expect(numbers[text] == nil)
    }
    #expect(FenceSet([]).numbers()["A"] == nil)
  }

  @Test("a few ids are found among all kinds of fences, as when each fence is looked at")
  func fewNumbers() throws {
    var random = SeededRandom.fresh(for: "few ids")
    var table = FenceTable()
    for number in 0..<1_000 {
      var post = milepost(
        .random(in: -400_000...400_000, using: &random)
          * (number % 5 == 0 ? 1_609_344 : 100_000_000), number % 5 < 2 ? .miles : .kilometres)
      if number % 3 == 0 { (post.section, post.carriageway) = ("N/1%", "R") }
      table.append(
        fence(number % 7 == 0 ? nil : post, id: number % 7 == 0 ? "pin/\(number)" : nil))
    }
    for number in stride(from: 0, to: 1_000, by: 31) {
      table.changeCommon(of: number) { $0.splitsCarriageways = true }
    }
    for number in stride(from: 3, to: 1_000, by: 97) {
      table.setID("\(table.id(of: number))#2", of: number)
    }
    let ids = table.map(\.id)
    var absent = 0
    for _ in 0..<50 {
      let wanted = (0..<3).map { _ in ids.randomElement(using: &random) ?? "" } + ["pin/x", "7K"]
      let numbers = FenceSet(table).numbers(of: wanted)
      for id in wanted {
        let holders = ids.indices.filter { ids[$0].utf8.elementsEqual(id.utf8) }
        let found = numbers[id].map(Int.init)
        #expect(found.map(holders.contains) ?? holders.isEmpty, "\(id)")
        absent += found == nil ? 1 : 0
      }
    }
    #expect(absent == 100)
  }

  @Test("the nearest fence is the one that looking at all of them finds, wherever the vehicle is")
  func nearest() throws {
    var random = SeededRandom(seed: 5)
    func place() -> Coordinate {
      Coordinate(
        latitude: .random(in: -90...90, using: &random),
        longitude: .random(in: -180...180, using: &random))
    }
    let centres = (0..<300).map { _ in place() }
    let set = FenceSet(centres.enumerated().map { Geofence(id: "\($0)", centre: $1, radius: 40) })
    for _ in 0..<300 {
      let point = ECEF(place())
      let expected = centres.map { ECEF($0).distance(to: point) }
      let least = try #require(expected.min())
      let found = try #require(set.index.nearest(to: point))
      #expect(expected[Int(found.fence)] == least)
    }
    #expect(FenceSet([]).index.nearest(to: ECEF(centres[0])) == nil)
  }
}
