import Glibc
import TestSupport
import Testing

@testable import SystemdKit

/// Serial, for they change the environment.
@Suite(.serialized) struct ServiceManagerTests {
  @Test func `outside of systemd nobody is told and nothing fails`() throws {
    unsetenv("NOTIFY_SOCKET")
    #expect(try !Notifier.ready())
  }

  @Test func `the service manager is told each state`() throws {
    let scratch = try ScratchFolder()
    let manager = try DatagramSocket(boundTo: scratch.path + "/notify")
    setenv("NOTIFY_SOCKET", scratch.path + "/notify", 1)
    defer { unsetenv("NOTIFY_SOCKET") }
    #expect(try Notifier.ready(status: "no mileposts"))
    #expect(try manager.receive().map(text) == "READY=1\nSTATUS=no mileposts")
    try Notifier.status("two\nlines")
    #expect(try manager.receive().map(text) == "STATUS=two lines")
    try Notifier.stopping()
    #expect(try manager.receive().map(text) == "STOPPING=1")
  }

  @Test func `a reload is told with a monotonic time between before and after`() throws {
    let scratch = try ScratchFolder()
    let manager = try DatagramSocket(boundTo: scratch.path + "/notify")
    setenv("NOTIFY_SOCKET", scratch.path + "/notify", 1)
    defer { unsetenv("NOTIFY_SOCKET") }
    let before = Clock.monotonicUSec
    try Notifier.reloading()
    let after = Clock.monotonicUSec
    let lines = try #require(try manager.receive().map(text)).split(separator: "\n")
    #expect(lines.first == "RELOADING=1")
    let time = try #require(lines.last?.split(separator: "=").last.flatMap { UInt64($0) })
    #expect(before <= time && time <= after)
  }

  @Test func `descriptors of systemd are taken once`() throws {
    // Something must be open as 3; what it is does not matter, and it is only marked close-on-exec.
    let filler = try FileDescriptor.open("/dev/null", O_RDONLY)
    try #require(fcntl(3, F_GETFD) >= 0, "descriptor 3 is open")
    setenv("LISTEN_PID", "\(getpid())", 1)
    setenv("LISTEN_FDS", "1", 1)
    setenv("LISTEN_FDNAMES", "milepostd-fifo.socket", 1)
    let taken = try ListenDescriptors.take()
    #expect(taken == [ListenDescriptor(rawValue: 3, name: "milepostd-fifo.socket")])
    #expect(getenv("LISTEN_FDS") == nil)
    #expect(getenv("LISTEN_FDNAMES") == nil)
    #expect(try ListenDescriptors.take().isEmpty)
    _ = filler.rawValue
  }

  @Test func `the watchdog is off where the unit does not ask for it`() throws {
    unsetenv("WATCHDOG_USEC")
    #expect(try !EventLoop().enableWatchdog())
  }

  @Test func `the watchdog is answered by the loop itself`() throws {
    let scratch = try ScratchFolder()
    let manager = try DatagramSocket(boundTo: scratch.path + "/notify")
    setenv("NOTIFY_SOCKET", scratch.path + "/notify", 1)
    setenv("WATCHDOG_USEC", "2000000", 1)
    defer {
      unsetenv("NOTIFY_SOCKET")
      unsetenv("WATCHDOG_USEC")
    }
    #expect(try EventLoop().enableWatchdog())
    #expect(try manager.receive().map(text) == "WATCHDOG=1")
  }
}
