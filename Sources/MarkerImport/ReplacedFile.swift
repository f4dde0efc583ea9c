import Glibc

/// A file that is replaced in one step or not at all.
///
/// What is written has no name, so that whatever ends the process leaves nothing behind. It gets one
/// beside its place for the moment of rename(2), in which signals wait. Where the file system knows no
/// files without a name, all is kept in memory up to then, and signals wait while it is written.
package struct ReplacedFile: ~Copyable {
  package let path: String
  private let folder: String
  /// -1 where ``memory`` holds what is written.
  private let descriptor: Int32
  private var memory: [UInt8] = []

  /// A name is taken by chance so rarely that a few more are enough.
  private static let attempts = 16
  /// As much is written between two looks for a signal.
  private static let piece = 1 << 20
  /// Source: fcntl.h, where it is a macro that Swift does not see.
  private static let unnamedFile = 0o20_000_000 | O_DIRECTORY

  /// `path` is a regular file or nothing yet, and no link (see ``Destination``). `isUnnamed` false does
  /// without files that have no name.
  package init(path: String, isUnnamed: Bool = true) {
    self.path = path
    folder =
      path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    descriptor = isUnnamed ? Self.openUnnamed(in: folder) : -1
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package mutating func write(_ bytes: [UInt8]) throws(ImportFault) {
    if descriptor >= 0 {
      try Destination.writeAll(bytes[...], to: descriptor, name: path)
    } else {
      memory += bytes
    }
  }

  /// Puts what was written in its place.
  package func commit() throws(ImportFault) {
    if descriptor >= 0 {
      try finish(descriptor)
      try SignalHold.during { (_) throws(ImportFault) in try name(descriptor) }
    } else {
      try SignalHold.during { (hold) throws(ImportFault) in try commit(unlessComeTo: hold) }
    }
  }

  /// linkat(2), rename(2).
  private func name(_ descriptor: Int32) throws(ImportFault) {
    if link(descriptor, to: path) == 0 { return }
    let draft = try named { (name) throws(ImportFault) in link(descriptor, to: name) }
    try rename(draft)
  }

  /// What ``commit()`` does with a file of a name; open(2) with O_EXCL, write(2), fsync(2), rename(2).
  package func commit(unlessComeTo hold: SignalHold) throws(ImportFault) {
    var opened: Int32 = -1
    let draft = try named { (name) throws(ImportFault) in
      opened = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      return opened < 0 ? errno : 0
    }
    defer { close(opened) }
    do throws(ImportFault) {
      for start in stride(from: 0, to: memory.count, by: Self.piece) {
        let piece = memory[start...].prefix(Self.piece)
        try Destination.writeAll(piece, to: opened, name: path)
        guard !hold.hasCome else {
          throw ImportFault(.inputOutput, "\(path): interrupted, nothing is written")
        }
      }
      try finish(opened)
    } catch {
      unlink(draft)
      throw error
    }
    try rename(draft)
  }

  /// Gives the file the owner and permissions of the one that it replaces, and writes it to the disk;
  /// fchown(2), fchmod(2), fsync(2). Only root may give files away.
  private func finish(_ descriptor: Int32) throws(ImportFault) {
    var status = stat()
    if stat(path, &status) == 0 {
      _ = fchown(descriptor, status.st_uid, status.st_gid)
      _ = fchmod(descriptor, status.st_mode & 0o777)
    } else {
      _ = fchmod(descriptor, 0o644)
    }
    guard fsync(descriptor) == 0 else { throw Destination.fault(path, errno) }
  }

  /// linkat(2), which replaces nothing. errno, or 0.
  private func link(_ descriptor: Int32, to name: String) -> Int32 {
    linkat(AT_FDCWD, Self.place(of: descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
  }

  private func rename(_ draft: String) throws(ImportFault) {
    guard Glibc.rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw Destination.fault(path, code)
    }
  }

  /// A name beside the file's place that `make` could make; it returns errno, or 0.
  private func named(_ make: (String) throws(ImportFault) -> Int32) throws(ImportFault) -> String {
    var code: Int32 = 0
    for _ in 0..<Self.attempts {
      let name = "\(folder)/.milepostctl-\(UInt64.random(in: 0...UInt64.max))"
      code = try make(name)
      if code == 0 { return name }
      guard code == EEXIST else { break }
    }
    throw Destination.fault(path, code)
  }

  private static func place(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  /// open(2) with O_TMPFILE; -1 where that, or /proc, is not there.
  private static func openUnnamed(in folder: String) -> Int32 {
    let opened = open(folder, unnamedFile | O_WRONLY | O_CLOEXEC, 0o600)
    guard opened >= 0, access(place(of: opened), F_OK) != 0 else { return opened }
    close(opened)
    return -1
  }
}
