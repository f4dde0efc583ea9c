import Geodesy
import Milepost

/// One RMC, GGA, GNS or GLL sentence: what it says of its epoch.
struct NMEASentence {
  enum Kind: UInt8 {
    case rmc = 1
    case gga = 2
    case gns = 4
    case gll = 8
  }

  /// A day of the calendar.
  struct Day: Equatable {
    var year: Int
    var month: Int
    var day: Int
  }

  let kind: Kind
  /// Milliseconds since midnight UTC, up to 86,401,000 (leap second, rounding); nil where not given.
  var timeOfDay: Int64?
  var day: Day?
  /// Nil where the sentence is void.
  var coordinate: Coordinate?
  /// Metres per second.
  var speed: Double?
  var track: Double?
  var hasAltitude = false
  var origin = Fix.Origin.measured

  /// Metres per second in a knot: 1,852 m an hour.
  static let knot = 1_852.0 / 3_600

  /// Reads the fields after the address. What is void, out of range or of mode N leaves no
  /// position; so does a field that cannot be read, for the sentence is then not to be trusted.
  init(kind: Kind, fields: NMEAFields) {
    self.kind = kind
    var fields = fields
    let isValid =
      switch kind {
      case .rmc: readRMC(&fields)
      case .gga: readGGA(&fields)
      case .gns: readGNS(&fields)
      case .gll: readGLL(&fields)
      }
    guard isValid, coordinate != nil else {
      (coordinate, speed, track, hasAltitude, origin) = (nil, nil, nil, false, .measured)
      return
    }
  }

  /// time, status, latitude, N/S, longitude, E/W, knots, track, date, variation, E/W, mode;
  /// the navigational status after it says nothing about the position.
  private mutating func readRMC(_ fields: inout NMEAFields) -> Bool {
    var isValid = readTime(&fields)
    isValid = fields.next() == UInt8(ascii: "A") && isValid
    isValid = readCoordinate(&fields) && isValid
    speed = fields.nextNumber().map { $0 * Self.knot }
    track = fields.nextNumber()
    let date = fields.next()
    day = Self.day(date)
    if !date.isEmpty, day == nil { isValid = false }
    _ = fields.next()
    _ = fields.next()
    return readModes(fields.next()) && isValid
  }

  /// time, latitude, N/S, longitude, E/W, quality, satellites, HDOP, altitude.
  private mutating func readGGA(_ fields: inout NMEAFields) -> Bool {
    var isValid = readTime(&fields)
    isValid = readCoordinate(&fields) && isValid
    let quality = fields.next()
    _ = fields.next()
    _ = fields.next()
    hasAltitude = !fields.next().isEmpty
    guard quality.count == 1, let digit = quality.first else { return false }
    switch digit {
    case UInt8(ascii: "1")...UInt8(ascii: "5"), UInt8(ascii: "9"): origin = .measured
    case UInt8(ascii: "6"): origin = .estimated
    case UInt8(ascii: "7"), UInt8(ascii: "8"): origin = .simulated
    default: return false
    }
    return isValid
  }

  /// time, latitude, N/S, longitude, E/W, one mode a satellite system, satellites, HDOP, altitude.
  private mutating func readGNS(_ fields: inout NMEAFields) -> Bool {
    var isValid = readTime(&fields)
    isValid = readCoordinate(&fields) && isValid
    let modes = fields.next()
    _ = fields.next()
    _ = fields.next()
    hasAltitude = !fields.next().isEmpty
    return !modes.isEmpty && readModes(modes) && isValid
  }

  /// latitude, N/S, longitude, E/W, and since NMEA 2.0 time, status, since 2.3 mode.
  private mutating func readGLL(_ fields: inout NMEAFields) -> Bool {
    var isValid = readCoordinate(&fields)
    isValid = readTime(&fields) && isValid
    if !fields.isAtEnd { isValid = fields.next() == UInt8(ascii: "A") && isValid }
    return readModes(fields.next()) && isValid
  }

  /// False where there is a time that is none.
  private mutating func readTime(_ fields: inout NMEAFields) -> Bool {
    let field = fields.next()
    guard var cursor = ByteCursor(field) else { return true }
    guard let hour = DateText.number(&cursor, digits: 2), hour < 24,
      let minute = DateText.number(&cursor, digits: 2), minute < 60,
      let second = DateText.number(&cursor, digits: 2), second <= 60
    else { return false }
    var milliseconds = 0
    if cursor.byte == UInt8(ascii: "."), field.count > 7 {
      guard let fraction = DateText.fraction(&cursor) else { return false }
      milliseconds = fraction
    } else {
      _ = cursor.take(UInt8(ascii: "."))
    }
    guard cursor.isAtEnd else { return false }
    timeOfDay = Int64(((hour * 60 + minute) * 60 + second) * 1_000 + milliseconds)
    return true
  }

