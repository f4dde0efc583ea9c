import Glibc

/// A small file system in memory, mounted on a folder of its own until the object goes away.
package final class SmallDisk {
  /// Whether we may mount one.
  package static let isAvailable = (try? SmallDisk(kilobytes: 64)) != nil

  /// What a skipped test says.
  package static let absence = "needs the right to mount a small tmpfs (root)"

  package struct Refused: Error {
    package var lines: [String]
  }

  private let scratch: ScratchFolder
  private var filler: String { path + "/filler" }

  package init(kilobytes: Int) throws {
    scratch = try ScratchFolder()
    try run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k,mode=755", "tmpfs", path])
  }

  deinit { try? run("umount", ["--lazy", path]) }

  package var path: String { scratch("") }

  /// Writes a file until nothing fits any more.
  package func fill() {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let zeroes = [UInt8](repeating: 0, count: 4_096)
    while write(descriptor, zeroes, zeroes.count) > 0 {}
    close(descriptor)
  }

  /// Takes that file away.
  package func free() { unlink(filler) }

  package func makeReadOnly() throws { try run("mount", ["-o", "remount,ro", path]) }

  private func run(_ program: String, _ arguments: [String]) throws {
    let folder = access("/usr/bin/\(program)", X_OK) == 0 ? "/usr/bin" : "/bin"
    let running = try RunningProgram("\(folder)/\(program)", arguments)
    guard try running.end() == 0 else { throw Refused(lines: running.lines) }
  }
}
