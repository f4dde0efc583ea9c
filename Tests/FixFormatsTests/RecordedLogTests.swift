import FixFormats
import Geodesy
import Milepost
import TestSupport
import Testing

/// Logs of real receivers and of real gpsds, read by this package and by Python.
@Suite(
  .enabled(if: TestData.isThere, "\(TestData.absence)"),
  .enabled(if: Python.isThere, "python3 is not there"))
struct RecordedLogTests {
  /// Prints class, mode, time in ms, lat, lon, speed, track, eph, device of each TPV; only the class
  /// of other reports. A `-` where absent. In a transcript the report follows the first "< ".
  static let script = #"""
    import json, sys
    from datetime import datetime, timedelta, timezone
    epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
    def milliseconds(text):
        time = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
        return (time - epoch) // timedelta(milliseconds=1)
    for line in open(sys.argv[1], newline="\n"):
        line = line.rstrip("\r\n")
        if sys.argv[1].endswith(".txt"):
            before, found, line = line.partition(" < ")
            if not found: continue
            if line.endswith("\\r"): line = line[:-2]
        try: report = json.loads(line)
        except ValueError:
            print("malformed")
            continue
        if report["class"] != "TPV":
            print(report["class"])
            continue
        time = milliseconds(report["time"]) if "time" in report else None
        eph = report.get("eph")
        if eph is None:
            eph = max((report[key] for key in ("epx", "epy") if key in report), default=None)
        device = report.get("device")
        fields = ["TPV", report.get("mode", 0), time, report.get("lat"), report.get("lon"),
                  report.get("speed"), report.get("track"), eph, device]
        print("|".join("-" if field is None else str(field) for field in fields))
    """#

  /// The reports of a file as the script prints them.
  private func reports(_ path: String) throws -> [String] {
    var decoder = TPVDecoder()
    var framer = LineFramer()
    var lines: [String] = []
    try TestData.bytes(of: TestData.path(path)).withUnsafeBytes { bytes in
      framer.append(bytes) { line in
        guard let report = Self.report(in: line, isTranscript: path.hasSuffix(".txt")) else {
          return
        }
        lines.append(Self.text(decoder.decode(report), decoder.devices))
      }
    }
    return lines
  }

  private static func report(
    in line: UnsafeRawBufferPointer, isTranscript: Bool
  ) -> UnsafeRawBufferPointer? {
    guard isTranscript else { return line }
    let mark = Array(" < ".utf8)
    guard
      let start = line.indices.first(where: {
        $0 + 3 <= line.count && line[$0..<($0 + 3)].elementsEqual(mark)
      })
    else { return nil }
    var report = line[(start + 3)...]
    if report.suffix(2).elementsEqual("\\r".utf8) { report = report.dropLast(2) }
    return UnsafeRawBufferPointer(rebasing: report)
  }

  private static func text(_ report: GpsdReport, _ devices: DeviceTable) -> String {
    guard case .tpv(let fix) = report else {
      if case .malformed = report { return "malformed" }
      return "other"
    }
    func shown(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "-" }
    return [
      "TPV", "\(fix.mode)", shown(fix.time?.milliseconds), shown(fix.coordinate?.latitude),
      shown(fix.coordinate?.longitude), shown(fix.speed), shown(fix.track),
      shown(fix.horizontalError), shown(devices.name(of: fix.device)),
    ].joined(separator: "|")
  }

  static func recordings() throws -> [String] {
    guard TestData.isThere else { return [] }
    return try TestData.names(in: "gpsd", ending: ".gpsd322.json")
      + TestData.names(in: "gpsd/transcripts", ending: ".txt")
      + ["drives/regensburg-18km.gpsd-3.22.json"]
  }

  @Test("every report of a recording is what Python's json reads", arguments: try recordings())
  func sameAsPython(path: String) throws {
    let ours = try reports(path)
    let theirs = try Python.lines(Self.script, TestData.path(path))
    #expect(ours.count == theirs.count)
    for (ours, theirs) in zip(ours, theirs) where !equal(ours, theirs) {
      Issue.record("\(ours) is not \(theirs)")
    }
  }

  /// Equal texts or equal numbers, field by field.
  private func equal(_ ours: String, _ theirs: String) -> Bool {
    if ours == "other" { return theirs != "malformed" && !theirs.hasPrefix("TPV") }
    let ours = ours.split(separator: "|"), theirs = theirs.split(separator: "|")
    return ours.count == theirs.count
      && zip(ours, theirs).allSatisfy { a, b in
        a == b || Double(a).map { Double(b) == $0 } ?? false
      }
  }

  /// Every sentence with a valid position by Python: time of day, lat, lon.
  static let gpsdPositions = #"""
    import json, sys
    seen = {}
    for line in open(sys.argv[1]):
        report = json.loads(line)
        if report["class"] == "TPV" and "lat" in report and "time" in report:
            seen[report["time"]] = (report["lat"], report["lon"])
    for time, (lat, lon) in seen.items(): print(time, lat, lon)
    """#

  @Test("a drive's NMEA gives the fixes that gpsd made of it, from the second epoch on")
  func drive() throws {
    var decoder = FixDecoder()
    var fixes: [String: Coordinate] = [:]
    var order: [String] = []
    feed(try TestData.bytes(of: TestData.path("drives/regensburg-18km.nmea")), to: &decoder) {
      fix in
      guard let place = fix.coordinate, let time = fix.time else { return }
      let text = time.description.replacing("Z", with: ".000Z")
      if fixes.updateValue(place, forKey: text) == nil { order.append(text) }
    }
    let theirs = try Python.lines(
      Self.gpsdPositions, TestData.path("drives/regensburg-18km.gpsd-3.22.json")
    ).map { $0.split(separator: " ").map(String.init) }
    #expect(theirs.count > 700)
    #expect(Set(order.dropFirst()).subtracting(theirs.map { $0[0] }).isEmpty)
    for row in theirs {
      let place = try #require(fixes[row[0]], "no fix at \(row[0])")
      let latitude = try #require(Double(row[1])), longitude = try #require(Double(row[2]))
      #expect(abs(place.latitude - latitude) < 1e-6, "\(row[0])")
      #expect(abs(place.longitude - longitude) < 1e-6, "\(row[0])")
    }
    #expect(decoder.counters.malformed == 0)
  }

  static func logs() throws -> [String] {
    guard TestData.isThere else { return [] }
    return try TestData.names(in: "gpsd", ending: ".log") + ["drives/regensburg-18km.nmea"]
  }

  /// Counts the lines that Python finds to be comments or blank, positions' sentences, and others.
  static let nmeaCounts = #"""
    import re, sys
    counts = [0, 0, 0]
    for line in open(sys.argv[1], "rb").read().split(b"\n")[:-1]:
        line = line.strip()
        if not line or line.startswith(b"#"): counts[0] += 1
        elif re.match(rb"\$[^P].(RMC|GGA|GNS|GLL),", line): counts[1] += 1
        else: counts[2] += 1
    print(*counts)
    """#

  @Test(
    "every log goes through, and its lines are counted as Python counts them", arguments: try logs()
  )
  func counts(path: String) throws {
    var decoder = FixDecoder()
    var fixes = 0
    feed(try TestData.bytes(of: TestData.path(path)), to: &decoder) { _ in fixes += 1 }
    let counts = try Python.lines(Self.nmeaCounts, TestData.path(path))[0]
      .split(separator: " ").compactMap { Int($0) }
    #expect(decoder.counters.blank == counts[0])
    #expect(decoder.counters.otherSentences + decoder.counters.malformed == counts[2])
    #expect(decoder.counters.fixes == fixes)
    #expect(fixes > 0 && fixes <= counts[1])
  }

  /// In chunks of 999 bytes, as no reader would.
  private func feed(_ bytes: [UInt8], to decoder: inout FixDecoder, emit: (Fix) -> Void) {
    var framer = LineFramer()
    for start in stride(from: 0, to: bytes.count, by: 999) {
      bytes[start..<min(start + 999, bytes.count)].withUnsafeBytes {
        framer.append($0) { decoder.decode($0, emit: emit) }
      }
    }
    framer.finish { decoder.decode($0, emit: emit) }
    decoder.finish(emit: emit)
  }
}
