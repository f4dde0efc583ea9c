package import Milepost

/// A receiver as gpsd lists it.
package struct GpsdDevice: Equatable, Sendable {
  package var path: String
  /// False for a device that gpsd has closed (`"activated":0`) or not yet opened (no such key).
  package var activated: Bool

  package init(path: String, activated: Bool) {
    self.path = path
    self.activated = activated
  }
}

/// One line from gpsd.
package enum GpsdReport: Equatable, Sendable {
  /// A position report, also one without a position.
  case tpv(Fix)
  /// The banner. Minus 1 stands for a protocol number not given.
  case version(release: String, protoMajor: Int, protoMinor: Int)
  /// All devices, in answer to `?WATCH` and `?DEVICES`.
  case devices([GpsdDevice])
  /// One device come or gone.
  case device(GpsdDevice)
  case watch
  case error(message: String)
  /// Any other class: SKY, GST, TOFF, PPS, one unknown.
  case other
  case malformed(LineProblem)
}

extension GpsdReport {
  /// The report of a valid object of a class other than TPV.
  init(object: JSONValue) {
    switch object["class"]?.string {
    case "VERSION":
      self = .version(
        release: object["release"]?.string ?? "", protoMajor: object["proto_major"]?.integer ?? -1,
        protoMinor: object["proto_minor"]?.integer ?? -1)
    case "DEVICES": self = .devices((object["devices"]?.elements ?? []).compactMap(Self.device))
    case "DEVICE": self = Self.device(object).map(Self.device) ?? .other
    case "WATCH": self = .watch
    case "ERROR": self = .error(message: object["message"]?.string ?? "")
    case nil: self = .malformed(.noClass)
    default: self = .other
    }
  }

  /// Nil without a path. `activated` is a time, or 0.
  private static func device(_ object: JSONValue) -> GpsdDevice? {
    guard let path = object["path"]?.string else { return nil }
    let activated =
      switch object["activated"] {
      case .string(let time): !time.isEmpty
      case .number(let time): time != 0
      default: false
      }
    return GpsdDevice(path: path, activated: activated)
  }
}