  /// False where four fields are no position.
  private mutating func readCoordinate(_ fields: inout NMEAFields) -> Bool {
    let latitude = Self.degrees(fields.next(), limit: 90)
    let north = fields.next()
    let longitude = Self.degrees(fields.next(), limit: 180)
    let east = fields.next()
    guard let latitude, let longitude,
      north == UInt8(ascii: "N") || north == UInt8(ascii: "S"),
      east == UInt8(ascii: "E") || east == UInt8(ascii: "W")
    else { return false }
    coordinate = Coordinate(
      latitude: north == UInt8(ascii: "S") ? -latitude : latitude,
      longitude: east == UInt8(ascii: "W") ? -longitude : longitude)
    return true
  }

  /// `4901.5940`: degrees and minutes run together.
  private static func degrees(_ field: UnsafeRawBufferPointer, limit: Double) -> Double? {
    guard let bytes = ByteView(field) else { return nil }
    var number = Decimal()
    guard number.read(bytes, at: 0) == bytes.count, number.digitCount <= 15,
      (3...5).contains(number.wholeCount)
    else { return nil }
    let scale = power(number.fractionCount)
    let degrees = number.digits / (100 * scale)
    let minutes = Double(number.digits % (100 * scale)) / Double(scale)
    let value = Double(degrees) + minutes / 60
    return minutes < 60 && value <= limit ? value : nil
  }

  /// 10 to the power of 0...12.
  private static func power(_ exponent: Int) -> UInt64 {
    (0..<min(exponent, 12)).reduce(1) { power, _ in power * 10 }
  }

  /// `110424`: day, month, year; below 80 in the 2000s.
  private static func day(_ field: UnsafeRawBufferPointer) -> Day? {
    guard var cursor = ByteCursor(field), field.count == 6,
      let day = DateText.number(&cursor, digits: 2),
      let month = DateText.number(&cursor, digits: 2),
      let year = DateText.number(&cursor, digits: 2)
    else { return nil }
    let date = Day(year: year < 80 ? 2_000 + year : 1_900 + year, month: month, day: day)
    return date.midnight == nil ? nil : date
  }

  /// Takes the best of several modes; false where all are N. No mode at all (NMEA before 2.3) is as
  /// good as A; a position typed in (M) counts as simulated.
  private mutating func readModes(_ modes: UnsafeRawBufferPointer) -> Bool {
    var best: Fix.Origin?
    for mode in modes {
      switch mode {
      case UInt8(ascii: "N"): continue
      case UInt8(ascii: "S"), UInt8(ascii: "M"): best = best ?? .simulated
      case UInt8(ascii: "E"): best = best == .measured ? best : .estimated
      default: best = .measured
      }
    }
    origin = best ?? .measured
    return modes.isEmpty || best != nil
  }
}

extension NMEASentence.Day {
  /// Nil where the calendar has no such day.
  var midnight: Timestamp? {
    Timestamp(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
  }
}

/// The comma-separated fields of a sentence, one after the other.
struct NMEAFields {
  private var rest: UnsafeRawBufferPointer
  /// True after the last field.
  private(set) var isAtEnd: Bool

  /// - Parameter bytes: What stands between the address and the checksum, after the first comma.
  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes
    isAtEnd = false
  }

  /// The next field; empty where there is none.
  mutating func next() -> UnsafeRawBufferPointer {
    guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else {
      defer { rest = UnsafeRawBufferPointer(rebasing: rest[rest.endIndex...]) }
      isAtEnd = true
      return rest
    }
    let field = UnsafeRawBufferPointer(rebasing: rest[..<comma])
    rest = UnsafeRawBufferPointer(rebasing: rest[(comma + 1)...])
    return field
  }

  /// Nil for an empty field and for one that is no number.
  mutating func nextNumber() -> Double? { Decimal.field(next()) }
}

private func == (field: UnsafeRawBufferPointer, byte: UInt8) -> Bool {
  field.count == 1 && field.first == byte
}
