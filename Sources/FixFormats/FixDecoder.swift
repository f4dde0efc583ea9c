package import Milepost

/// Lines of any format, each telling its own: `{` TPV JSON, `$` or `!` NMEA, else CSV.
///
/// What stands before the first `{`, `$` or `!` is skipped, as the stamps of gpspipe are: a CSV line
/// never contains one. Blank lines, and comments that begin with `#`, count as blank.
package struct FixDecoder {
  /// What came in, line by line; every line is counted once in `fixes`' stead or in one of the others.
  package struct Counters: Equatable, Sendable {
    package var lines = 0
    /// Fixes handed on; an NMEA epoch of several sentences is one.
    package var fixes = 0
    /// Empty lines, comments, CSV headers.
    package var blank = 0
    package var malformed = 0
    /// Reports of gpsd that are no TPV.
    package var otherReports = 0
    /// NMEA sentences that carry no position, and AIS.
    package var otherSentences = 0

    package init() {}
  }

  package private(set) var counters = Counters()
  private var tpv = TPVDecoder()
  private var nmea: NMEADecoder

  package init(requiresChecksum: Bool = true) {
    nmea = NMEADecoder(requiresChecksum: requiresChecksum)
  }

  /// The receivers named by TPVs so far; fixes of NMEA and CSV have ``DeviceID/unnamed``.
  package var devices: DeviceTable { tpv.devices }

  /// The number of a device's name, as fixes will carry it.
  package mutating func id(ofDevice name: String) -> DeviceID { tpv.id(ofDevice: name) }

  /// Decodes one line without its line end, and hands on the fixes that it completes.
  /// - Returns: What is wrong with a malformed line.
  @discardableResult
  package mutating func decode(
    _ line: UnsafeRawBufferPointer, emit: (Fix) -> Void
  ) -> LineProblem? {
    counters.lines += 1
    let line = Self.withoutMark(line)
    guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 }), first != UInt8(ascii: "#")
    else {
      counters.blank += 1
      return nil
    }
    let problem: LineProblem?
    if let start = line.firstIndex(where: Self.isMark) {
      let rest = UnsafeRawBufferPointer(rebasing: line[start...])
      problem = rest.first == UInt8(ascii: "{") ? json(rest, emit) : sentence(rest, emit)
    } else {
      problem = row(line, emit)
    }
    if problem != nil { counters.malformed += 1 }
    return problem
  }

  /// Hands on what waits for more input: at its end, or when the source falls silent.
  package mutating func finish(emit: (Fix) -> Void) {
    var fixes = 0
    nmea.finish {
      fixes += 1
      emit($0)
    }
    counters.fixes += fixes
  }

  private mutating func json(
    _ line: UnsafeRawBufferPointer, _ emit: (Fix) -> Void
  ) -> LineProblem? {
    switch tpv.decode(line) {
    case .tpv(let fix):
      counters.fixes += 1
      emit(fix)
    case .malformed(let problem): return problem
    default: counters.otherReports += 1
    }
    return nil
  }

  private mutating func sentence(
    _ line: UnsafeRawBufferPointer, _ emit: (Fix) -> Void
  ) -> LineProblem? {
    var fixes = 0
    let outcome = nmea.decode(line) {
      fixes += 1
      emit($0)
    }
    counters.fixes += fixes
    switch outcome {
    case .taken: return nil
    case .ignored: counters.otherSentences += 1
    case .malformed(let problem): return problem
    }
    return nil
  }

  private mutating func row(
    _ line: UnsafeRawBufferPointer, _ emit: (Fix) -> Void
  ) -> LineProblem? {
    switch CSVFixDecoder.decode(line) {
    case .fix(let fix):
      counters.fixes += 1
      emit(fix)
    case .header: counters.blank += 1
    case .malformed(let problem): return problem
    }
    return nil
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!")
  }

  /// Without the byte order mark that some editors set before a file's first line.
  private static func withoutMark(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF else { return line }
    return UnsafeRawBufferPointer(rebasing: line[3...])
  }
}
