package import Milepost

/// NMEA 0183 sentences: RMC, GGA, GNS and GLL of one epoch make one fix.
///
/// An epoch is handed on as soon as it is complete, so that an event is not a second late: once the
/// kinds of sentence seen in the two epochs before (either of them, for a sentence may be lost) are
/// there, else when a sentence of another time comes. Therefore the first epoch waits for the second.
///
/// An epoch without a valid position gives a fix of mode 1. Mode is 3 where an altitude is given,
/// else 2. HDOP is no error in metres: ``Fix/horizontalError`` stays nil.
package struct NMEADecoder {
  /// What became of a sentence.
  package enum Outcome: Equatable, Sendable {
    /// Part of an epoch, void or not.
    case taken
    /// Another sentence, a proprietary one (`$P…`) or AIS (`!…`); its checksum is not looked at.
    case ignored
    case malformed(LineProblem)
  }

  private let requiresChecksum: Bool
  private var epoch = NMEAEpoch()
  private var kindsBefore: (UInt8, UInt8) = (0, 0)
  private var lastTime: Timestamp?

  /// - Parameter requiresChecksum: If false a sentence may lack its checksum; a wrong one is refused
  ///   all the same.
  package init(requiresChecksum: Bool = true) {
    self.requiresChecksum = requiresChecksum
  }

  /// Decodes one line, which begins with `$` or `!`, and hands on the epochs that it completes.
  package mutating func decode(
    _ line: UnsafeRawBufferPointer, emit: (Fix) -> Void
  ) -> Outcome {
    if line.first == UInt8(ascii: "!") { return .ignored }
    guard line.first == UInt8(ascii: "$") else { return .malformed(.notASentence) }
    let body = UnsafeRawBufferPointer(rebasing: line.dropFirst())
    guard let comma = body.firstIndex(of: UInt8(ascii: ",")) else {
      return Self.isAddress(body) ? .malformed(.cutShort) : .malformed(.notASentence)
    }
    let address = UnsafeRawBufferPointer(rebasing: body[..<comma])
    guard Self.isAddress(address) else { return .malformed(.notASentence) }
    guard let kind = Self.kind(address) else { return .ignored }
    do throws(LineProblem) {
      let content = try checked(body)
      guard content.count > comma else { throw .cutShort }
      let fields = NMEAFields(UnsafeRawBufferPointer(rebasing: content[(comma + 1)...]))
      take(NMEASentence(kind: kind, fields: fields), emit: emit)
      return .taken
    } catch {
      return .malformed(error)
    }
  }

  /// Hands on the epoch that waits for its next sentence: at the end of input, or when the receiver
  /// falls silent.
  package mutating func finish(emit: (Fix) -> Void) {
    close(emit: emit)
    kindsBefore = (0, 0)
  }

  private mutating func take(_ sentence: NMEASentence, emit: (Fix) -> Void) {
    if !epoch.accepts(sentence) { close(emit: emit) }
    epoch.add(sentence)
    let expected = kindsBefore.0 | kindsBefore.1
    if expected != 0, epoch.kinds & expected == expected { hand(on: emit) }
  }

  private mutating func close(emit: (Fix) -> Void) {
    guard epoch.kinds != 0 else { return }
    hand(on: emit)
    kindsBefore = (kindsBefore.1, epoch.kinds)
    epoch = NMEAEpoch()
  }

  private mutating func hand(on emit: (Fix) -> Void) {
    guard !epoch.isEmitted else { return }
    epoch.isEmitted = true
    let fix = epoch.fix(after: lastTime)
    if fix.coordinate != nil, let time = fix.time { lastTime = time }
    emit(fix)
  }

  /// What stands before the checksum.
  private func checked(_ body: UnsafeRawBufferPointer) throws(LineProblem) -> UnsafeRawBufferPointer
  {
    var sum: UInt8 = 0
    var end = 0
    while end < body.count, body[end] != UInt8(ascii: "*") {
      sum ^= body[end]
      end += 1
    }
    let content = UnsafeRawBufferPointer(rebasing: body[..<end])
    guard end < body.count else {
      if requiresChecksum { throw .noChecksum }
      return content
    }
    guard body.count - end >= 3, let high = hexValue(body[end + 1]),
      let low = hexValue(body[end + 2])
    else { throw .cutShort }
    guard high << 4 | low == sum, body[(end + 3)...].allSatisfy({ $0 <= 0x20 }) else {
      throw .wrongChecksum
    }
    return content
  }

  /// Capital letters and digits, at most ten, as every address is.
  private static func isAddress(_ bytes: UnsafeRawBufferPointer) -> Bool {
    (1...10).contains(bytes.count)
      && bytes.allSatisfy {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }

  /// Nil for other sentences. A `P` marks a proprietary one: `$PGRMC` sets up a Garmin.
  private static func kind(_ address: UnsafeRawBufferPointer) -> NMEASentence.Kind? {
    guard address.count == 5, address[0] != UInt8(ascii: "P") else { return nil }
    return switch (address[2], address[3], address[4]) {
    case (UInt8(ascii: "R"), UInt8(ascii: "M"), UInt8(ascii: "C")): .rmc
    case (UInt8(ascii: "G"), UInt8(ascii: "G"), UInt8(ascii: "A")): .gga
    case (UInt8(ascii: "G"), UInt8(ascii: "N"), UInt8(ascii: "S")): .gns
    case (UInt8(ascii: "G"), UInt8(ascii: "L"), UInt8(ascii: "L")): .gll
    default: nil
    }
  }
}
