import Geodesy
package import Milepost

/// Fixes as comma-separated values: `time,lat,lon[,speed,track,eph]`.
///
/// Time is ISO 8601 with `Z` or an offset, Unix seconds with decimals, or empty for the time of
/// receipt; degrees; m/s; degrees; metres. Spaces round a field do not count, empty optional fields
/// are absent, and a row whose latitude and longitude are both empty says that there is no fix. Mode is 2.
package enum CSVFixDecoder {
  package enum Row: Equatable, Sendable {
    case fix(Fix)
    /// A line whose first field is `time`.
    case header
    case malformed(LineProblem)
  }

  package static func decode(_ line: UnsafeRawBufferPointer) -> Row {
    var fields = CSVFields(line)
    guard let time = fields.next() else { return .malformed(.unknownFormat) }
    guard let latitude = fields.next(), let longitude = fields.next() else {
      return .malformed(.unknownFormat)
    }
    if isHeader(time) { return .header }
    do throws(LineProblem) {
      var fix = Fix(mode: 2, coordinate: nil, time: try timestamp(time))
      if latitude.isEmpty, longitude.isEmpty {
        fix.mode = 1
      } else {
        fix.coordinate = Coordinate(
          latitude: try number(latitude, .badLatitude),
          longitude: try number(longitude, .badLongitude))
      }
      fix.speed = try optional(fields.next(), .badSpeed)
      fix.track = try optional(fields.next(), .badTrack)
      fix.horizontalError = try optional(fields.next(), .badError)
      guard fields.next() == nil else { throw .tooManyFields }
      return .fix(fix)
    } catch {
      return .malformed(error)
    }
  }

  private static func isHeader(_ field: UnsafeRawBufferPointer) -> Bool {
    field.count == 4
      && zip(field, [UInt8(ascii: "t"), UInt8(ascii: "i"), UInt8(ascii: "m"), UInt8(ascii: "e")])
        .allSatisfy { $0 | 0x20 == $1 }
  }

  private static func timestamp(
    _ field: UnsafeRawBufferPointer
  ) throws(LineProblem) -> Timestamp? {
    if field.isEmpty { return nil }
    guard let time = DateText.iso8601(field) ?? DateText.unixSeconds(field) else { throw .badTime }
    return time
  }

  private static func number(
    _ field: UnsafeRawBufferPointer, _ problem: LineProblem
  ) throws(LineProblem) -> Double {
    guard let value = Decimal.field(field) else { throw problem }
    return value
  }

  private static func optional(
    _ field: UnsafeRawBufferPointer?, _ problem: LineProblem
  ) throws(LineProblem) -> Double? {
    guard let field, !field.isEmpty else { return nil }
    return try number(field, problem)
  }
}

/// The fields of one line, spaces and tabs round them left out.
private struct CSVFields {
  private var rest: UnsafeRawBufferPointer?

  init(_ line: UnsafeRawBufferPointer) { rest = line }

  /// Nil after the last one.
  mutating func next() -> UnsafeRawBufferPointer? {
    guard let bytes = rest else { return nil }
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")) else {
      rest = nil
      return Self.trimmed(bytes)
    }
    rest = UnsafeRawBufferPointer(rebasing: bytes[(comma + 1)...])
    return Self.trimmed(UnsafeRawBufferPointer(rebasing: bytes[..<comma]))
  }

  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var range = 0..<bytes.count
    while let first = range.first, isSpace(bytes[first]) { range.removeFirst() }
    while let last = range.last, isSpace(bytes[last]) { range.removeLast() }
    return UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
