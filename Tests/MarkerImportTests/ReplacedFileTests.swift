import Glibc
import MarkerImport
import Testing

struct ReplacedFileTests {
  @Test("a file is replaced in one step, or stays as it was")
  func replaced() throws {
    var template = Array("/tmp/milepost-test-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    let path = folder + "/markers.csv"
    defer {
      unlink(path)
      rmdir(folder)
    }
    do {
      var file = try ReplacedFile(path: path)
      try file.write(Array("old".utf8))
      #expect(access(path, F_OK) != 0)
      try file.commit()
    }
    #expect(Shared.bytes(path) == Array("old".utf8))
    do {
      let file = try ReplacedFile(path: path)
      try file.write(Array("half".utf8))
    }
    #expect(Shared.bytes(path) == Array("old".utf8))
    #expect(Self.entries(folder) == ["markers.csv"])
    do {
      var file = try ReplacedFile(path: path)
      try file.write(Array("new".utf8))
      try file.commit()
    }
    #expect(Shared.bytes(path) == Array("new".utf8))
    #expect(Self.entries(folder) == ["markers.csv"])
  }

  @Test("what is no regular file is not replaced")
  func device() {
    #expect(throws: ImportFault.self) { _ = try ReplacedFile(path: "/dev/null") }
  }

  @Test("a folder that is not there is named")
  func missing() {
    #expect {
      _ = try ReplacedFile(path: "/nonexistent/markers.csv")
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
