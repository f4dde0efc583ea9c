internal import Glibc
internal import SystemdKit

/// Opens the FIFO that fixes come through.
enum FIFOOpening {
  /// What a FIFO of our making may be used by: its owner and group.
  private static let mode: mode_t = 0o660

  /// Opens the FIFO at `path`, and makes it where there is nothing.
  ///
  /// It is opened for reading and writing, so that writers may come and go without an end of file. One
  /// that exists keeps its mode, and may be reached by a symbolic link; one of our making has mode 0660
  /// whatever the umask, and is never made or opened through a link.
  /// - Throws: ``SourceError`` that says what is there instead, and how to mend it.
  static func open(_ path: String) throws(SourceError) -> FileDescriptor {
    do throws(SystemError) {
      if try make(path) { return try adopt(path, O_NOFOLLOW) }
    } catch {
      throw SourceError(advice(error, path))
    }
    // Looked at before it is opened: opening a device can do things to it.
    var status = stat()
    guard stat(path, &status) == 0 else {
      let code = errno
      throw code == ENOENT
        ? SourceError("\(path) is a symbolic link to nothing: remove it, or set Path= to a FIFO")
        : SourceError(advice(SystemError(call: "stat", subject: path, errno: code), path))
    }
    try check(status, path)
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
      guard try file.isFIFO() else {
        throw SystemError(call: "open", subject: path, errno: ESTALE)
      }
      return file
    } catch {
      throw SourceError(advice(error, path))
    }
  }

  /// Whether what is open as `file` is what stands at `path`.
  static func stands(_ file: borrowing FileDescriptor, at path: String) -> Bool {
    var (opened, standing) = (stat(), stat())
    return fstat(file.rawValue, &opened) == 0 && stat(path, &standing) == 0
      && opened.st_dev == standing.st_dev && opened.st_ino == standing.st_ino
  }

  /// Whether no path leads to what is open as `file`.
  static func isRemoved(_ file: borrowing FileDescriptor) -> Bool {
    var status = stat()
    return fstat(file.rawValue, &status) == 0 && status.st_nlink == 0
  }

  /// Makes a descriptor from systemd fit for us: never blocking, and kept open by ourselves.
  static func adopt(
    _ file: consuming FileDescriptor, name: String
  ) throws(SourceError) -> FileDescriptor {
    let raw = file.rawValue
    do throws(SystemError) {
      guard try file.isFIFO() else {
        throw SystemError(call: "fstat", subject: name, errno: ENOTSUP)
      }
      let flags = try retryingInterrupts("fcntl", on: name) { fcntl(raw, F_GETFL) }
      guard flags & O_ACCMODE == O_RDWR else {
        return try FileDescriptor.open("/proc/self/fd/\(raw)", O_RDWR | O_NONBLOCK)
      }
      try file.setNonBlocking()
      return file
    } catch {
      throw error.code == ENOTSUP
        ? SourceError(
          "\(name): what systemd passes is not a FIFO: use ListenFIFO= in its socket unit")
        : SourceError("\(name): \(error)")
    }
  }

  /// Makes a FIFO, by mkfifo(3).
  /// - Returns: false where something is there already.
  private static func make(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try retryingInterrupts("mkfifo", on: path) { mkfifo(path, 0o600) }
      return true
    } catch  where error.code == EEXIST {
      return false
    }
  }

  /// Opens what ``make(_:)`` made.
  private static func adopt(_ path: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
    let file = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK | flags)
    let raw = file.rawValue
    guard try file.isFIFO() else { throw SystemError(call: "open", subject: path, errno: ESTALE) }
    _ = try retryingInterrupts("fchmod", on: path) { fchmod(raw, mode) }
    return file
  }

  private static func check(_ status: stat, _ path: String) throws(SourceError) {
    let what: String
    switch status.st_mode & S_IFMT {
    case S_IFIFO: return
    case S_IFREG: what = "a regular file"
    case S_IFDIR: what = "a directory"
    case S_IFSOCK: what = "a socket"
    case S_IFCHR, S_IFBLK: what = "a device"
    default: what = "no FIFO"
    }
    throw SourceError("\(path) is \(what), not a FIFO: remove it, or set Path= to a FIFO")
  }

  private static func advice(_ error: SystemError, _ path: String) -> String {
    switch error.code {
    case ENOENT, ENOTDIR:
      "\(path): its directory does not exist: make it, or set Path= to another place"
    case EACCES, EPERM, EROFS:
      "\(error): give the daemon's user access, or set Path= to another place"
    case ESTALE: "\(path): it was replaced while being opened, try again"
    default: error.description
    }
  }
}
