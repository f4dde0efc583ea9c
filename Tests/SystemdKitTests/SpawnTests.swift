import Glibc
import Testing

@testable import SystemdKit

@Suite struct SpawnTests {
  /// What a child wrote to stdout and stderr, and how it ended, by the loop.
  private func result(
    of spawn: Spawn, input: [UInt8] = []
  ) throws -> (output: String, status: ChildStatus?) {
    EventLoop.blockSignals([SIGTERM, SIGUSR1])
    let loop = try EventLoop()
    let stdin = try FileDescriptor.sealed(holding: input, name: "stdin")
    let pipe = try Pipe()
    let child = try spawn.start(input: stdin, output: pipe.writeEnd, error: pipe.writeEnd)
    var status: ChildStatus?
    let source = try loop.addChild(child) {
      status = $0
      loop.exit(0)
    }
    let output = try readAll(pipe.takeReadEnd())
    _ = try loop.run()
    #expect(waitpid(source.pid, nil, WNOHANG) == -1, "it was reaped")
    source.cancel()
    return (text(output), status)
  }

  private func shell(_ script: String, _ arguments: [String] = []) -> Spawn {
    Spawn(
      executable: "/bin/sh", arguments: ["sh", "-c", script] + arguments,
      environment: [("PATH", "/usr/bin:/bin")])
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    let status: ChildStatus
    var testDescription: String { name }
  }

  @Test(arguments: [
    Ending(name: "success", script: "exit 0", status: .exited(0)),
    Ending(name: "code", script: "exit 3", status: .exited(3)),
    Ending(name: "KILL", script: "kill -KILL $$", status: .signalled(9)),
    Ending(
      name: "TERM, though we block it", script: "kill -TERM $$; exit 1", status: .signalled(15)),
  ])
  func `the end of a child is told`(row: Ending) throws {
    #expect(try result(of: shell(row.script)).status == row.status)
  }

  @Test func `arguments, input and environment reach the child as they are`() throws {
    var spawn = shell(
      #"printf '%s|' "$0" "$@" "$MARK"; cat; env | wc -l"#, ["a b", "國道5號/15K+200", "$(x)"])
    spawn.environment.append(("MARK", "line 1\nline 2"))
    let (output, _) = try result(of: spawn, input: Array("{\"x\":1}\n".utf8))
    // PATH, MARK on two lines, and the shell's own PWD, perhaps _ and SHLVL.
    #expect(output.hasPrefix("a b|國道5號/15K+200|$(x)|line 1\nline 2|{\"x\":1}\n"))
  }

  @Test func `the child has descriptors 0 to 2 only`() throws {
    let extra = try FileDescriptor.open("/dev/null", O_RDONLY)
    _ = fcntl(extra.rawValue, F_SETFD, 0)
    // 3 is what ls itself opened to list the directory.
    #expect(try result(of: shell("exec ls /proc/self/fd")).output == "0\n1\n2\n3\n")
  }

  @Test func `the child blocks and ignores no signal and leads its own group`() throws {
    let script =
      #"grep -E '^Sig(Blk|Ign)' /proc/self/status; read -r p c s pp g rest </proc/$$/stat; [ "$g" = $$ ] && pwd"#
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    let lines = try result(of: shell(script)).output.split(separator: "\n").map(String.init)
    try #require(lines.count == 3)
    #expect(lines[0] == "SigBlk:\t0000000000000000")
    // glibc itself ignores its two internal signals, 32 and 33, in what it spawns.
    #expect(["SigIgn:\t0000000180000000", "SigIgn:\t0000000000000000"].contains(lines[1]))
    #expect(lines[2] == "/")
  }

  @Test func `a program that is not there is an error that names it`() throws {
    let null = try FileDescriptor.open("/dev/null", O_RDWR)
    let spawn = Spawn(executable: "/no/such/program", arguments: ["x"], environment: [])
    let error = #expect(throws: SystemError.self) {
      _ = try spawn.start(input: null, output: null, error: null).pid
    }
    #expect(error == SystemError(call: "posix_spawn", subject: "/no/such/program", errno: ENOENT))
  }

  @Test func `a NUL within an argument is refused, not cut`() throws {
    let null = try FileDescriptor.open("/dev/null", O_RDWR)
    let spawn = Spawn(executable: "/bin/true", arguments: ["a\0b"], environment: [])
    let error = #expect(throws: SystemError.self) {
      _ = try spawn.start(input: null, output: null, error: null).pid
    }
    #expect(error?.code == EINVAL)
  }

  @Test func `a signal to the group reaches the children of the child`() throws {
    EventLoop.blockSignals([])
    let loop = try EventLoop()
    let null = try FileDescriptor.open("/dev/null", O_RDWR)
    let pipe = try Pipe()
    let child = try shell("sleep 1000 & echo ready; wait").start(
      input: null, output: pipe.writeEnd, error: null)
    var status: ChildStatus?
    let source = try loop.addChild(child) {
      status = $0
      loop.exit(0)
    }
    let end = pipe.takeReadEnd()
    var buffer = [UInt8](repeating: 0, count: 16)
    _ = try buffer.withUnsafeMutableBytes { try end.read(into: $0) }
    source.signalGroup(SIGTERM)
    _ = try loop.run()
    #expect(status == .signalled(SIGTERM))
    // The pipe ends only when the sleep has gone too.
    #expect(try readAll(end).isEmpty)
  }
}
