import Glibc
import MarkerImport
import Testing

struct ReplacedFileTests {
  /// A folder of its own, removed with what is in it.
  final class Folder {
    let path: String

    init() throws {
      var template = Array("/tmp/milepost-test-XXXXXX".utf8CString)
      path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit {
      for name in ReplacedFileTests.entries(path) { unlink("\(path)/\(name)") }
      rmdir(path)
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
  }

  @Test("a file is replaced in one step, or stays as it was", arguments: [true, false])
  func replaced(isUnnamed: Bool) throws {
    let folder = try Folder()
    let path = folder("markers.csv")
    for text in ["old", "new"] {
      var file = ReplacedFile(path: path, isUnnamed: isUnnamed)
      try file.write(Array(text.utf8))
      #expect(Self.entries(folder.path) == (text == "old" ? [] : ["markers.csv"]))
      #expect(Shared.bytes(path) == (text == "old" ? nil : Array("old".utf8)))
      try file.commit()
      #expect(Shared.bytes(path) == Array(text.utf8))
    }
    do {
      var file = ReplacedFile(path: path, isUnnamed: isUnnamed)
      try file.write(Array("half".utf8))
    }
    #expect(Shared.bytes(path) == Array("new".utf8))
    #expect(Self.entries(folder.path) == ["markers.csv"])
  }

  @Test("owner and permissions of the file replaced stay", arguments: [true, false])
  func permissions(isUnnamed: Bool) throws {
    let folder = try Folder()
    let path = folder("markers.csv")
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    chmod(path, 0o640)
    let owner: uid_t = geteuid() == 0 ? 12_345 : geteuid()
    chown(path, owner, getegid())
    try ReplacedFile(path: path, isUnnamed: isUnnamed).commit()
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o640 && status.st_uid == owner)
  }

  @Test("where the place cannot be taken, nothing is left beside it", arguments: [true, false])
  func notTaken(isUnnamed: Bool) throws {
    let folder = try Folder()
    let path = folder("markers.csv")
    var file = ReplacedFile(path: path, isUnnamed: isUnnamed)
    try file.write([1])
    mkdir(path, 0o700)
    defer { rmdir(path) }
    #expect(throws: ImportFault(.inputOutput, "\(path): cannot be written: Is a directory")) {
      try file.commit()
    }
    #expect(Self.entries(folder.path) == ["markers.csv"])
  }

  @Test("a named draft is removed before a signal ends the process")
  func heldSignal() throws {
    let folder = try Folder()
    var (set, before) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &set, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    pthread_kill(pthread_self(), SIGTERM)
    // Takes the signal away, which would end the tests.
    defer {
      var patience = timespec()
      #expect(sigtimedwait(&set, nil, &patience) == SIGTERM)
    }
    #expect {
      var file = ReplacedFile(path: folder("markers.csv"), isUnnamed: false)
      try file.write([1])
      try file.commit()
    } throws: {
      "\($0)".hasSuffix("markers.csv: interrupted, nothing is written")
    }
    #expect(Self.entries(folder.path).isEmpty)
  }

  @Test("a folder that is not there is named", arguments: [true, false])
  func missing(isUnnamed: Bool) {
    #expect {
      try ReplacedFile(path: "/nonexistent/markers.csv", isUnnamed: isUnnamed).commit()
    } throws: {
      "\($0)" == "/nonexistent/markers.csv: cannot be written: No such file or directory"
    }
  }

  static func entries(_ folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
