internal import Glibc
internal import Milepost

/// A database's files: itself, its write-ahead log and the log's index.
struct DatabaseFiles {
  let path: String

  /// What the first page says, without SQLite touching anything.
  struct Header: Equatable {
    var applicationID: Int64
    var userVersion: Int64
  }

  /// Nil where there is no file, or none that begins like a database.
  /// Source: sqlite.org/fileformat.html, section 1.3.
  var header: Header? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    guard pread(descriptor, &bytes, 100, 0) == 100,
      bytes.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    func word(at offset: Int) -> Int64 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
    return Header(applicationID: word(at: 68), userVersion: word(at: 60))
  }

  /// Whether the log holds anything.
  var hasLog: Bool {
    var status = stat()
    return stat(path + "-wal", &status) == 0 && status.st_size > 0
  }

  /// Moves all of them aside, by rename(2), to a name that is free.
  /// - Returns: the new name of the database itself; nil where a rename failed.
  func moveAside(at time: Timestamp) -> String? {
    let c = time.components
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let stamp =
      "\(c.year)\(two(c.month))\(two(c.day))T\(two(c.hour))\(two(c.minute))\(two(c.second))Z"
    var name = "\(path).corrupt-\(stamp)"
    var number = 1
    while access(name, F_OK) == 0 {
      number += 1
      name = "\(path).corrupt-\(stamp).\(number)"
    }
    for suffix in ["-wal", "-shm", ""] where access(path + suffix, F_OK) == 0 {
      guard rename(path + suffix, name + suffix) == 0 else { return nil }
    }
    return name
  }
}
