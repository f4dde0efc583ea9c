import Glibc
import MarkerImport
import Testing

struct DestinationTests {
  typealias Folder = ReplacedFileTests.Folder

  @Test("links are followed to what is to be written, and descriptors are told")
  func kinds() throws {
    let folder = try Folder()
    close(open(folder("file"), O_CREAT | O_WRONLY, 0o600))
    mkfifo(folder("fifo"), 0o600)
    symlink("file", folder("link"))
    symlink(folder("link"), folder("linked"))
    symlink("later", folder("dangling"))
    symlink("/dev/stdout", folder("out"))
    struct Row {
      var path: String
      var expected: Destination
    }
    let rows = [
      Row(path: "-", expected: .descriptor(1)),
      Row(path: "/dev/stdout", expected: .descriptor(1)),
      Row(path: "/dev/stderr", expected: .descriptor(2)),
      Row(path: "/dev/fd/1", expected: .descriptor(1)),
      Row(path: "/proc/self/fd/2", expected: .descriptor(2)),
      Row(path: "/dev/fd/17000", expected: .descriptor(17_000)),
      Row(path: folder("out"), expected: .descriptor(1)),
      Row(path: "/dev/null", expected: .special(path: "/dev/null")),
      Row(path: folder("fifo"), expected: .special(path: folder("fifo"))),
      Row(path: folder("none"), expected: .file(path: folder("none"))),
      Row(path: folder("file"), expected: .file(path: folder("file"))),
      Row(path: folder("./file"), expected: .file(path: folder("file"))),
      Row(path: folder("linked"), expected: .file(path: folder("file"))),
      Row(path: folder("dangling"), expected: .file(path: folder("later"))),
    ]
    for row in rows {
      let found = try? Destination(path: row.path)
      #expect(found == row.expected, "\(row.path)")
    }
  }

  @Test("what can be no destination is told with the reason")
  func refused() throws {
    let folder = try Folder()
    symlink("loop", folder("loop"))
    close(open(folder("file"), O_CREAT | O_WRONLY, 0o600))
    let rows = [
      "": "the output has no name", folder(""): "is a directory", "/": "is a directory",
      "..": "is a directory", folder("loop"): "Too many levels of symbolic links",
      folder("none/x"): "No such file or directory", folder("none/"): "No such file or directory",
      folder("file/x"): "Not a directory",
    ]
    for (path, reason) in rows {
      #expect {
        _ = try Destination(path: path)
      } throws: {
        "\($0)".contains(reason)
      }
    }
  }

  @Test("what writing would fail at is told without writing")
  func obstacles() throws {
    #expect(Destination.descriptor(17_000).obstacle == EBADF)
    let reading = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(reading) }
    #expect(Destination.descriptor(reading).obstacle == EBADF)
    #expect(Destination.file(path: "/nonexistent/x").obstacle == ENOENT)
    #expect(Destination.file(path: "/proc/self/status").obstacle != nil || geteuid() == 0)
    let folder = try Folder()
    #expect(Destination.file(path: folder("x")).obstacle == nil)
    #expect(ReplacedFileTests.entries(folder.path).isEmpty)
  }
}
