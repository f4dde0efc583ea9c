import Configuration
import Glibc
import Testing

/// The configuration that the package ships.
@Suite struct ShippedFileTests {
  static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  static func lines() throws -> [String] {
    let file = try #require(fopen("\(root)/Config/milepostd.conf", "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("every key stands in its section, commented out with its default below its explanation")
  func complete() throws {
    let lines = try Self.lines()
    for key in SettingKey.all {
      let assignment = "#\(key.name)=\(key.defaultText)"
      let places = lines.indices.filter { lines[$0].hasPrefix("#\(key.name)=") }
      #expect(places.count == 1 && places.allSatisfy { lines[$0] == assignment }, "\(assignment)")
      let place = try #require(places.first)
      #expect(lines[place - 1] == "# \(key.explanation)")
      #expect(lines[..<place].last { $0.hasPrefix("[") } == "[\(key.section.rawValue)]")
    }
    let shipped = lines.filter { $0.first == "#" && $0.dropFirst().first?.isLetter == true }
    #expect(shipped.count == SettingKey.all.count)
    #expect(lines.allSatisfy { $0.utf8.count <= 110 })
  }

  @Test("the file as it is, and with everything un-commented, gives the defaults")
  func defaults() throws {
    let lines = try Self.lines()
    #expect(try settings(lines.joined(separator: "\n")) == Settings())
    let active = lines.map { line in
      line.first == "#" && line.dropFirst().first?.isLetter == true
        ? String(line.dropFirst()) : line
    }
    #expect(active.filter { $0.contains("=") && $0.first != "#" }.count == SettingKey.all.count)
    #expect(try settings(active.joined(separator: "\n")) == Settings())
  }

  @Test("the example hook is executable by all and writable by its owner alone")
  func hook() throws {
    var status = stat()
    try #require(stat("\(Self.root)/Config/hooks.d/announce.sh", &status) == 0)
    #expect(status.st_mode & 0o111 == 0o111)
    #expect(status.st_mode & 0o002 == 0)
  }
}
