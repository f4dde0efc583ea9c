/// Why a line is no fix and no other report: malformed input, named for the person who reads it.
package enum LineProblem: String, Error, Equatable, Sendable {
  /// The line ends within an object, a string or a sentence.
  case cutShort = "the line is cut short"
  /// JSON that is none: a missing colon, a stray byte.
  case syntax = "not valid JSON"
  case badNumber = "not a number"
  /// Nested deeper than ``JSONText/maximumDepth``.
  case tooDeep = "nested too deeply"
  case trailingBytes = "something follows the object"
  case noClass = "an object without a class"
  case noChecksum = "an NMEA sentence without a checksum"
  case wrongChecksum = "the NMEA checksum is wrong"
  case notASentence = "not an NMEA sentence"
  /// Neither JSON, NMEA nor `time,lat,lon`.
  case unknownFormat = "neither TPV, NMEA nor time,lat,lon"
  case tooManyFields = "more fields than time,lat,lon,speed,track,eph"
  case badTime = "the time is neither ISO 8601 with a zone nor Unix seconds of 9 digits or more"
  case badLatitude = "the latitude is not a number"
  case badLongitude = "the longitude is not a number"
  case badSpeed = "the speed is not a number"
  case badTrack = "the track is not a number"
  case badError = "the eph is not a number"
}

extension LineProblem: CustomStringConvertible {
  package var description: String { rawValue }
}
