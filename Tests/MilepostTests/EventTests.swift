import Geodesy
import Milepost
import Testing

@Suite("What an event says")
struct EventTests {
  private static let place = Coordinate(latitude: 24.8579, longitude: 121.7713)
  private static let time =
    Timestamp(year: 2026, month: 11, day: 30, hour: 9, minute: 6, second: 40)
    ?? Timeline.begin

  private func milepost(_ kilometre: Int64, road: String = "國道5號") -> Geofence {
    let mileage = Mileage(micrometres: kilometre * 1_000_000_000 + 200_000_000)
    return Geofence(
      id: "\(road)/\(mileage)", centre: Coordinate(latitude: 24.8581, longitude: 121.7714),
      radius: 40, milepost: Milepost(road: road, mileage: mileage, plate: "015K+200"))
  }

  private func transition(
    _ kind: Transition.Kind, _ fence: Int32 = 0, after seconds: Int64 = 0, inside: Int64? = nil
  ) -> Transition {
    Transition(
      kind: kind, fence: fence, cause: .crossing,
      time: Self.time.advanced(by: -580 + seconds * 1_000),
      interpolated: true, gap: nil, inside: inside, distance: 24.42)
  }

  private func fix(speed: Double? = 25.1) -> UsableFix {
    UsableFix(
      coordinate: Self.place, point: ECEF(Self.place), time: Self.time, timeSource: .fix,
      speed: speed, track: 102, horizontalError: 4.2)
  }

  private func record(
    _ transitions: [Transition], _ fences: [Geofence], fix: UsableFix
  ) -> [Event] {
    var recorder = EventRecorder(lastSequence: 1_041)
    return recorder.record(
      transitions, fix: fix, fences: FenceSet(fences), timeline: 0)
  }

  @Test("the JSON line is the documented one")
  func json() throws {
    let event = try #require(
      record([transition(.enter)], [milepost(15)], fix: fix()).first)
    let expected = """
      {"schema":1,"id":"1042","sequence":1042,"event":"enter",\
      "cause":"crossing","time":"2026-11-30T09:06:39.420Z","time_source":"fix",\
      "interpolated":true,"fence":{"id":"國道5號/15K+200","kind":"milepost",\
      "latitude":24.8581,"longitude":121.7714,"radius_m":40},\
      "milepost":{"road":"國道5號","mileage":"15K+200","mileage_m":15200,"plate":"015K+200"},\
      "fix":{"time":"2026-11-30T09:06:40Z","latitude":24.8579,"longitude":121.7713,\
      "speed_mps":25.1,"track_deg":102,"eph_m":4.2},"distance_m":24.4}
      """
    #expect(String(decoding: event.json, as: UTF8.self) == expected)
  }

  @Test("unknown is absent, in JSON and in the fields")
  func unknownIsAbsent() throws {
    let event = try #require(
      record(
        [transition(.exit, inside: nil)],
        [Geofence(id: "pin/home", kind: "pin", centre: Self.place, radius: 40)],
        fix: fix(speed: nil)
      ).first)
    let json = String(decoding: event.json, as: UTF8.self)
    for name in ["speed", "inside", "gap", "milepost\"", "travel", "null", "\"sequence\":0"] {
      #expect(!json.contains(name == "milepost\"" ? "\"milepost\":" : name), "\(name)")
    }
    #expect(
      event.fields.map(\.name) == [
        "MILEPOST_EVENT", "MILEPOST_EVENT_ID", "MILEPOST_SEQUENCE", "MILEPOST_CAUSE",
        "MILEPOST_TIME", "MILEPOST_FENCE", "MILEPOST_LATITUDE", "MILEPOST_LONGITUDE",
        "MILEPOST_TRACK",
      ])
    #expect(event.message == "exit pin/home")
  }

  @Test("the message is readable")
  func message() {
    let events = record([transition(.enter)], [milepost(15)], fix: fix())
    #expect(events.map(\.message) == ["enter 國道5號 15K+200 at 90 km/h"])
  }

  @Test("control characters and quotes in names are escaped")
  func escaping() throws {
    let fence = Geofence(id: "a\"\\\n\u{1}é", centre: Self.place, radius: 40)
    let event = try #require(record([transition(.enter)], [fence], fix: fix()).first)
    #expect(
      String(decoding: event.json, as: UTF8.self).contains(#""id":"a\"\\\n\u0001é""#))
  }

  @Test("travel is told from the previous milepost of the road, within 10 min and 5 km")
  func travel() {
    let fences = [milepost(15), milepost(16), milepost(22), milepost(14, road: "other")]
    func travels(_ passed: [(Int32, Int64)]) -> [Travel?] {
      record(
        passed.map { transition(.enter, $0.0, after: $0.1) }, fences, fix: fix()
      ).map(\.travel)
    }
    #expect(travels([(0, 0), (1, 60)]) == [nil, .increasing])
    #expect(travels([(1, 0), (0, 60)]) == [nil, .decreasing])
    #expect(travels([(0, 0), (1, 601)]) == [nil, nil])
    #expect(travels([(1, 0), (2, 300)]) == [nil, nil])
    #expect(travels([(0, 0), (3, 10), (1, 60)]) == [nil, nil, .increasing])
    #expect(travels([(0, 0), (0, 60)]) == [nil, nil])
  }

  @Test("an exit tells the direction in which its fence was entered")
  func travelOfExit() {
    let events = record(
      [
        transition(.enter, 0), transition(.exit, 0, after: 2), transition(.enter, 1, after: 30),
        transition(.exit, 1, after: 32),
      ], [milepost(15), milepost(16)], fix: fix())
    #expect(events.map(\.travel) == [nil, nil, .increasing, .increasing])
  }
}

