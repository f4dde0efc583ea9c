import Glibc

/// Lines out of bytes that come in chunks of any size.
///
/// A line ends at LF; CRs before it are stripped. One that lies whole within a chunk is handed on in
/// place; only a torn one is copied, into one buffer that is kept. A line of more than
/// `maximumLength` bytes before its LF is dropped up to the LF and counted once.
package struct LineFramer {
  package let maximumLength: Int
  /// Lines dropped because of their length.
  package private(set) var overlong = 0
  /// True where the bytes up to the first LF were dropped as torn.
  package private(set) var droppedPartial = false

  private enum State { case collecting, overlong, beforeFirst }
  private var state: State
  private var pending: [UInt8] = []

  /// - Parameters:
  ///   - maximumLength: Bytes before the LF, CRs among them.
  ///   - skipFirstPartial: For a source joined in the midst of its stream: what comes before the
  ///     first LF is dropped.
  package init(maximumLength: Int = 65_536, skipFirstPartial: Bool = false) {
    self.maximumLength = max(1, maximumLength)
    state = skipFirstPartial ? .beforeFirst : .collecting
  }

  /// Takes the next bytes and hands on each line that they complete. A line's bytes are valid only
  /// during the call of `line`.
  package mutating func append(
    _ chunk: UnsafeRawBufferPointer, _ line: (UnsafeRawBufferPointer) -> Void
  ) {
    var rest = chunk
    while let base = rest.baseAddress, !rest.isEmpty {
      guard let newline = memchr(base, 0x0A, rest.count) else { return keep(rest) }
      let length = UnsafeRawPointer(newline) - base
      complete(UnsafeRawBufferPointer(rebasing: rest.prefix(length)), line)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length + 1))
    }
  }

  /// Hands on the last line where the input ends without LF, and is as new for the next input.
  package mutating func finish(_ line: (UnsafeRawBufferPointer) -> Void) {
    if state == .collecting, !pending.isEmpty { handOn(line) }
    if state == .beforeFirst { droppedPartial = true }
    reset()
  }

  /// Forgets a line begun, as after a reconnect; the counters stay.
  package mutating func reset() {
    pending.removeAll(keepingCapacity: true)
    state = .collecting
  }

  private mutating func complete(
    _ end: UnsafeRawBufferPointer, _ line: (UnsafeRawBufferPointer) -> Void
  ) {
    switch state {
    case .overlong:
      state = .collecting
    case .beforeFirst:
      droppedPartial = true
      state = .collecting
    case .collecting:
      if pending.count + end.count > maximumLength {
        overlong += 1
        pending.removeAll(keepingCapacity: true)
      } else if pending.isEmpty {
        line(Self.withoutCR(end))
      } else {
        pending.append(contentsOf: end)
        handOn(line)
      }
    }
  }

  private mutating func keep(_ rest: UnsafeRawBufferPointer) {
    guard state == .collecting else { return }
    if pending.count + rest.count > maximumLength {
      overlong += 1
      pending.removeAll(keepingCapacity: true)
      state = .overlong
    } else {
      pending.append(contentsOf: rest)
    }
  }

  private mutating func handOn(_ line: (UnsafeRawBufferPointer) -> Void) {
    pending.withUnsafeBytes { line(Self.withoutCR($0)) }
    pending.removeAll(keepingCapacity: true)
  }

  private static func withoutCR(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var count = bytes.count
    while count > 0, bytes[count - 1] == 0x0D { count -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[0..<count])
  }
}
