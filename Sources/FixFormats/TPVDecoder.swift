import Geodesy
package import Milepost

/// gpsd's JSON lines, of which TPV carries the fixes.
///
/// A TPV is walked by hand over its bytes: keys in any order, the last of equal keys counting, all
/// but `class` optional, unknown ones skipped whatever they hold. A field of an unexpected kind,
/// `null`, NaN or beyond a double's range counts as absent. No allocation per TPV once its device
/// is known.
package struct TPVDecoder {
  /// The devices named so far.
  package private(set) var devices = DeviceTable()

  package init() {}

  /// The number of a device's name, as fixes will carry it.
  package mutating func id(ofDevice name: String) -> DeviceID { devices.id(of: name) }

  /// Decodes one line without its line end.
  package mutating func decode(_ line: UnsafeRawBufferPointer) -> GpsdReport {
    guard let bytes = ByteView(line) else { return .malformed(.syntax) }
    let text = JSONText(bytes: bytes)
    var fields = TPVFields()
    do throws(LineProblem) {
      try fields.read(text)
    } catch {
      return .malformed(error)
    }
    switch fields.kind {
    case .tpv: return .tpv(fields.fix(device: device(fields.device, text)))
    case .ignored: return .other
    case .general: return Self.general(text)
    }
  }

  private static func general(_ text: JSONText) -> GpsdReport {
    var position = text.space(at: 0)
    do throws(LineProblem) {
      return GpsdReport(object: try JSONValue(text, at: &position))
    } catch {
      return .malformed(error)
    }
  }

  private mutating func device(_ name: JSONText.RawString?, _ text: JSONText) -> DeviceID {
    guard let name else { return .unnamed }
    if name.hasEscapes { return devices.id(of: text.content(of: name)) }
    return devices.id(of: text.bytes.slice(name.range))
  }
}

/// The members of a TPV that make a fix.
private struct TPVFields {
  /// What the class asks for; `general` also where there is none.
  enum Kind { case tpv, ignored, general }
  private(set) var kind = Kind.general
  private(set) var device: JSONText.RawString?
  private var time: Timestamp?
  /// By ``Member``; NaN where absent.
  private var numbers = InlineArray<9, Double>(repeating: .nan)

  /// Reads a whole line: one object and nothing after it.
  mutating func read(_ text: JSONText) throws(LineProblem) {
    var position = text.space(at: try text.expect(UInt8(ascii: "{"), at: text.space(at: 0)))
    if text.bytes[position] == UInt8(ascii: "}") {
      position &+= 1
    } else {
      while true {
        position = try readMember(text, at: position)
        if text.bytes[position] != UInt8(ascii: ",") {
          position = text.space(at: position)
          if text.bytes[position] == UInt8(ascii: "}") { break }
        }
        position = text.space(at: try text.expect(UInt8(ascii: ","), at: position))
      }
      position &+= 1
    }
    guard text.space(at: position) == text.bytes.count else { throw .trailingBytes }
  }

  @inline(__always) private mutating func readMember(
    _ text: JSONText, at start: Int
  ) throws(LineProblem) -> Int {
    let (key, end) = try text.key(at: start)
    let position = try text.colon(at: end)
    let member = Member(key: key)
    if member.isNumber, text.isNumber(at: position) {
      let (value, end) = try Decimal.json(text, at: position)
      numbers[member.rawValue] = value ?? .nan
      return end
    }
    if member == .none {
      return text.isNumber(at: position)
        ? try text.number(at: position) : try text.value(at: position, depth: 1)
    }
    return try readOther(member, text, at: position)
  }

  /// Reads a member that is no number, whether or not it should be one.
  private mutating func readOther(
    _ member: Member, _ text: JSONText, at position: Int
  ) throws(LineProblem) -> Int {
    guard text.bytes[position] == UInt8(ascii: "\"") else {
      forget(member)
      return try text.value(at: position, depth: 1)
    }
    let string = try text.string(at: position)
    switch member {
    case .class: kind = Self.kind(string, text.bytes)
    case .device: device = string
    case .time: time = DateText.iso8601(text.bytes.slice(string.range))
    default: forget(member)
    }
    return string.end
  }

  /// The last of equal keys counts, also where it holds nothing of use.
  private mutating func forget(_ member: Member) {
    switch member {
    case .class: kind = .general
    case .device: device = nil
    case .time: time = nil
    case .none: break
    default: numbers[member.rawValue] = .nan
    }
  }

  /// `general` for VERSION, DEVICES, DEVICE, WATCH, ERROR, and for few others.
  private static func kind(_ name: JSONText.RawString, _ bytes: ByteView) -> Kind {
    let name = name.hasEscapes ? bytes.slice(0..<0) : bytes.slice(name.range)
    if name.count == 3, name[0] == UInt8(ascii: "T"), name[1] == UInt8(ascii: "P"),
      name[2] == UInt8(ascii: "V")
    {
      return .tpv
    }
    return switch name.first {
    case UInt8(ascii: "V"), UInt8(ascii: "D"), UInt8(ascii: "W"), UInt8(ascii: "E"), nil: .general
    default: .ignored
    }
  }

  func fix(device: DeviceID) -> Fix {
    let mode = numbers[Member.mode.rawValue]
    let latitude = numbers[Member.latitude.rawValue]
    let longitude = numbers[Member.longitude.rawValue]
    return Fix(
      mode: mode >= 0 && mode <= 255 ? UInt8(mode) : 0,
      coordinate: latitude.isNaN || longitude.isNaN
        ? nil : Coordinate(latitude: latitude, longitude: longitude),
      time: time, speed: known(.speed), track: known(.track),
      horizontalError: known(.eph) ?? largerError, origin: origin, device: device)
  }

  private var largerError: Double? {
    guard let x = known(.epx), let y = known(.epy) else { return known(.epx) ?? known(.epy) }
    return max(x, y)
  }

  /// gpsd's status 5 is dead reckoning, 8 a simulation.
  private var origin: Fix.Origin {
    let status = numbers[Member.status.rawValue]
    return status == 8 ? .simulated : status == 5 ? .estimated : .measured
  }

  @inline(__always) private func known(_ member: Member) -> Double? {
    let value = numbers[member.rawValue]
    return value.isNaN ? nil : value
  }
}

/// The keys that matter; the numbers first, as their places.
private enum Member: Int {
  case mode, status, latitude, longitude, speed, track, eph, epx, epy
  case `class`, device, time, none

  @inline(__always) var isNumber: Bool { rawValue <= Member.epy.rawValue }

  /// - Parameter key: As ``JSONText/key(at:)`` gives it: ASCII, the first byte lowest.
  @inline(__always) init(key: UInt64) {
    self =
      switch key {
      case 0x6564_6F6D: .mode
      case 0x7375_7461_7473: .status
      case 0x74_616C: .latitude
      case 0x6E_6F6C: .longitude
      case 0x64_6565_7073: .speed
      case 0x6B_6361_7274: .track
      case 0x68_7065: .eph
      case 0x78_7065: .epx
      case 0x79_7065: .epy
      case 0x73_7361_6C63: .class
      case 0x6563_6976_6564: .device
      case 0x656D_6974: .time
      default: .none
      }
  }
}
