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
  private var memory = LineMemory()

  package init() {}

  /// The number of a device's name, as fixes will carry it.
  package mutating func id(ofDevice name: String) -> DeviceID { devices.id(of: name) }

  /// Decodes one line without its line end.
  package mutating func decode(_ line: UnsafeRawBufferPointer) -> GpsdReport {
    guard let bytes = ByteView(line) else { return .malformed(.syntax) }
    let text = JSONText(bytes: bytes)
    var fields = TPVFields()
    do throws(LineProblem) {
      try fields.read(text, &memory)
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
  mutating func read(_ text: JSONText, _ memory: inout LineMemory) throws(LineProblem) {
    var position = text.space(at: try text.expect(UInt8(ascii: "{"), at: text.space(at: 0)))
    if text.bytes[position] == UInt8(ascii: "}") {
      position &+= 1
    } else {
      var place = 0
      while true {
        let (member, start) = try memory.member(text, at: position, place: place)
        place &+= 1
        if !text.isNumber(at: start) {
          position = try readOther(member, text, at: start, &memory)
        } else if member.isNumber {
          let (value, end) = try Decimal.json(text, at: start)
          numbers[member.place] = value ?? .nan
          position = end
        } else {
          if member != .none { forget(member) }
          position = try text.number(at: start)
        }
        if text.bytes[position] == UInt8(ascii: ","), text.bytes[position &+ 1] > 0x20 {
          position &+= 1
          continue
        }
        position = text.space(at: position)
        if text.bytes[position] == UInt8(ascii: "}") { break }
        position = text.space(at: try text.expect(UInt8(ascii: ","), at: position))
      }
      position &+= 1
    }
    guard text.space(at: position) == text.bytes.count else { throw .trailingBytes }
  }

  /// Reads a member that is no number, whether or not it should be one.
  private mutating func readOther(
    _ member: Member, _ text: JSONText, at position: Int, _ memory: inout LineMemory
  ) throws(LineProblem) -> Int {
    // "TPV" with its quotes: five bytes.
    if member == .class, text.bytes.word(at: position) & 0xFF_FFFF_FFFF == 0x22_5650_5422 {
      kind = .tpv
      return position + 5
    }
    guard text.bytes[position] == UInt8(ascii: "\"") else {
      forget(member)
      return try text.value(at: position, depth: 1)
    }
    let string = try text.string(at: position)
    switch member {
    case .none: break
    case .class: kind = Self.kind(string, text.bytes)
    case .device: device = string
    case .time: time = memory.days.time(text.bytes, string.range)
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
    default: if member.isNumber { numbers[member.place] = .nan }
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
    let mode = numbers[Member.mode.place]
    let latitude = numbers[Member.latitude.place]
    let longitude = numbers[Member.longitude.place]
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
    let status = numbers[Member.status.place]
    return status == 8 ? .simulated : status == 5 ? .estimated : .measured
  }

  @inline(__always) private func known(_ member: Member) -> Double? {
    let value = numbers[member.place]
    return value.isNaN ? nil : value
  }
}

/// The line before: gpsd writes the same keys in the same order, so that each is known again by one
/// comparison, or by two where it is long.
private struct LineMemory {
  private struct Entry {
    /// The key, its closing quote and the colon; the first byte lowest. At first what no key equals.
    var words: (UInt64, UInt64) = (1, 0)
    /// Ones where `words` count.
    var masks: (UInt64, UInt64) = (0, 0)
    var length = 0
    var member = Member.none
  }

  var days = DayMemory()
  private var entries = InlineArray<32, Entry>(repeating: Entry())

  /// The member whose key is at `start`, and the position of its value.
  @inline(__always) mutating func member(
    _ text: JSONText, at start: Int, place: Int
  ) throws(LineProblem) -> (member: Member, value: Int) {
    let index = place & 31
    let length = entries[index].length
    let value = start &+ 1 &+ length
    if text.bytes[start] == UInt8(ascii: "\""),
      text.bytes.word(at: start &+ 1) & entries[index].masks.0 == entries[index].words.0,
      length <= 8
        || text.bytes.word(at: start &+ 9) & entries[index].masks.1 == entries[index].words.1,
      text.bytes[value] > 0x20
    {
      return (entries[index].member, value)
    }
    return try learn(text, at: start, place: place)
  }

  @inline(never) private mutating func learn(
    _ text: JSONText, at start: Int, place: Int
  ) throws(LineProblem) -> (member: Member, value: Int) {
    let (key, end) = try text.key(at: start)
    let value = try text.colon(at: end)
    let member = Member(key: key)
    let length = value - start - 1
    if value == end + 1, length <= 16 {
      let masks = (Self.ones(min(length, 8)), Self.ones(max(0, length - 8)))
      entries[place & 31] = Entry(
        words: (
          text.bytes.word(at: start + 1) & masks.0, text.bytes.word(at: start + 9) & masks.1
        ), masks: masks, length: length, member: member)
    }
    return (member, value)
  }

  /// The lowest `count` bytes, 0 to 8.
  private static func ones(_ count: Int) -> UInt64 {
    count == 0 ? 0 : .max >> UInt64(64 - 8 * count)
  }
}

/// A key that matters; those of numbers first, by their places.
private struct Member: Equatable {
  let place: Int

  static let mode = Member(place: 0)
  static let status = Member(place: 1)
  static let latitude = Member(place: 2)
  static let longitude = Member(place: 3)
  static let speed = Member(place: 4)
  static let track = Member(place: 5)
  static let eph = Member(place: 6)
  static let epx = Member(place: 7)
  static let epy = Member(place: 8)
  static let `class` = Member(place: 9)
  static let device = Member(place: 10)
  static let time = Member(place: 11)
  static let none = Member(place: 12)

  @inline(__always) var isNumber: Bool { place <= Member.epy.place }

  private init(place: Int) { self.place = place }

  /// - Parameter key: As ``JSONText/key(at:)`` gives it: ASCII, the first byte lowest.
  init(key: UInt64) {
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
