internal import CSystemd
internal import Glibc

/// The two ends of a pipe, by pipe2(2) with O_CLOEXEC.
package struct Pipe: ~Copyable {
  package let readEnd: FileDescriptor
  package let writeEnd: FileDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try retryingInterrupts("pipe2", on: "pipe") { pipe2(&ends, O_CLOEXEC) }
    readEnd = FileDescriptor(owning: ends[0])
    writeEnd = FileDescriptor(owning: ends[1])
  }

  /// Gives the read end away and closes the write end, which a child has by now.
  package consuming func takeReadEnd() -> FileDescriptor { readEnd }

  /// Gives the write end away and closes the read end.
  package consuming func takeWriteEnd() -> FileDescriptor { writeEnd }
}
