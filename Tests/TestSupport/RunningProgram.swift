import Glibc
import SystemdKit

/// A program under test, its standard output and error read together line by line.
///
/// Whoever waits for a line or the end waits for that, at most a minute.
package final class RunningProgram {
  package static let patience: Int64 = 60_000

  package let pid: Int32
  /// All lines so far.
  package private(set) var lines: [String] = []
  private let output: FileDescriptor
  private let pidfd: FileDescriptor
  private var partial: [UInt8] = []
  private var isReaped = false

  package struct TimeOut: Error, CustomStringConvertible {
    package var waitedFor: String
    package var lines: [String]

    package init(waitedFor: String, lines: [String]) {
      self.waitedFor = waitedFor
      self.lines = lines
    }

    package var description: String {
      "waited a minute for \(waitedFor); so far:\n" + lines.suffix(40).joined(separator: "\n")
    }
  }

  /// A product of this package: `milepostd`, `milepostctl`.
  package static func product(_ name: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.map {
        readlink("/proc/self/exe", $0, bytes.count)
      } ?? 0
    }
    let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    // The runner is the test bundle itself, or a helper of the toolchain given the bundle's path.
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? path
    return bundle.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
  }

  package init(
    _ executable: String, _ arguments: [String],
    environment: [(name: String, value: String)] = [], input: String? = nil
  ) throws {
    let pipe = try Pipe()
    let standardInput =
      if let input { try FileDescriptor.sealed(holding: Array(input.utf8), name: "input") } else {
        try FileDescriptor.open("/dev/null", O_RDONLY)
      }
    let spawn = Spawn(
      executable: executable, arguments: [executable] + arguments,
      environment: [("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")] + environment)
    let child = try spawn.start(
      input: standardInput, output: pipe.writeEnd, error: pipe.writeEnd)
    pid = child.pid
    pidfd = FileDescriptor(owning: dup(child.pidfd.rawValue))
    output = pipe.takeReadEnd()
    try output.setNonBlocking()
  }

  deinit {
    if !isReaped {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }

  package func signal(_ signal: Int32) { kill(pid, signal) }

  /// Waits until a line satisfies the condition; looks at the lines from `start` on.
  @discardableResult
  package func wait(
    for what: String, from start: Int = 0, _ condition: (String) -> Bool
  ) throws -> Int {
    var next = start
    let deadline = Clock.bootTimeMS + Self.patience
    while true {
      while next < lines.count {
        if condition(lines[next]) { return next }
        next += 1
      }
      guard try readMore(until: deadline) else { throw TimeOut(waitedFor: what, lines: lines) }
    }
  }

  @discardableResult
  package func wait(forLineWith text: String, from start: Int = 0) throws -> Int {
    try wait(for: "a line with “\(text)”", from: start) { $0.contains(text) }
  }

  /// Waits for the end; all lines are read then. The exit code, or minus the signal's number.
  @discardableResult
  package func end() throws -> Int32 {
    let deadline = Clock.bootTimeMS + Self.patience
    while try readMore(until: deadline) {}
    var descriptor = pollfd(fd: pidfd.rawValue, events: Int16(POLLIN), revents: 0)
    let left = max(0, deadline - Clock.bootTimeMS)
    guard poll(&descriptor, 1, Int32(left)) == 1 else {
      throw TimeOut(waitedFor: "the end", lines: lines)
    }
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    isReaped = true
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  /// False at the end of the output, or when the time is up.
  private func readMore(until deadline: Int64) throws -> Bool {
    var descriptor = pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Int32(max(0, deadline - Clock.bootTimeMS))) == 1 else {
      return false
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    guard let count = try buffer.withUnsafeMutableBytes({ try output.read(into: $0) }) else {
      return true
    }
    if count == 0 { return false }
    partial += buffer.prefix(count)
    while let end = partial.firstIndex(of: 0x0A) {
      lines.append(String(decoding: partial[..<end], as: UTF8.self))
      partial.removeSubrange(...end)
    }
    return true
  }
}
