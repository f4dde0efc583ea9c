import Glibc
import Testing

@testable import MilepostDaemon

@Suite struct HookDirectoryTests {
  /// The names to be run, and those refused with their reasons.
  private func list(_ scratch: HookScratch, user: UInt32 = geteuid()) -> (
    hooks: [String], refused: [String: String]
  ) {
    var directory = HookDirectory(
      path: scratch.path + "/d", permissions: HookPermissions(user: user))
    let listing = directory.list(now: 0)
    var refused: [String: String] = [:]
    for refusal in listing.news {
      refused[String(refusal.path.dropFirst(scratch.path.count))] = refusal.reason
    }
    return (listing.hooks?.map(\.name) ?? [], refused)
  }

  private func scratch() throws -> HookScratch {
    let scratch = try HookScratch()
    try #require(mkdir(scratch.path + "/d", 0o755) == 0)
    return scratch
  }

  @Test func `hooks are listed in the order of their names' bytes`() throws {
    let scratch = try scratch()
    for name in ["b", "20-x", "a.sh", "10-y", "É", "B"] { try scratch.script("d/" + name, "") }
    #expect(list(scratch).hooks == ["10-y", "20-x", "B", "a.sh", "b", "É"])
  }

  @Test func `leftovers, hidden files and what cannot be run are skipped and named`() throws {
    let scratch = try scratch()
    let leftovers = [
      "a~", "a.bak", "a.swp", "a.dpkg-new", "a.dpkg-old", "a.rpmsave", "a.rpmnew", "a.sh.dpkg-dist",
    ]
    for name in leftovers + [".a", ".a.swp", "announce.sh", "rpm-check", "a.bak.sh"] {
      try scratch.script("d/" + name, "")
    }
    try scratch.script("d/plain", "", mode: "644")
    try #require(mkdir(scratch.path + "/d/folder", 0o755) == 0)
    try #require(symlink("/no/such/file", scratch.path + "/d/dangling") == 0)
    let (hooks, refused) = list(scratch)
    #expect(hooks == ["a.bak.sh", "announce.sh", "rpm-check"])
    var expected: [String: String] = [
      "/d/.a": "is a hidden file", "/d/.a.swp": "is a hidden file",
      "/d/plain": "is not executable (chmod +x)", "/d/folder": "is not a file",
    ]
    for name in leftovers { expected["/d/" + name] = "is a backup or leftover file" }
    let known = refused.filter { $0.key.hasPrefix("/d/") }
    #expect(known == expected)
    #expect(refused.count == expected.count + 1, "and the dangling link")
  }

  struct Mode: Sendable, CustomTestStringConvertible {
    let mode: String
    let reason: String?
    var testDescription: String { mode }
  }

  @Test(arguments: [
    Mode(mode: "755", reason: nil), Mode(mode: "700", reason: nil), Mode(mode: "555", reason: nil),
    Mode(mode: "775", reason: "is writable by its group (chmod go-w)"),
    Mode(mode: "757", reason: "is writable by everybody (chmod go-w)"),
    Mode(mode: "1757", reason: "is writable by everybody (chmod go-w)"),
  ])
  func `a file that others may write to is refused`(row: Mode) throws {
    let scratch = try scratch()
    try scratch.script("d/a", "", mode: row.mode)
    #expect(list(scratch).refused["/d/a"] == row.reason)
    #expect(list(scratch).hooks == (row.reason == nil ? ["a"] : []))
  }

  @Test func `a link to a file that everybody may write to is refused, naming the file`() throws {
    let scratch = try scratch()
    try scratch.script("target", "", mode: "777")
    try #require(symlink("../target", scratch.path + "/d/a") == 0)
    #expect(list(scratch).refused["/target"] == "is writable by everybody (chmod go-w)")
    #expect(list(scratch).hooks.isEmpty)
  }

  @Test func `a link to a file that is fine is a hook`() throws {
    let scratch = try scratch()
    try scratch.script("target", "")
    try #require(symlink("../d/.././target", scratch.path + "/d/a") == 0)
    try #require(symlink(scratch.path + "/d/a", scratch.path + "/d/b") == 0)
    #expect(list(scratch).hooks == ["a", "b"])
  }

  @Test func `a parent that others may write to is refused, be it of the file or of a link`() throws
  {
    let scratch = try scratch()
    try #require(mkdir(scratch.path + "/open", 0o755) == 0)
    try scratch.script("open/file", "")
    try scratch.script("file", "")
    try #require(symlink("../file", scratch.path + "/open/link") == 0)
    try #require(chmod(scratch.path + "/open", 0o777) == 0)
    try #require(symlink("../open/file", scratch.path + "/d/a") == 0)
    try #require(symlink("../open/link", scratch.path + "/d/b") == 0)
    #expect(list(scratch).hooks.isEmpty)
    #expect(list(scratch).refused["/open"] == "is writable by everybody (chmod go-w)")
    // Sticky, as /tmp itself: nobody else can replace our files in it.
    try #require(chmod(scratch.path + "/open", 0o1777) == 0)
    #expect(list(scratch).hooks == ["a", "b"])
  }

