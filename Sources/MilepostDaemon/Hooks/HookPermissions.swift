internal import Glibc
internal import SystemdKit

/// Why a file of the hook directory is not run.
package struct HookRefusal: Error, Hashable, CustomStringConvertible {
  /// The file or directory at fault.
  package let path: String
  package let reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  package var description: String { "\(path): \(reason)" }
}

/// Whom a hook may belong to: nobody but root and the daemon's user may be able to change it.
///
/// The rule holds for every directory on the way, for those of symbolic links too. A directory that
/// others may write to is fine if it is sticky: they cannot replace our files in it.
package struct HookPermissions: Sendable {
  /// The daemon's user, beside root.
  private let user: UInt32

  package init(user: UInt32 = geteuid()) { self.user = user }

  /// Follows the absolute `path` component by component, as the kernel does, and checks each.
  /// - Throws: the first ``HookRefusal``.
  package func verify(_ path: String) throws(HookRefusal) {
    var resolved: [String] = []
    var remaining = Array(Self.components(path).reversed())
    var links = 0
    _ = try typeOfChecked("/")
    while let component = remaining.popLast() {
      guard component != ".." else {
        _ = resolved.popLast()
        continue
      }
      let here = "/" + (resolved + [component]).joined(separator: "/")
      guard try typeOfChecked(here) == S_IFLNK else {
        resolved.append(component)
        continue
      }
      links += 1
      guard links <= Self.linkLimit else {
        throw HookRefusal(path: path, reason: SystemError.text(of: ELOOP))
      }
      let target = try Self.target(of: here)
      if target.hasPrefix("/") { resolved = [] }
      remaining += Self.components(target).reversed()
    }
  }

  /// Linux follows 40 links at most, path_resolution(7).
  private static let linkLimit = 40

  /// The S_IFMT bits of what is at `path`, no link followed, where its owner and mode are fine.
  private func typeOfChecked(_ path: String) throws(HookRefusal) -> mode_t {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw HookRefusal(path: path, reason: SystemError.text(of: errno))
    }
    guard status.st_uid == 0 || status.st_uid == user else {
      throw HookRefusal(
        path: path, reason: "belongs to user \(status.st_uid), not to root or the daemon's user")
    }
    let type = status.st_mode & S_IFMT
    let isStickyDirectory = type == S_IFDIR && status.st_mode & S_ISVTX != 0
    // The mode of a link says nothing.
    if type != S_IFLNK, !isStickyDirectory, status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
      let who = status.st_mode & S_IWOTH != 0 ? "everybody" : "its group"
      throw HookRefusal(path: path, reason: "is writable by \(who) (chmod go-w)")
    }
    return type
  }

  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }
  }

  private static func target(of path: String) throws(HookRefusal) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { throw HookRefusal(path: path, reason: SystemError.text(of: errno)) }
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
