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
    // The threads that run tests block all signals.
    var mask = Self.mask(SIG_UNBLOCK, SIGTERM)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    var file = ReplacedFile(path: folder("markers.csv"), isUnnamed: false)
    try file.write([1])
    #expect {
      try SignalHold.during { (hold) throws(ImportFault) in
        #expect(!hold.hasCome)
        pthread_kill(pthread_self(), SIGTERM)
        defer { Self.takeAway(SIGTERM) }
        try file.commit(unlessComeTo: hold)
      }
    } throws: {
      "\($0)".hasSuffix("markers.csv: interrupted, nothing is written")
    }
    #expect(Self.entries(folder.path).isEmpty)
  }

  @Test("a signal that was blocked already, as SIGPIPE may be, interrupts nothing")
  func blockedSignal() throws {
    let folder = try Folder()
    var mask = Self.mask(SIG_BLOCK, SIGPIPE)
    defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
    pthread_kill(pthread_self(), SIGPIPE)
    defer { Self.takeAway(SIGPIPE) }
    var file = ReplacedFile(path: folder("markers.csv"), isUnnamed: false)
    try file.write([1])
    try file.commit()
    #expect(Self.entries(folder.path) == ["markers.csv"])
  }

  /// Blocks or unblocks a signal; returns the mask before.
  private static func mask(_ how: Int32, _ signal: Int32) -> sigset_t {
    var (set, before) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(how, &set, &before)
    return before
  }

  /// Of a signal that is blocked and pending, and would end the tests.
  private static func takeAway(_ signal: Int32) {
    var (set, patience) = (sigset_t(), timespec())
    sigemptyset(&set)
    sigaddset(&set, signal)
    #expect(sigtimedwait(&set, nil, &patience) == signal)
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