  @Test func `a directory that its group may write to gives no hooks, named once`() throws {
    let scratch = try scratch()
    try scratch.script("d/a", "")
    try #require(chmod(scratch.path + "/d", 0o775) == 0)
    let (hooks, refused) = list(scratch)
    #expect(hooks.isEmpty)
    #expect(refused == ["/d": "is writable by its group (chmod go-w)"])
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give files away"))
  func `a file of another user is refused, one of the daemon's user or root is not`() throws {
    let scratch = try scratch()
    for name in ["root", "daemon", "other"] { try scratch.script("d/" + name, "") }
    try #require(chown(scratch.path + "/d/daemon", 64_001, 0) == 0)
    try #require(chown(scratch.path + "/d/other", 64_002, 0) == 0)
    let (hooks, refused) = list(scratch, user: 64_001)
    #expect(hooks == ["daemon", "root"])
    #expect(
      refused == ["/d/other": "belongs to user 64002, not to root or the daemon's user"])
  }

  @Test func `links in a circle are refused`() throws {
    let scratch = try scratch()
    try #require(symlink("b", scratch.path + "/d/a") == 0)
    try #require(symlink("a", scratch.path + "/d/b") == 0)
    #expect(list(scratch).hooks.isEmpty)
    #expect(list(scratch).refused["/d/a"] == "Too many levels of symbolic links")
  }

  @Test func `a directory that is not there gives no hooks and is named`() throws {
    let scratch = try HookScratch()
    #expect(list(scratch).hooks.isEmpty)
    #expect(list(scratch).refused == ["/d": "No such file or directory"])
  }

  @Test func `of a directory that is there and may not be used, no hook counts as gone`() throws {
    let scratch = try scratch()
    try scratch.script("d/a", "")
    var directory = HookDirectory(path: scratch.path + "/d")
    #expect(directory.list(now: 0).hooks?.count == 1)
    try #require(chmod(scratch.path + "/d", 0o777) == 0)
    #expect(directory.list(now: 0).hooks == nil)
    try #require(chmod(scratch.path + "/d", 0o755) == 0)
    #expect(directory.list(now: 0).hooks?.count == 1)
    try #require(rename(scratch.path + "/d", scratch.path + "/e") == 0)
    #expect(directory.list(now: 0).hooks?.count == 1)
    #expect(directory.list(now: 5_000).hooks == [])
    try scratch.script("d", "")
    #expect(directory.list(now: 0).hooks == nil, "a file in its place")
  }

  @Test func `a hook that is replaced or not fine for less than 5 s is not gone`() throws {
    let scratch = try scratch()
    try scratch.script("d/a", "")
    try scratch.script("d/b", "")
    let file = scratch.path + "/d/a"
    var directory = HookDirectory(path: scratch.path + "/d")
    #expect(directory.list(now: 1_000).hooks?.map(\.name) == ["a", "b"])
    try #require(unlink(file) == 0)
    #expect(directory.list(now: 90_000).hooks?.map(\.name) == ["a", "b"])
    #expect(directory.list(now: 94_999).hooks?.map(\.name) == ["a", "b"])
    #expect(directory.list(now: 95_000).hooks?.map(\.name) == ["b"])
    try scratch.script("d/a", "")
    #expect(directory.list(now: 95_100).hooks?.map(\.name) == ["a", "b"])
    try #require(chmod(file, 0o600) == 0)
    #expect(directory.list(now: 96_000).hooks?.map(\.name) == ["a", "b"])
    #expect(directory.list(now: 101_000).hooks?.map(\.name) == ["b"])
  }

  @Test func `a reload takes no hook for gone that is just being replaced, and names all anew`()
    throws
  {
    let scratch = try scratch()
    try scratch.script("d/a", "")
    try scratch.script("d/b", "", mode: "777")
    var directory = HookDirectory(path: scratch.path + "/d")
    #expect(directory.list(now: 0).news.count == 1)
    try #require(unlink(scratch.path + "/d/a") == 0)
    directory.move(to: scratch.path + "/d")
    let listing = directory.list(now: 100)
    #expect(listing.hooks?.map(\.name) == ["a"])
    #expect(listing.news.count == 1)
    try #require(mkdir(scratch.path + "/e", 0o755) == 0)
    try scratch.script("e/c", "")
    directory.move(to: scratch.path + "/e")
    #expect(directory.list(now: 200).hooks?.map(\.name) == ["c"])
  }

  @Test func `what was named is not named again until it was fixed and broken anew`() throws {
    let scratch = try scratch()
    try scratch.script("d/a", "", mode: "777")
    let file = scratch.path + "/d/a"
    var directory = HookDirectory(path: scratch.path + "/d")
    #expect(directory.list(now: 0).news.count == 1)
    #expect(directory.list(now: 0).news.isEmpty)
    try #require(chmod(file, 0o755) == 0)
    #expect(directory.list(now: 0).hooks?.map(\.name) == ["a"])
    try #require(chmod(file, 0o777) == 0)
    #expect(directory.list(now: 0).news.map(\.path) == [file])
  }
}
