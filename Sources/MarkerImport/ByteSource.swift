import Glibc

/// A file, standard input or bytes in memory, read in chunks.
package final class ByteSource {
  package let name: String
  /// Nil for a pipe.
  package let size: Int64?
  package private(set) var bytesRead: Int64 = 0
  private let descriptor: Int32
  private var memory: ArraySlice<UInt8>?

  private let chunkSize: Int

  /// `-` is standard input; open(2), fstat(2).
  package init(path: String) throws(ImportFault) {
    name = path == "-" ? "standard input" : path
    let opened = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw Self.fault(name, errno) }
    descriptor = opened
    chunkSize = 1 << 18
    var status = stat()
    guard fstat(opened, &status) == 0 else { throw Self.fault(name, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw ImportFault(.inputOutput, "\(name): is a directory (name its files)")
    }
    size = status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }

  package init(bytes: [UInt8], name: String, chunkSize: Int = 1 << 18) {
    self.name = name
    self.chunkSize = max(1, chunkSize)
    memory = bytes[...]
    size = Int64(bytes.count)
    descriptor = -1
  }

  deinit { if descriptor > 0 { close(descriptor) } }

  /// The next bytes; empty at the end. read(2).
  func chunk() throws(ImportFault) -> [UInt8] {
    if let rest = memory {
      let chunk = rest.prefix(chunkSize)
      memory = rest.dropFirst(chunkSize)
      bytesRead += Int64(chunk.count)
      return Array(chunk)
    }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
      while true {
        let got = read(descriptor, buffer.baseAddress, buffer.count)
        let code = errno
        if got >= 0 {
          count = got
          return
        }
        if code == EINTR { continue }
        failure = code
        return
      }
    }
    guard failure == 0 else { throw Self.fault(name, failure) }
    bytesRead += Int64(bytes.count)
    return bytes
  }

  private static func fault(_ name: String, _ code: Int32) -> ImportFault {
    ImportFault(.inputOutput, "\(name): \(String(cString: strerror(code)))")
  }
}