// MARK: - The direction of travel over a restart

extension EventTests {
  @Test("travel goes on over a restart as if the run had never ended")
  func resumed() {
    let fences = FenceSet([milepost(15), milepost(16), milepost(17), milepost(18)])
    let drive = [
      transition(.enter, 0), transition(.exit, 0, after: 2), transition(.enter, 1, after: 30),
      transition(.exit, 1, after: 32), transition(.enter, 2, after: 60),
      transition(.exit, 2, after: 62), transition(.enter, 3, after: 90),
    ]
    func record(_ part: some Sequence<Transition>, _ recorder: inout EventRecorder) -> [Event] {
      recorder.record(Array(part), fix: fix(), fences: fences, timeline: 0)
    }
    var undisturbed = EventRecorder()
    let expected = record(drive, &undisturbed).map(\.travel)
    for cut in 0...drive.count {
      var first = EventRecorder()
      let before = record(drive.prefix(cut), &first)
      var second = EventRecorder()
      second.resume(
        after: before.map {
          .init(kind: $0.kind, fence: $0.fence.id, time: $0.time, travel: $0.travel)
        }, fences: fences, timeline: 0)
      let after = record(drive.dropFirst(cut), &second)
      #expect((before + after).map(\.travel) == expected, "cut after \(cut)")
    }
  }

  @Test("no travel is told over a clock set back in the earlier run, nor by a fence that is gone")
  func notComparable() {
    var recorder = EventRecorder()
    let fences = FenceSet([milepost(15), milepost(16)])
    let (early, late) = (transition(.enter, 0), transition(.enter, 0, after: 100))
    recorder.resume(
      after: [
        .init(kind: .enter, fence: fences[0].id, time: late.time, travel: .increasing),
        .init(kind: .enter, fence: "gone", time: early.time, travel: nil),
      ], fences: fences, timeline: 0)
    let told = recorder.record(
      [transition(.enter, 1, after: 150)], fix: fix(), fences: fences, timeline: 0)
    #expect(told.map(\.travel) == [nil])
  }
}

@Suite("Numbers and times in text")
struct TextTests {
  @Test("decimals are rounded, without trailing zeros or exponent")
  func decimals() {
    let rows: [(Double, Int, String)] = [
      (24.8579, 9, "24.8579"), (-0.0000000004, 9, "0"), (-0.3, 1, "-0.3"), (1e-5, 9, "0.00001"),
      (121.7714000004, 9, "121.7714"), (40, 3, "40"), (90.36, 0, "90"), (0.05, 1, "0.1"),
      (179.9999999999, 9, "180"),
    ]
    for (value, places, expected) in rows {
      #expect(decimalText(value, places: places) == expected)
    }
  }

  @Test("timestamps are what the C library says", arguments: [0, 951_782_400, 4_107_542_399])
  func timestamps(seconds: Int64) throws {
    let text = Timestamp(milliseconds: seconds * 1_000).description
    // date -u -d @N +%FT%TZ
    let expected: [Int64: String] = [
      0: "1970-01-01T00:00:00Z", 951_782_400: "2000-02-29T00:00:00Z",
      4_107_542_399: "2100-02-28T23:59:59Z",
    ]
    #expect(text == expected[seconds])
  }

  @Test("a date becomes a timestamp and that date again, every day from 1900 to 2200")
  func dates() throws {
    var previous: Int64?
    for year in 1_900...2_200 {
      for month in 1...12 {
        for day in 1...31 {
          guard
            let time = Timestamp(
              year: year, month: month, day: day, hour: 23, minute: 59, second: 59)
          else { continue }
          let c = time.components
          #expect((c.year, c.month, c.day) == (year, month, day))
          if let previous { #expect(time.milliseconds - previous == 86_400_000) }
          previous = time.milliseconds
        }
      }
    }
  }

  @Test("impossible dates and times are refused")
  func impossible() {
    #expect(Timestamp(year: 2026, month: 2, day: 29, hour: 0, minute: 0, second: 0) == nil)
    #expect(Timestamp(year: 2026, month: 13, day: 1, hour: 0, minute: 0, second: 0) == nil)
    #expect(Timestamp(year: 2026, month: 4, day: 31, hour: 0, minute: 0, second: 0) == nil)
    #expect(Timestamp(year: 2026, month: 1, day: 0, hour: 0, minute: 0, second: 0) == nil)
    #expect(Timestamp(year: 2026, month: 1, day: 1, hour: 24, minute: 0, second: 0) == nil)
  }
}
