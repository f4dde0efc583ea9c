@testable import EventStore
import Geodesy
import Milepost
import Testing

@Suite("Geofences that only the store remembers")
struct StoredGeofenceTests {
  private func store(_ fences: [Geofence], in home: Home) throws -> EventStore {
    let store = try home.open()
    for (second, fence) in fences.enumerated() {
      var entered = event(fence.id, at: Int64(second))
      entered.fence = fence
      _ = store.commit(
        [entered], held: [], lastFix: FixTime(time: at(Int64(second)), source: .fix), now: 0
      ) { _ in false }
    }
    return store
  }

  @Test("a geofence comes back as it was when it was last entered")
  func comesBack() throws {
    let full = Geofence(
      id: "A \"1\"\\/\n\u{7F}", centre: Coordinate(latitude: -24.858123456, longitude: 121.7714),
      radius: 0.125 + 40,
      milepost: Milepost(
        road: "國道5號", mileage: Mileage(micrometres: 41_842_944_000, notation: .miles), section: "",
        carriageway: "L", category: "free\tway", name: "哩", plate: "MP 26"))
    var before = full
    before.radius = 80
    let bare = Geofence(
      id: "B/1K+000", centre: Coordinate(latitude: 1, longitude: -180), radius: 100_000,
      milepost: Milepost(road: "B", mileage: Mileage(micrometres: 1_000_000_000)))
    let pin = Geofence(
      id: "pin/x", kind: "pin", centre: Coordinate(latitude: 90, longitude: 0), radius: 1)
    let home = Home()
    let store = try store([before, full, bare, pin], in: home)
    for fence in [full, bare, pin] { #expect(store.lastEntered(fence.id, now: 0) == fence) }
    #expect(store.lastEntered("C", now: 0) == nil)
    #expect(store.takeNotices().isEmpty)
  }

  struct Row: CustomTestStringConvertible {
    var name: String
    var json: String
    var testDescription: String { name }
  }

  @Test(
    "an event's JSON that tells of no geofence gives none",
    arguments: [
      Row(name: "empty", json: ""), Row(name: "cut", json: "{\"fence\":{\"id\":\"A\""),
      Row(name: "no fence", json: "{}"), Row(name: "a list", json: "[1]"),
      Row(
        name: "latitude is a text",
        json: """
          {"fence":{"id":"A","kind":"pin","latitude":"1","longitude":2,"radius_m":40}}
          """),
      Row(
        name: "radius out of range",
        json: """
          {"fence":{"id":"A","kind":"pin","latitude":1,"longitude":2,"radius_m":0}}
          """),
    ])
  func noGeofence(_ row: Row) throws {
    let home = Home()
    let fence = Geofence(id: "A", centre: Coordinate(latitude: 1, longitude: 2), radius: 40)
    let store = try store([fence], in: home)
    #expect(store.lastEntered("A", now: 0) == fence)
    #expect(home.sql("UPDATE events SET json = '\(row.json)'") == [])
    #expect(store.lastEntered("A", now: 0) == nil)
    #expect(store.takeNotices().isEmpty)
  }
}
