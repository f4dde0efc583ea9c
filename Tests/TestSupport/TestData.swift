import Glibc

/// Real logs, drives and mileposts, which are no part of the package: `MILEPOST_TEST_DATA`, else
/// `../shared/data` beside the package.
package enum TestData {
  package static let folder: String = {
    if let path = getenv("MILEPOST_TEST_DATA") { return String(cString: path) }
    return package + "/../shared/data"
  }()

  /// The package's own folder.
  package static let package: String =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  package static let isThere = access(folder, R_OK) == 0

  /// What a skipped test says.
  package static let absence = "real data is not there: set MILEPOST_TEST_DATA to its folder"

  package static func path(_ name: String) -> String { "\(folder)/\(name)" }

  package static func bytes(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Absent(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  /// The names of a data folder's files that end so, sorted, with the folder's: `gpsd/drive.log`.
  package static func names(in folder: String, ending: String) throws -> [String] {
    guard let directory = opendir(path(folder)) else { throw Absent(path: path(folder)) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(ending) { names.append("\(folder)/\(name)") }
    }
    return names.sorted()
  }

  package static func lines(of path: String) throws -> [String] {
    String(decoding: try bytes(of: path), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(String.init)
  }

  package struct Absent: Error {
    package var path: String
  }
}
