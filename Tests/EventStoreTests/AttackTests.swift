import Glibc
import Testing

@testable import EventStore

/// What others could put in the state's place, where its directory lets them.
@Suite("Attacks on the state files")
struct AttackTests {
  private struct Row: Sendable {
    var name: String
    var says: String
    var attack: @Sendable (Home) -> Void

    init(_ name: String, says: String, _ attack: @escaping @Sendable (Home) -> Void) {
      self.name = name
      self.says = says
      self.attack = attack
    }
  }

  private static let victim = "victim"

  private static let rows = [
    Row("database a link to another file", says: "is a symbolic link") {
      symlink($0.directory.path + "/victim", $0.directory.database)
    },
    Row("database a link to nothing", says: "is a symbolic link") {
      symlink("/nonexistent/x", $0.directory.database)
    },
    Row("lock a link to another file", says: "its lock file is a symbolic link") {
      symlink($0.directory.path + "/victim", $0.directory.database + ".lock")
    },
    Row("log a link to another file", says: "its wal file is a symbolic link") {
      symlink($0.directory.path + "/victim", $0.directory.database + "-wal")
    },
    Row("log's index a link to another file", says: "its shm file is a symbolic link") {
      symlink($0.directory.path + "/victim", $0.directory.database + "-shm")
    },
    Row("database a hard link to another file", says: "a hard link") {
      link($0.directory.path + "/victim", $0.directory.database)
    },
    Row("lock a hard link to another file", says: "its lock file has another name") {
      link($0.directory.path + "/victim", $0.directory.database + ".lock")
    },
    Row("database a FIFO", says: "is not a regular file") { mkfifo($0.directory.database, 0o600) },
    Row("lock a FIFO", says: "its lock file is not a regular file") {
      mkfifo($0.directory.database + ".lock", 0o600)
    },
    Row("log a FIFO", says: "its wal file is not a regular file") {
      mkfifo($0.directory.database + "-wal", 0o600)
    },
    Row("log a directory", says: "its wal file is a directory") {
      mkdir($0.directory.database + "-wal", 0o700)
    },
    Row("database writable by its group", says: "is writable by its group") {
      $0.directory.write("events.db", [])
      chmod($0.directory.database, 0o660)
    },
    Row("database writable by everybody", says: "is writable by everybody") {
      $0.directory.write("events.db", [])
      chmod($0.directory.database, 0o666)
    },
    Row("directory writable by its group", says: "its directory is writable by its group") {
      chmod($0.directory.path, 0o770)
    },
    Row("directory writable by everybody", says: "its directory is writable by everybody") {
      chmod($0.directory.path, 0o777)
    },
  ]

  @Test("links, FIFOs and what others may write to are refused, and nothing is touched")
  func refused() throws {
    for row in Self.rows {
      let home = Home()
      defer { chmod(home.directory.path, 0o700) }
      home.directory.write(Self.victim, Array("precious".utf8))
      row.attack(home)
      let error = #expect(throws: StoreError.self, "\(row.name)") { try home.open() }
      #expect(error?.exitCode == 74, "\(row.name)")
      #expect(
        error?.description.contains(row.says) == true, "\(row.name): \(String(describing: error))")
      #expect(home.directory.bytes(Self.victim) == Array("precious".utf8), "\(row.name)")
      for suffix in ["", "-wal", "-shm", ".lock"] { rmdir(home.directory.database + suffix) }
    }
  }

  @Test("a sticky directory, where others cannot replace our files, is fine")
  func sticky() throws {
    let home = Home()
    chmod(home.directory.path, 0o1777)
    _ = try home.open()
  }

  @Test(
    "files and directories of other users are refused, root's and the daemon's are not",
    .enabled(if: geteuid() == 0, "needs root, to give files away"))
  func owners() throws {
    let directory = ScratchDirectory()
    directory.write("events.db", [])
    let check = StateFileCheck(path: directory.database)
    chmod(directory.database, 0o600)
    #expect(check.refusal(user: 64_001) == nil)
    chown(directory.database, 64_001, 0)
    #expect(check.refusal(user: 64_001) == nil)
    chown(directory.database, 64_002, 0)
    #expect(
      check.refusal(user: 64_001) == "belongs to user 64002, not to root or the daemon's user")
    chown(directory.database, 64_001, 0)
    chown(directory.path, 64_002, 0)
    #expect(check.refusal(user: 64_001)?.hasPrefix("its directory belongs to user 64002") == true)
  }

  @Test("a lock put there as a link or FIFO after the look is not opened through")
  func lockRace() throws {
    let directory = ScratchDirectory()
    directory.write("victim", Array("precious".utf8))
    symlink(directory.path + "/victim", directory.path + "/l.lock")
    #expect(throws: LockFile.Failure.system(errno: ELOOP)) {
      _ = try LockFile.acquire(path: directory.path + "/l.lock")
    }
    #expect(directory.bytes("victim") == Array("precious".utf8))
  }

  @Test("a FIFO in the database's place is not waited for")
  func headerOfFIFO() {
    let directory = ScratchDirectory()
    mkfifo(directory.database, 0o600)
    #expect(DatabaseFiles(path: directory.database).header == nil)
  }
}
