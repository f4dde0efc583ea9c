import Glibc
import TestSupport
import Testing

@testable import SystemdKit

/// Whether the tests may play journald: there is none, and we may bind its socket.
private let canPlayJournald = geteuid() == 0 && !Journal.takesEntries

@Suite(.serialized) struct JournalTests {
  @Test func `an entry without journald is lost without an error`() throws {
    try Journal.send([.message("milepost test"), .priority(7)])
  }

  @Test func `a field name that is none is refused`() {
    #expect(throws: SystemError.self) { try Journal.send([JournalField("", [])]) }
  }

  @Test(
    .enabled(
      if: canPlayJournald, "needs root and a machine without journald, to bind its socket"))
  func `fields reach journald with newlines and any bytes`() throws {
    mkdir("/run/systemd", 0o755)
    mkdir("/run/systemd/journal", 0o755)
    defer { rmdir("/run/systemd/journal") }
    let journald = try DatagramSocket(boundTo: Journal.socketPath)
    #expect(Journal.takesEntries)
    try Journal.send([
      .message("enter 國道5號 15K+200"), .priority(5), .identifier("hook"),
      .messageID("0123456789abcdef0123456789abcdef"), JournalField("MILEPOST_RAW", [0, 10, 255]),
      JournalField("MILEPOST_EMPTY", ""),
    ])
    let entry = try #require(try journald.receive())
    // systemd's journal native protocol: NAME=value, or NAME, length as 64 bits, value.
    let raw = Array("MILEPOST_RAW\n".utf8) + [3, 0, 0, 0, 0, 0, 0, 0, 0, 10, 255, 10]
    let expected =
      Array("MESSAGE=enter 國道5號 15K+200\nPRIORITY=5\nSYSLOG_IDENTIFIER=hook\n".utf8)
      + Array("MESSAGE_ID=0123456789abcdef0123456789abcdef\n".utf8) + raw
      + Array("MILEPOST_EMPTY=\n".utf8)
    #expect(entry == expected)
    #expect(try journald.receive() == nil)
  }

  @Test(
    .enabled(
      if: canPlayJournald, "needs root and a machine without journald, to bind its socket"))
  func `a journald that reads nothing takes no more than its queue holds`() throws {
    mkdir("/run/systemd", 0o755)
    mkdir("/run/systemd/journal", 0o755)
    defer { rmdir("/run/systemd/journal") }
    let queue = try String(
      decoding: readAll(FileDescriptor.open("/proc/sys/net/unix/max_dgram_qlen", O_RDONLY)),
      as: UTF8.self)
    let limit = try #require(Int(queue.prefix { $0.isNumber }))
    let journald = try DatagramSocket(boundTo: Journal.socketPath)
    var taken = 0
    // A send beyond that would wait for ever.
    while taken <= limit, Journal.takesEntries {
      try Journal.send([.message("\(taken)"), .identifier("test")])
      taken += 1
    }
    #expect((limit...limit + 1).contains(taken))
    #expect(!Journal.takesEntries)
    #expect(try journald.receive() == Array("MESSAGE=0\nSYSLOG_IDENTIFIER=test\n".utf8))
    #expect(Journal.takesEntries)
  }

  @Test func `stderr is the journal only where device and inode match`() throws {
    let scratch = try ScratchFolder()
    let file = try FileDescriptor.open(scratch.path + "/f", O_RDWR | O_CREAT, mode: 0o600)
    var status = stat()
    try #require(fstat(file.rawValue, &status) == 0)
    let (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    #expect(Journal.isStream("\(device):\(inode)", descriptor: file.rawValue))
    for other in [
      "\(device):\(inode + 1)", "\(device)", "", ":", "x:\(inode)", "\(device):\(inode):1",
    ] {
      #expect(!Journal.isStream(other, descriptor: file.rawValue))
    }
    #expect(!Journal.isStream(nil, descriptor: file.rawValue))
  }
}
