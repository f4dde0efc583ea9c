internal import Glibc

/// A lock beside the database, with the holder's process id in it; let go when it goes away or
/// its process ends, however that ends.
struct LockFile: ~Copyable {
  enum Failure: Error, Equatable {
    /// Nil where the holder has not written its id yet.
    case held(pid: Int32?)
    case system(errno: Int32)
  }

  private let descriptor: Int32

  private init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // A child that is just being started may share the descriptor for a moment: let go by name.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Between fork and exec the children of a run that was killed hold its lock for a moment: so many
  /// times it is tried, 10 ms apart.
  private static let tries = 20

  /// By open(2) and flock(2).
  static func acquire(path: String) throws(Failure) -> LockFile {
    let lock = LockFile(
      owning: try retrying {
        open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o644)
      })
    let descriptor = lock.descriptor
    for attempt in 1... {
      do {
        _ = try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
        break
      } catch {
        guard error == .system(errno: EWOULDBLOCK) else { throw error }
        guard attempt < tries else { throw .held(pid: pid(in: descriptor)) }
        usleep(10_000)
      }
    }
    // The id is for people; a full disk that refuses it does not weaken the lock.
    let text = Array("\(getpid())\n".utf8)
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    return lock
  }

  private static func pid(in descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let digits = bytes.prefix(count).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return Int32(String(decoding: digits, as: UTF8.self))
  }

  private static func retrying(_ body: () -> Int32) throws(Failure) -> Int32 {
    while true {
      let result = body()
      let code = errno
      if result != -1 { return result }
      if code != EINTR { throw .system(errno: code) }
    }
  }
}

/// The text of an errno value, by strerror_r(3).
func systemErrorText(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 128)
  guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
