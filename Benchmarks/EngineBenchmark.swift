import Geodesy
import Milepost

/// The whole middle over a million fixes: roads of 100 km side by side, a milepost every 100 m, and
/// a drive of 25 m a second along one road after the other.
enum EngineBenchmark {
  private static let fixCount = 1_000_000
  private static let mileposts = 1_000
  private static let metresPerDegree = 111_320.0

  private static func place(road: Int, along: Metres) -> Coordinate {
    let latitude = 45 + Double(road) * 0.002
    let perDegree = metresPerDegree * 0.7071
    return Coordinate(latitude: latitude, longitude: along / perDegree)
  }

  private static func fences(_ count: Int) -> [Geofence] {
    (0..<count).map { number in
      let (road, post) = number.quotientAndRemainder(dividingBy: mileposts)
      return Geofence(
        id: "\(road)/\(post)", centre: place(road: road, along: Double(post) * 100), radius: 40)
    }
  }

  private static func fixes(roads: Int) -> [Fix] {
    let perRoad = 4_000
    return (0..<fixCount).map { number in
      let (run, step) = number.quotientAndRemainder(dividingBy: perRoad)
      let along = Double(run % 2 == 0 ? step : perRoad - step) * 25
      let wiggle = Double(number % 7) * 1e-5
      var place = place(road: run % roads, along: along)
      place.latitude += wiggle
      let time = Timestamp(milliseconds: 1_764_493_200_000 + Int64(number) * 1_000)
      return Fix(coordinate: place, time: time, speed: 25, track: 90)
    }
  }

  static func run(fenceCount: Int) {
    let list = fences(fenceCount)
    let begin = Stopwatch.nanoseconds()
    let set = FenceSet(list)
    let build = Stopwatch.nanoseconds() - begin
    let drive = fixes(roads: max(1, fenceCount / mileposts))
    var events = 0
    var accepted: UInt64 = 0
    let times = Stopwatch.runs(5) {
      var engine = Engine(fences: set)
      events = 0
      for fix in drive {
        let receipt = Receipt(
          wall: Timestamp(milliseconds: 0), boot: fix.time?.milliseconds ?? 0)
        events += engine.observe(fix, receipt: receipt).transitions.count
      }
      accepted = engine.acceptedCount
    }
    report("engine, \(fenceCount) fences", times, each: fixCount)
    let rate = decimalText(Double(events) / Double(fixCount), places: 2)
    print(
      "  \(rate) events a fix, \(accepted) accepted; index built in \(build / 1_000_000) ms; "
        + "resident \(residentMegabytes()) MB")
  }
}
