import Glibc
import Options

/// A file or standard input, read in chunks.
struct Input: ~Copyable {
  let name: String
  /// The file's size; nil for a pipe or terminal.
  let size: Int64?
  private(set) var bytesRead: Int64
  private let descriptor: Int32

  /// `-` is standard input.
  init(path: String) throws {
    let name = path == "-" ? "standard input" : path
    let opened = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw Self.failure(name, errno) }
    var status = stat()
    let isFile = fstat(opened, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.name = name
    size = isFile ? Int64(status.st_size) : nil
    bytesRead = 0
    descriptor = opened
  }

  deinit { if descriptor > 0 { close(descriptor) } }

  /// Calls `take` with each chunk up to the end.
  mutating func forEachChunk(_ take: (UnsafeRawBufferPointer, Int64) throws -> Void) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      let code = errno
      if count == 0 { return }
      if count < 0 {
        if code == EINTR { continue }
        throw Self.failure(name, code)
      }
      bytesRead += Int64(count)
      try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), bytesRead)
    }
  }

  private static func failure(_ name: String, _ code: Int32) -> Failure {
    Failure(ExitCode.inputOutput, "\(name): \(String(cString: strerror(code)))")
  }
}
