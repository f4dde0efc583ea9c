import Glibc
import SystemdKit
import Testing

@testable import MilepostDaemon

/// What others could put where hooks lie, or put in their place once they are listed.
@Suite("Attacks on the hook directory") struct HookAttackTests {
  private let user: UInt32 = 64_001

  private func scratch() throws -> HookScratch {
    let scratch = try HookScratch()
    try #require(mkdir(scratch.path + "/d", 0o755) == 0)
    return scratch
  }

  /// Names that would run, and the reasons of the others.
  private func list(_ scratch: HookScratch) -> (hooks: [String], reasons: [String]) {
    var directory = HookDirectory(
      path: scratch.path + "/d", permissions: HookPermissions(user: user))
    let listing = directory.list(now: 0)
    return ((listing.hooks ?? []).map(\.name), listing.news.map(\.reason))
  }

  @Test("FIFOs, sockets and devices are not run, nor waited for")
  func notFiles() throws {
    let scratch = try scratch()
    try #require(mkfifo(scratch.path + "/d/fifo", 0o755) == 0)
    try #require(symlink("/dev/zero", scratch.path + "/d/device") == 0)
    let (hooks, reasons) = list(scratch)
    #expect(hooks.isEmpty)
    #expect(reasons.count == 2, "\(reasons)")
  }

  @Test(
    "a hard link to a file of another user, or one that others may write to, is refused",
    .enabled(if: geteuid() == 0, "needs root, to give files away"))
  func hardLinks() throws {
    let scratch = try scratch()
    for (name, mode, owner) in [("foreign", "755", 64_002), ("open", "777", 0)] {
      let hook = try scratch.script(name, "", mode: mode)
      try #require(chown(hook.path, uid_t(owner), 0) == 0)
      try #require(link(hook.path, scratch.path + "/d/\(name)") == 0)
    }
    let (hooks, reasons) = list(scratch)
    #expect(hooks.isEmpty)
    #expect(
      reasons == [
        "belongs to user 64002, not to root or the daemon's user",
        "is writable by everybody (chmod go-w)",
      ])
  }

  @Test(
    "a link of another user, even to a good file, and a directory of another user are refused",
    .enabled(if: geteuid() == 0, "needs root, to give files away"))
  func foreignLinks() throws {
    let scratch = try scratch()
    let hook = try scratch.script("good", "")
    try #require(symlink(hook.path, scratch.path + "/d/a") == 0)
    #expect(list(scratch).hooks == ["a"])
    try #require(lchown(scratch.path + "/d/a", 64_002, 0) == 0)
    #expect(list(scratch).hooks.isEmpty)
    try #require(lchown(scratch.path + "/d/a", 0, 0) == 0)
    try #require(chown(scratch.path + "/d", 64_002, 0) == 0)
    #expect(list(scratch).hooks.isEmpty)
  }

  private struct Swap {
    var name: String
    var attack: (HookScratch, Hook) throws -> Void
  }

  @Test("a file that was good when listed is looked at again before it is started")
  func swapped() throws {
    let swaps = [
      Swap(name: "opened to all") { _, hook in chmod(hook.path, 0o777) },
      Swap(name: "replaced by a link to a file open to all") { scratch, hook in
        let evil = try scratch.script("evil", "touch ran", mode: "777")
        unlink(hook.path)
        symlink(evil.path, hook.path)
      },
      Swap(name: "its directory opened to all") { scratch, _ in chmod(scratch.path + "/d", 0o777) },
      Swap(name: "gone") { _, hook in unlink(hook.path) },
    ]
    for swap in swaps {
      let scratch = try scratch()
      let hook = try scratch.script("d/a", "touch \(scratch.path)/ran")
      var directory = HookDirectory(path: scratch.path + "/d")
      try #require(directory.list(now: 0).hooks?.count == 1)
      try swap.attack(scratch, hook)
      let spawner = HookProcessSpawner(loop: try EventLoop(), policy: HookPolicy()) { _ in }
      let run = HookRun(hook: hook, event: hookEvent(1), attempt: 1)
      #expect(throws: HookRefusal.self, "\(swap.name)") { _ = try spawner.start(run) { _ in } }
      #expect(access(scratch.path + "/ran", F_OK) != 0, "\(swap.name)")
    }
  }
}
