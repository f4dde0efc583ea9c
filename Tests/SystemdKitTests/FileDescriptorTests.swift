import Glibc
import TestSupport
import Testing

@testable import SystemdKit

@Suite struct FileDescriptorTests {
  @Test func `an interrupted call is made again`() throws {
    var interruptions = 3
    let result: Int = try retryingInterrupts("read", on: "test") {
      if interruptions == 0 { return 42 }
      interruptions -= 1
      errno = EINTR
      return -1
    }
    #expect(result == 42)
    #expect(interruptions == 0)
  }

  @Test func `a failed call names itself, its subject and the reason in one line`() {
    let error = #expect(throws: SystemError.self) {
      _ = try FileDescriptor.open("/no/such/file", O_RDONLY).rawValue
    }
    #expect(error == SystemError(call: "open", subject: "/no/such/file", errno: ENOENT))
    #expect(error?.description == "/no/such/file: open: No such file or directory")
  }

  @Test func `it is close-on-exec from birth`() throws {
    let null = try FileDescriptor.open("/dev/null", O_RDONLY)
    let pipe = try Pipe()
    let memory = try FileDescriptor.sealed(holding: [1], name: "test")
    for raw in [
      null.rawValue, pipe.readEnd.rawValue, pipe.writeEnd.rawValue, memory.rawValue,
    ] {
      #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
    }
  }

  @Test func `the write end is closed when the read end is taken, so a reader sees the end`() throws
  {
    let pipe = try Pipe()
    _ = try Array("abc".utf8).withUnsafeBytes { try pipe.writeEnd.write($0) }
    let end = pipe.takeReadEnd()
    #expect(try text(readAll(end)) == "abc")
  }

  @Test func `a read that would block gives nil`() throws {
    let pipe = try Pipe()
    try pipe.readEnd.setNonBlocking()
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(try buffer.withUnsafeMutableBytes { try pipe.readEnd.read(into: $0) } == nil)
  }

  @Test func `a write that would block gives nil, after some that did not`() throws {
    let pipe = try Pipe()
    try pipe.writeEnd.setNonBlocking()
    let block = [UInt8](repeating: 7, count: 100_000)
    let first = try block.withUnsafeBytes { try pipe.writeEnd.write($0) }
    #expect(first.map { $0 > 0 && $0 < block.count } == true)
    #expect(try block.withUnsafeBytes { try pipe.writeEnd.write($0) } == nil)
  }

  @Test func `writing to a pipe without a reader is an error, not the end`() throws {
    EventLoop.blockSignals([])
    let end = try Pipe().takeWriteEnd()
    let error = #expect(throws: SystemError.self) {
      try [UInt8(1)].withUnsafeBytes { try end.write($0) }
    }
    #expect(error?.code == EPIPE)
  }

  @Test(arguments: [0, 1, 1_000_000])
  func `sealed memory reads back whole and cannot be written`(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let memory = try FileDescriptor.sealed(holding: bytes, name: "test")
    #expect(try readAll(memory) == bytes)
    let error = #expect(throws: SystemError.self) {
      try [UInt8(1)].withUnsafeBytes { try memory.write($0) }
    }
    #expect(error?.code == EPERM)
  }

  @Test func `a FIFO is told from a file`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    let fifo = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
    let file = try FileDescriptor.open(scratch.path + "/file", O_RDWR | O_CREAT, mode: 0o600)
    #expect(try fifo.isFIFO())
    #expect(try !file.isFIFO())
    #expect(try ListenDescriptor(rawValue: fifo.rawValue, name: "f").isFIFO())
    #expect(try !ListenDescriptor(rawValue: file.rawValue, name: "f").isFIFO())
  }
}
