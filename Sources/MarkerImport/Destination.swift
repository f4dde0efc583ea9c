import Glibc

/// Where a path leads that is to be written.
package enum Destination: Hashable, Sendable {
  /// A regular file, there or not, to be replaced as a whole. No symbolic link.
  case file(path: String)
  /// One of this process's own: `-`, /dev/stdout, /dev/fd/3.
  case descriptor(Int32)
  /// A FIFO, terminal or other device of characters, or socket: written in place.
  case special(path: String)

  /// So many symbolic links may lead on, as in the kernel.
  private static let linkLimit = 40

  /// Follows symbolic links, also one that leads to no file yet.
  package init(path: String) throws(ImportFault) {
    if path == "-" {
      self = .descriptor(1)
      return
    }
    guard !path.isEmpty else {
      throw ImportFault(.usage, "the output has no name (use -o FILE, or -o - for standard output)")
    }
    var place = path
    for _ in 0..<Self.linkLimit {
      let (folder, name) = Self.parts(of: place)
      guard let folder = Self.real(folder) else { throw Self.fault(path, errno) }
      if let descriptor = Self.descriptor(folder, name) {
        self = .descriptor(descriptor)
        return
      }
      place = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      guard let target = Self.link(at: place) else {
        self = try Self.end(of: place, asked: path)
        return
      }
      place = target.hasPrefix("/") ? target : "\(folder)/\(target)"
    }
    throw Self.fault(path, ELOOP)
  }

  /// What stands at a path that is no link.
  private static func end(of place: String, asked path: String) throws(ImportFault) -> Destination {
    var status = stat()
    guard lstat(place, &status) == 0 else {
      let code = errno
      guard code == ENOENT, !path.hasSuffix("/") else { throw fault(path, code) }
      return .file(path: place)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file(path: place)
    case S_IFDIR:
      throw ImportFault(.inputOutput, "\(path): is a directory (name a file in it)")
    case S_IFBLK:
      throw ImportFault(.inputOutput, "\(path): is a block device (name a file with -o FILE)")
    default: return .special(path: place)
    }
  }

  /// The folder and the name in it; `..` and the like are names of folders.
  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    let name = String(path[path.index(after: slash)...])
    return ["", ".", ".."].contains(name) ? (path, ".") : (folder, name)
  }

  /// realpath(3).
  private static func real(_ folder: String) -> String? {
    guard let real = realpath(folder, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// readlink(2); nil where there is no link.
  private static func link(at path: String) -> String? {
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) {
        guard let base = $0.baseAddress else { return 0 }
        return max(0, readlink(path, base, $0.count))
      }
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// The number of a descriptor in this process's folder of them.
  private static func descriptor(_ folder: String, _ name: String) -> Int32? {
    let own = "/proc/\(getpid())"
    guard folder == "\(own)/fd" || folder == "\(own)/task/\(getpid())/fd" else { return nil }
    return Int32(name)
  }

  static func fault(_ path: String, _ code: Int32) -> ImportFault {
    ImportFault(.inputOutput, "\(path): cannot be written: \(String(cString: strerror(code)))")
  }
}

extension Destination {
  /// The name that a person knows it by.
  package var name: String {
    switch self {
    case .file(let path), .special(let path): path
    case .descriptor(1): "standard output"
    case .descriptor(2): "standard error"
    case .descriptor(let number): "/dev/fd/\(number)"
    }
  }

  /// errno that writing would end with, as far as that can be told without writing; faccessat(2),
  /// fcntl(2).
  package var obstacle: Int32? {
    switch self {
    case .descriptor(let number):
      let flags = fcntl(number, F_GETFL)
      return flags < 0 || flags & O_ACCMODE == O_RDONLY ? EBADF : nil
    case .special(let path): return Self.denial(path, W_OK)
    case .file(let path):
      let folder = Self.parts(of: path).folder
      return Self.denial(folder, W_OK | X_OK) ?? Self.stickiness(of: path, in: folder)
    }
  }

  /// - Throws: what ``obstacle`` says.
  package func check() throws(ImportFault) {
    if let obstacle { throw Self.fault(name, obstacle) }
  }

  private static func denial(_ path: String, _ mode: Int32) -> Int32? {
    faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 ? nil : errno
  }

  /// Others' files in a sticky folder, as /tmp is, cannot be replaced.
  private static func stickiness(of path: String, in folder: String) -> Int32? {
    var (parent, file) = (stat(), stat())
    guard stat(folder, &parent) == 0, stat(path, &file) == 0, parent.st_mode & S_ISVTX != 0 else {
      return nil
    }
    let user = geteuid()
    return user == 0 || user == parent.st_uid || user == file.st_uid ? nil : EPERM
  }

  /// Writes to what is no regular file of its own name; open(2), write(2). A FIFO waits for its reader.
  package func writeInPlace(_ bytes: [UInt8]) throws(ImportFault) {
    var opened: Int32 = -1
    var target = opened
    switch self {
    case .descriptor(let number): target = number
    case .special(let path), .file(let path):
      opened = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      guard opened >= 0 else { throw Self.fault(path, errno) }
      target = opened
    }
    defer { if opened >= 0 { close(opened) } }
    try Self.writeAll(bytes[...], to: target, name: name)
  }

  static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, name: String)
    throws(ImportFault)
  {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if code != EINTR {
        throw fault(name, code)
      }
    }
  }
}
