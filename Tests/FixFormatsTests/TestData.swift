import Geodesy
import Glibc
import Milepost
import Testing

@testable import FixFormats

/// Real logs, which are not part of the package: `MILEPOST_TEST_DATA`, else `../shared/data`.
enum TestData {
  static let root: String = {
    if let path = getenv("MILEPOST_TEST_DATA") { return String(cString: path) }
    let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(package)/../shared/data"
  }()

  static let isThere = access("\(root)/gpsd", R_OK) == 0

  static func bytes(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen("\(root)/\(path)", "r"), "\(path) cannot be opened")
    defer { fclose(file) }
    return readAll(file)
  }

  /// The names in a folder that end so, sorted.
  static func names(in folder: String, ending: String) throws -> [String] {
    let directory = try #require(opendir("\(root)/\(folder)"))
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(ending) { names.append("\(folder)/\(name)") }
    }
    return names.sorted()
  }
}

func readAll(_ file: UnsafeMutablePointer<FILE>) -> [UInt8] {
  var all: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { all += chunk[..<count] }
  return all
}

/// Python, which reads the same logs by another way.
enum Python {
  static let isThere = system("python3 -c pass >/dev/null 2>&1") == 0

  /// The lines that `script` prints; it finds `argument` as `sys.argv[1]`. Neither may hold a `'`.
  static func lines(_ script: String, _ argument: String) throws -> [String] {
    let pipe = try #require(popen("python3 -c '\(script)' '\(argument)'", "r"))
    let output = String(decoding: readAll(pipe), as: UTF8.self)
    try #require(pclose(pipe) == 0, "python3 failed: \(output)")
    return output.split(separator: "\n").map(String.init)
  }
}

/// A generator that gives the same numbers for the same seed (splitmix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// The seed of a randomised test: `MILEPOST_SEED`, else a new one; printed.
  static func seed(of test: String) -> UInt64 {
    let given = getenv("MILEPOST_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? UInt64.random(in: 0...999_999)
    print("\(test): MILEPOST_SEED=\(seed)")
    return seed
  }
}

extension String {
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    Array(utf8).withUnsafeBytes(body)
  }
}

/// `body` with the address and the checksum that it asks for: `$…*hh`.
func sentence(_ body: String) -> String {
  let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
  return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)"
}

extension Timestamp {
  init(_ milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}
