internal import Glibc
internal import SystemdKit

/// The hook directory. It remembers what it has named, so that each look names only what is new.
package struct HookDirectory {
  /// What a look at the directory gives.
  package struct Listing {
    /// In the order of their names' bytes; nil where the directory is there and cannot be looked at,
    /// or may not be trusted now: that no hook is gone is all that is known.
    package let hooks: [Hook]?
    /// What is not run and was not named by the listing before.
    package let news: [HookRefusal]
  }

  private var path: String
  private let permissions: HookPermissions
  private var named: Set<HookRefusal> = []
  /// The hooks of the last listing, by name.
  private var known: [String: (hook: Hook, missingSinceMS: Int64?)] = [:]

  /// A file that is being replaced is missing, or not yet executable, for a moment.
  private static let graceMS: Int64 = 5_000

  /// A relative `path` is taken from the working directory of now.
  package init(path: String, permissions: HookPermissions = HookPermissions()) {
    self.path = Self.absolute(path)
    self.permissions = permissions
  }

  /// Takes another directory; of the same one, all is named anew that is not run.
  package mutating func move(to path: String) {
    let path = Self.absolute(path)
    if path != self.path { known = [:] }
    self.path = path
    named = []
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : workingDirectory + "/" + path
  }

  /// Looks at the directory. Where it is not there, there are no hooks, and the refusal names it.
  ///
  /// A hook that is missing, or not fine, is listed for 5 s more, so that one that is just being
  /// replaced keeps its deliveries; a run fails meanwhile, and is tried again. `now` is on CLOCK_BOOTTIME, ms.
  package mutating func list(now: Int64) -> Listing {
    var hooks: [Hook]? = []
    var refusals: [HookRefusal] = []
    do throws(HookRefusal) {
      try permissions.verify(path)
      for name in try Self.names(in: path) {
        let file = path + "/" + name
        do throws(HookRefusal) {
          try Self.verifyName(name, file)
          try verifyFile(file)
          hooks?.append(Hook(name: name, path: file))
        } catch {
          refusals.append(error)
        }
      }
    } catch {
      refusals = [error]
      hooks = Self.isGone(path) ? [] : nil
    }
    let news = refusals.filter { !named.contains($0) }
    named = Set(refusals)
    return Listing(hooks: hooks.map { withMissing($0, now) }, news: news)
  }

  /// The hooks found, and those missing for less than ``graceMS`` since a look first missed them.
  private mutating func withMissing(_ found: [Hook], _ now: Int64) -> [Hook] {
    let names = Set(found.map(\.name))
    for (name, entry) in known where !names.contains(name) {
      let since = entry.missingSinceMS ?? now
      known[name] = now - since < Self.graceMS ? (entry.hook, since) : nil
    }
    for hook in found { known[hook.name] = (hook, nil) }
    return known.values.map(\.hook).sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
  }

  /// Refuses hidden files, and leftovers of editors and package managers.
  private static func verifyName(_ name: String, _ file: String) throws(HookRefusal) {
    if name.hasPrefix(".") { throw HookRefusal(path: file, reason: "is a hidden file") }
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    let isLeftover =
      name.hasSuffix("~") || name.hasSuffix(".bak") || name.hasSuffix(".swp")
      || ending.hasPrefix("dpkg-") || ending.hasPrefix("rpm")
    if isLeftover { throw HookRefusal(path: file, reason: "is a backup or leftover file") }
  }

  private func verifyFile(_ file: String) throws(HookRefusal) {
    try permissions.verify(file)
    var status = stat()
    guard stat(file, &status) == 0 else {
      throw HookRefusal(path: file, reason: SystemError.text(of: errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HookRefusal(path: file, reason: "is not a file")
    }
    guard faccessat(AT_FDCWD, file, X_OK, AT_EACCESS) == 0 else {
      throw HookRefusal(path: file, reason: "is not executable (chmod +x)")
    }
  }

  /// The names in a directory, sorted by their bytes, by readdir(3).
  private static func names(in path: String) throws(HookRefusal) -> [String] {
    guard let stream = opendir(path) else {
      throw HookRefusal(path: path, reason: SystemError.text(of: errno))
    }
    defer { closedir(stream) }
    var names: [String] = []
    // Only errno tells an error from the end.
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw HookRefusal(path: path, reason: SystemError.text(of: errno)) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func isGone(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  private static var workingDirectory: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return "" }
    return String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
