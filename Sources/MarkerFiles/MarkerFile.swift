import Glibc
package import Milepost

/// Marker files on disk.
package enum MarkerFile {
  /// Larger files are refused.
  package static let sizeLimit = 2 << 30

  /// Reads all files that `patterns` name, in that order, those of one pattern by name; a file named
  /// twice is read once.
  ///
  /// A pattern (with `*`, `?` or `[`) may match nothing; a plain path that is not there is a failure.
  package static func load(_ patterns: [String], options: MarkerOptions = MarkerOptions())
    -> MarkerSet
  {
    var reader = MarkerReader(options: options)
    for path in paths(patterns) {
      do {
        reader.read(try bytes(of: path), file: path)
      } catch {
        reader.fail(error.reason, file: path)
      }
    }
    return reader.finish()
  }

  /// Why a file cannot be read.
  struct Fault: Error {
    var reason: String
  }

  /// The files that patterns name; glob(3).
  static func paths(_ patterns: [String]) -> [String] {
    var seen: Set<String> = []
    return patterns.flatMap { pattern in
      pattern.contains { "*?[".contains($0) } && access(pattern, F_OK) != 0
        ? matches(pattern) : [pattern]
    }.filter { seen.insert($0).inserted }
  }

  private static func matches(_ pattern: String) -> [String] {
    var result = glob_t()
    defer { globfree(&result) }
    guard glob(pattern, 0, nil, &result) == 0 else { return [] }
    return (0..<Int(result.gl_pathc)).compactMap { index in
      result.gl_pathv[index].map { String(cString: $0) }
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The whole file; open(2), fstat(2), read(2).
  static func bytes(of path: String) throws(Fault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw fault(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw fault(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      let folder = path.hasSuffix("/") ? path : path + "/"
      throw Fault(reason: "is a directory (name its files: \(folder)*.csv)")
    default: throw Fault(reason: "is not a regular file")
    }
    guard status.st_size <= sizeLimit else {
      throw Fault(reason: "is larger than 2 GiB (split it)")
    }
    return try contents(of: descriptor, size: Int(status.st_size))
  }

  private static func contents(of descriptor: CInt, size: Int) throws(Fault) -> [UInt8] {
    var failure: CInt?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size, let base = buffer.baseAddress {
        let got = read(descriptor, base + count, size - count)
        if got == 0 { return }
        if got > 0 {
          count += got
        } else if errno != EINTR {
          failure = errno
          return
        }
      }
    }
    if let failure { throw fault(failure) }
    return bytes
  }

  private static func fault(_ code: CInt) -> Fault {
    switch code {
    case ENOENT: Fault(reason: "does not exist")
    case EACCES: Fault(reason: "may not be read (check its permissions and those of its folders)")
    default: Fault(reason: "cannot be read: \(String(cString: strerror(code)))")
    }
  }
}
