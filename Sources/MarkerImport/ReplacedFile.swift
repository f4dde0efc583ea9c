import Glibc

/// A file that is replaced in one step or not at all: written beside its place, then renamed.
package struct ReplacedFile: ~Copyable {
  package let path: String
  private let draft: String
  private let descriptor: Int32
  private var isDone = false

  /// mkstemp(3) beside `path`. A symbolic link is followed, so that its target is what is replaced.
  package init(path: String) throws(ImportFault) {
    self.path = Self.resolved(path)
    var status = stat()
    let exists = stat(self.path, &status) == 0
    guard !exists || status.st_mode & S_IFMT == S_IFREG else {
      throw ImportFault(
        .inputOutput, "\(path): is no regular file (use -o FILE, or -o - for standard output)")
    }
    let name = self.path + ".XXXXXX"
    var template = Array(name.utf8CString)
    let opened = mkstemp(&template)
    guard opened >= 0 else { throw Self.fault(path, errno) }
    descriptor = opened
    _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
    draft = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    _ = fchmod(descriptor, exists ? status.st_mode & 0o777 : 0o644)
  }

  deinit {
    close(descriptor)
    if !isDone { unlink(draft) }
  }

  package func write(_ bytes: [UInt8]) throws(ImportFault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if code != EINTR {
        throw Self.fault(path, code)
      }
    }
  }

  /// fsync(2), rename(2).
  package mutating func commit() throws(ImportFault) {
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw Self.fault(path, errno) }
    isDone = true
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func fault(_ path: String, _ code: Int32) -> ImportFault {
    ImportFault(.inputOutput, "\(path): cannot be written: \(String(cString: strerror(code)))")
  }
}
