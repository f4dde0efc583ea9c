import Glibc
import Options

/// Standard output and standard error of a command.
struct Output: ~Copyable {
  private static let bufferSize = 1 << 16
  private var buffer: [UInt8] = []

  init() { buffer.reserveCapacity(Self.bufferSize) }

  mutating func writeLine(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    buffer.append(0x0A)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  mutating func writePiece(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    try flush()
  }

  mutating func flush() throws {
    let failure = buffer.withUnsafeBytes { Self.writeAll($0, to: 1) }
    buffer.removeAll(keepingCapacity: true)
    if let failure {
      throw Failure(
        ExitCode.inputOutput, "standard output: \(String(cString: strerror(failure)))")
    }
  }

  /// A result on standard output.
  /// - Throws: `Failure` where it cannot be written.
  static func tell(_ text: String) throws {
    var output = Output()
    try output.writePiece(Array(text.utf8))
  }

  /// A line on standard error.
  static func complain(_ text: String) { note("milepostctl: \(text)\n") }

  /// Text on standard error as it is.
  static func note(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { writeAll($0, to: 2) }
  }

  /// write(2) until all is written. Returns errno where it fails.
  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let written = write(descriptor, base, rest.count)
      let code = errno
      if written >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
      } else if code != EINTR {
        return code
      }
    }
    return nil
  }
}
