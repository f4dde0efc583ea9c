import Glibc

extension Configuration {
  /// Larger files are refused.
  package static let sizeLimit = 1 << 20

  /// The settings of the file at `path` and of the drop-ins `path.d/*.conf`, by name.
  ///
  /// Where `mayBeAbsent` is true, a file that does not exist gives the defaults.
  package static func load(path: String, mayBeAbsent: Bool = false) throws(ConfigurationError)
    -> Settings
  {
    var reader = ConfigurationReader()
    var problems: [ConfigurationProblem] = []
    for (index, name) in ([path] + dropIns(of: path, problems: &problems)).enumerated() {
      switch read(name) {
      case .success(let bytes): reader.read(File(name: name, bytes: bytes))
      case .failure(let fault) where fault.code == ENOENT && mayBeAbsent && index == 0: continue
      case .failure(let fault):
        problems.append(ConfigurationProblem(file: name, reason: fault.reason))
      }
    }
    problems += reader.problems
    guard problems.isEmpty else { throw ConfigurationError(problems) }
    return reader.settings
  }

  private struct Fault: Error {
    var code: CInt = 0
    var reason: String

    init(_ reason: String) { self.reason = reason }

    init(code: CInt) {
      self.code = code
      reason =
        switch code {
        case ENOENT: "does not exist"
        case EACCES: "may not be read (check its permissions and those of its folders)"
        default: "cannot be read: \(String(cString: strerror(code)))"
        }
    }
  }

  /// The drop-ins in the order of their names' bytes; opendir(3). No folder, no drop-ins.
  private static func dropIns(of path: String, problems: inout [ConfigurationProblem])
    -> [String]
  {
    let folder = path + ".d"
    guard let stream = opendir(folder) else {
      let code = errno
      if code != ENOENT {
        problems.append(ConfigurationProblem(file: folder, reason: Fault(code: code).reason))
      }
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".conf"), !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(folder)/\($0)" }
  }

  /// The whole file; open(2), fstat(2), read(2). A link to /dev/null is an empty file, as for systemd.
  private static func read(_ path: String) -> Result<[UInt8], Fault> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return .failure(Fault(code: errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(Fault(code: errno)) }
    let nullDevice: dev_t = 0x103
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFCHR where status.st_rdev == nullDevice: break
    case S_IFDIR: return .failure(Fault("is a directory (name a file)"))
    default: return .failure(Fault("is not a regular file"))
    }
    guard status.st_size <= sizeLimit else { return .failure(Fault("is larger than 1 MiB")) }
    return contents(of: descriptor)
  }

  private static func contents(of descriptor: CInt) -> Result<[UInt8], Fault> {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let got = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if got < 0 {
        let code = errno
        if code == EINTR { continue }
        return .failure(Fault(code: code))
      }
      if got == 0 { return .success(bytes) }
      bytes += chunk.prefix(got)
      guard bytes.count <= sizeLimit else { return .failure(Fault("is larger than 1 MiB")) }
    }
  }
}
