import EventStore
import Geodesy
import Milepost

/// Events that a store takes as it takes those of a drive.
enum StoreEvents {
  static func open(_ path: String) throws -> EventStore {
    try EventStore(
      path: path, host: .init(machineID: "bench", bootID: "bench"), now: 0,
      wall: Timestamp(milliseconds: 0), randomID: { "0123456789abcdef" })
  }

  static func commit(_ number: Int, to store: EventStore) {
    let place = Coordinate(latitude: 24.85, longitude: 121.77)
    let time = Timestamp(milliseconds: 1_796_029_200_000 + Int64(number) * 4_000)
    let fix = UsableFix(
      coordinate: place, point: ECEF(place), time: time, timeSource: .fix, speed: 25, track: 90,
      horizontalError: 3)
    let mileage = Mileage(micrometres: Int64(number) * 100_000_000)
    let fence = Geofence(
      id: "A1/\(mileage)", centre: place, radius: 40,
      milepost: Milepost(road: "A1", mileage: mileage))
    let transition = Transition(
      kind: .enter, fence: 0, cause: .crossing, time: time, interpolated: true, gap: nil,
      inside: nil, distance: 12)
    var recorder = EventRecorder()
    let events = recorder.record([transition], fix: fix, fences: FenceSet([fence]), timeline: 0)
    _ = store.commit(
      events, held: [(fence.id, time)], lastFix: FixTime(time: time, source: .fix), now: 0
    ) { _ in true }
  }
}
