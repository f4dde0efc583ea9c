import Geodesy
import Glibc
import Milepost
import SystemdKit
import Testing

@testable import MilepostDaemon

/// A loop with an overall limit, after which waiting for something is a failure.
final class SourceLoop {
  let loop: EventLoop
  private let deadline: Int64

  init(limitSeconds: Int64 = 60) throws {
    EventLoop.blockSignals([])
    loop = try EventLoop()
    deadline = Clock.bootTimeMS + limitSeconds * 1_000
  }

  /// Runs the loop until `condition` holds.
  func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
  ) throws {
    while !condition() {
      try #require(
        Clock.bootTimeMS < deadline, "waited in vain for \(what)", sourceLocation: sourceLocation)
      try loop.runOnce(timeoutMS: 100)
    }
  }
}

/// What a source told. Fixes of mode 2 and 3 are called usable, as the gate would.
final class SourceRecord {
  var fixes: [Fix] = []
  var changes: [SourceStateChange] = []
  var states: [SourceState] { changes.map(\.state) }

  init(_ source: any FixSource) {
    source.onStateChange = { [weak self] in self?.changes.append($0) }
    source.onFix = { [weak self, weak source] fix, _ in
      self?.fixes.append(fix)
      if fix.mode >= 2, fix.coordinate != nil { source?.noteUsableFix() }
    }
  }
}

/// Lines of gpsd for tests.
enum Line {
  static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  static let noDevices = #"{"class":"DEVICES","devices":[]}"#
  static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyGPS0","activated":"2026-11-30T09:06:08.216Z"}]}"#
  static let opened =
    #"{"class":"DEVICE","path":"/dev/ttyGPS0","activated":"2026-11-30T09:06:08.216Z"}"#
  static let closed = #"{"class":"DEVICE","path":"/dev/ttyGPS0","activated":0}"#
  static let noFix = #"{"class":"TPV","device":"/dev/ttyGPS0","mode":1}"#
  static let sky = #"{"class":"SKY","device":"/dev/ttyGPS0","hdop":0.90,"uSat":8}"#

  static func fix(second: Int = 0) -> String {
    let digits = second < 10 ? "0\(second)" : "\(second)"
    return
      #"{"class":"TPV","device":"/dev/ttyGPS0","mode":3,"time":"2026-11-30T09:06:\#(digits).000Z","lat":48.5,"lon":11.5}"#
  }
}
