import Glibc
import TestSupport
import Testing

@testable import SystemdKit

@Suite struct EventLoopTests {
  @Test func `bytes written to a FIFO reach the handler`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path + "/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    let fifo = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
    let loop = try EventLoop()
    var received: [UInt8] = []
    var events: IOEvents = []
    let raw = fifo.rawValue
    let source = try loop.addIO(raw, .readable) {
      events = $0
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = read(raw, &buffer, buffer.count)
      received += buffer.prefix(max(0, count))
      loop.exit(7)
    }
    let writer = try FileDescriptor.open(path, O_WRONLY)
    _ = try Array("fix\n".utf8).withUnsafeBytes { try writer.write($0) }
    #expect(try loop.run() == 7)
    #expect(text(received) == "fix\n")
    #expect(events == .readable)
    source.cancel()
  }

  @Test func `a closed writer is reported as a hang-up`() throws {
    let loop = try EventLoop()
    let end = try Pipe().takeReadEnd()
    var events: IOEvents = []
    let source = try loop.addIO(end.rawValue, .readable) {
      events = $0
      loop.exit(0)
    }
    _ = try loop.run()
    #expect(events.contains(.hangUp))
    source.cancel()
  }

  @Test func `a watch that is changed reports the new event only`() throws {
    let loop = try EventLoop()
    let pipe = try Pipe()
    var calls = 0
    let source = try loop.addIO(pipe.writeEnd.rawValue, .writable) { _ in calls += 1 }
    try loop.runOnce(timeoutMS: 0)
    #expect(calls == 1)
    try source.watch([])
    try loop.runOnce(timeoutMS: 0)
    #expect(calls == 1)
  }

  @Test func `timers fire in the order of their times, not of their arming`() throws {
    let loop = try EventLoop()
    var order: [String] = []
    let late = try loop.addTimer {
      order.append("late")
      loop.exit(0)
    }
    let early = try loop.addTimer { order.append("early") }
    let never = try loop.addTimer { order.append("never") }
    let now = Clock.bootTimeMS
    try late.arm(atMS: now + 30)
    try early.arm(atMS: now + 10)
    try never.arm(atMS: now + 5)
    never.disarm()
    _ = try loop.run()
    #expect(order == ["early", "late"])
    #expect(Clock.bootTimeMS >= now + 30)
  }

  @Test func `a timer fires once per arming and can be armed from its handler`() throws {
    let loop = try EventLoop()
    final class Box { var timer: TimerSource? }
    let box = Box()
    var fired = 0
    box.timer = try loop.addTimer {
      fired += 1
      if fired < 3 { try? box.timer?.arm(afterMS: 1) } else { loop.exit(0) }
    }
    try box.timer?.arm(afterMS: 0)
    _ = try loop.run()
    #expect(fired == 3)
    box.timer?.cancel()
  }

  @Test func `a time beyond the end of time never comes and does not trap`() throws {
    let loop = try EventLoop()
    var fired = false
    let timer = try loop.addTimer { fired = true }
    try timer.arm(afterMS: Int64.max)
    #expect(try !loop.runOnce(timeoutMS: 1))
    #expect(!fired)
  }

  @Test func `a blocked signal reaches its handler`() throws {
    EventLoop.blockSignals([SIGUSR1, SIGHUP])
    let loop = try EventLoop()
    var order: [String] = []
    let user = try loop.addSignal(SIGUSR1) { order.append("USR1") }
    let hangUp = try loop.addSignal(SIGHUP) { order.append("HUP") }
    raise(SIGUSR1)
    try loop.runOnce(timeoutMS: nil)
    raise(SIGHUP)
    try loop.runOnce(timeoutMS: nil)
    #expect(order == ["USR1", "HUP"])
    user.cancel()
    hangUp.cancel()
  }

  @Test func `a deferred call is made once per arming`() throws {
    let loop = try EventLoop()
    var calls = 0
    let source = try loop.addDeferred { calls += 1 }
    try loop.runOnce(timeoutMS: 0)
    try loop.runOnce(timeoutMS: 0)
    #expect(calls == 1)
    try source.arm()
    try loop.runOnce(timeoutMS: 0)
    #expect(calls == 2)
  }

  @Test func `a source that was dropped is not called and frees what its handler held`() throws {
    final class Token {}
    let loop = try EventLoop()
    weak var held: Token?
    var calls = 0
    do {
      let token = Token()
      held = token
      _ = try loop.addDeferred {
        _ = token
        calls += 1
      }
    }
    #expect(try !loop.runOnce(timeoutMS: 0))
    #expect(calls == 0)
    #expect(held == nil)
  }

  @Test func `a source can be cancelled and dropped from its own handler`() throws {
    final class Box { var source: DeferredSource? }
    let loop = try EventLoop()
    let box = Box()
    box.source = try loop.addDeferred {
      box.source?.cancel()
      box.source = nil
    }
    #expect(try loop.runOnce(timeoutMS: 0))
    #expect(box.source == nil)
    #expect(try !loop.runOnce(timeoutMS: 0))
  }

  @Test func `of two ready sources the more important one is served first`() throws {
    let loop = try EventLoop()
    var order: [String] = []
    let idle = try loop.addDeferred(priority: .idle) { order.append("idle") }
    let normal = try loop.addDeferred { order.append("normal") }
    let important = try loop.addDeferred(priority: .important) { order.append("important") }
    for _ in 0..<3 { try loop.runOnce(timeoutMS: 0) }
    #expect(order == ["important", "normal", "idle"])
    _ = (idle, normal, important)
  }
}
