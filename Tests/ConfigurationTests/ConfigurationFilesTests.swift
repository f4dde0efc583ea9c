import Configuration
import Glibc
import TestSupport
import Testing

/// A folder of this test's own with `m.conf` and its drop-ins.
struct ConfigurationFolder {
  private let scratch: ScratchFolder
  var path: String { scratch.path }
  var file: String { scratch("m.conf") }

  init(_ text: String? = nil, dropIns: [String: String] = [:]) throws {
    scratch = try ScratchFolder()
    if let text { try scratch.write("m.conf", text) }
    for (name, text) in dropIns { try scratch.write("m.conf.d/\(name)", text) }
  }
}

@Suite struct ConfigurationFilesTests {
  @Test("drop-ins are read after the file, by name, only *.conf and no hidden ones")
  func dropIns() throws {
    let folder = try ConfigurationFolder(
      "[Fences]\nRadius=50\nExitMargin=1\n[Hooks]\nAttempts=2\n",
      dropIns: [
        "20-b.conf": "[Fences]\nRadius=70\n", "10-a.conf": "[Fences]\nRadius=60\nExitMargin=2\n",
        ".x.conf": "[Bad]\n", "30-c.conf.bak": "[Bad]\n",
      ])
    try #require(symlink("/dev/null", "\(folder.path)/m.conf.d/40.conf") == 0)
    let settings = try Configuration.load(path: folder.file)
    #expect(settings.fences.radius == 70 && settings.fences.exitMargin == 2)
    #expect(settings.hooks.attempts == 2)
  }

  @Test("a file that does not exist is a problem, unless it may be absent")
  func absent() throws {
    let folder = try ConfigurationFolder(dropIns: ["a.conf": "[Fences]\nRadius=60\n"])
    let error = #expect(throws: ConfigurationError.self) {
      try Configuration.load(path: folder.file)
    }
    #expect(error?.description == "\(folder.file): does not exist")
    let settings = try Configuration.load(path: folder.file, mayBeAbsent: true)
    #expect(settings.fences.radius == 60)
  }

  @Test("a folder, a FIFO and a huge file are refused")
  func refusals() throws {
    func problem(_ path: String) -> String? {
      #expect(throws: ConfigurationError.self) { try Configuration.load(path: path) }?.description
    }
    let folder = try ConfigurationFolder(String(repeating: "#\n", count: 524_289))
    #expect(problem(folder.file) == "\(folder.file): is larger than 1 MiB")
    #expect(problem(folder.path) == "\(folder.path): is a directory (name a file)")
    try #require(mkfifo("\(folder.path)/fifo", 0o600) == 0)
    #expect(problem("\(folder.path)/fifo") == "\(folder.path)/fifo: is not a regular file")
  }

  @Test("problems of the file and of its drop-ins come together")
  func together() throws {
    let folder = try ConfigurationFolder(
      "[Hooks]\nAttempts=x\n", dropIns: ["a.conf": "[Hooks]\nMaxRunning=0\n"])
    let error = #expect(throws: ConfigurationError.self) {
      try Configuration.load(path: folder.file)
    }
    #expect(
      error?.problems.map(\.description) == [
        "\(folder.file):2: Attempts: \"x\" is not a whole number (use 5)",
        "\(folder.file).d/a.conf:2: MaxRunning: \"0\" is out of range (use 1 to 64)",
      ])
  }
}
