internal import CSystemd
internal import Glibc

/// An owned file descriptor: close-on-exec from birth, closed when it goes away.
package struct FileDescriptor: ~Copyable {
  /// The number, valid as long as this value lives.
  package let rawValue: Int32

  /// Takes over a descriptor that nobody else closes.
  package init(owning rawValue: Int32) {
    precondition(rawValue >= 0, "a descriptor is never negative")
    self.rawValue = rawValue
  }

  deinit { close(rawValue) }

  /// Opens a file, by open(2) with O_CLOEXEC added.
  package static func open(
    _ path: String, _ flags: Int32, mode: UInt32 = 0
  ) throws(SystemError) -> FileDescriptor {
    let descriptor = try retryingInterrupts("open", on: path) {
      Glibc.open(path, flags | O_CLOEXEC, mode)
    }
    return FileDescriptor(owning: descriptor)
  }

  /// A file in memory that holds `bytes`, positioned at its start and sealed against change
  /// (memfd_create(2)): it reads like a pipe that was already filled.
  package static func sealed(
    holding bytes: [UInt8], name: String
  ) throws(SystemError) -> FileDescriptor {
    let flags = UInt32(shim_memfd_cloexec | shim_memfd_allow_sealing)
    let raw = try retryingInterrupts("memfd_create", on: name) { memfd_create(name, flags) }
    let file = FileDescriptor(owning: raw)
    var written = 0
    while written < bytes.count {
      let start = written
      written += try retryingInterrupts("pwrite", on: name) {
        bytes.withUnsafeBytes {
          pwrite(
            raw, UnsafeRawBufferPointer(rebasing: $0[start...]).baseAddress, $0.count - start,
            off_t(start))
        }
      }
    }
    _ = try retryingInterrupts("fcntl", on: name) {
      shim_add_seals(raw, Int32(shim_seal_all))
    }
    return file
  }

  /// Reads once, by read(2).
  /// - Returns: the number of bytes, 0 at the end, nil where a read would block.
  package borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer, subject: String = "descriptor"
  ) throws(SystemError) -> Int? {
    let raw = rawValue
    return try Self.unlessBlocking { () throws(SystemError) in
      try retryingInterrupts("read", on: subject) {
        Glibc.read(raw, buffer.baseAddress, buffer.count)
      }
    }
  }

  /// Writes once, by write(2). SIGPIPE is for the caller to have blocked.
  /// - Returns: the number of bytes taken, nil where a write would block.
  package borrowing func write(
    _ buffer: UnsafeRawBufferPointer, subject: String = "descriptor"
  ) throws(SystemError) -> Int? {
    let raw = rawValue
    return try Self.unlessBlocking { () throws(SystemError) in
      try retryingInterrupts("write", on: subject) {
        Glibc.write(raw, buffer.baseAddress, buffer.count)
      }
    }
  }

  /// Makes reads and writes return at once, by O_NONBLOCK.
  package borrowing func setNonBlocking() throws(SystemError) {
    let raw = rawValue
    let flags = try retryingInterrupts("fcntl", on: "descriptor") { fcntl(raw, F_GETFL) }
    _ = try retryingInterrupts("fcntl", on: "descriptor") {
      fcntl(raw, F_SETFL, flags | O_NONBLOCK)
    }
  }

  /// Whether it is a FIFO, by fstat(2).
  package borrowing func isFIFO() throws(SystemError) -> Bool {
    let raw = rawValue
    var status = stat()
    _ = try retryingInterrupts("fstat", on: "descriptor") { fstat(raw, &status) }
    return shim_mode_is_fifo(status.st_mode) != 0
  }

  private static func unlessBlocking(
    _ body: () throws(SystemError) -> Int
  ) throws(SystemError) -> Int? {
    do {
      return try body()
    } catch {
      if error.code == EAGAIN { return nil }
      throw error
    }
  }
}
