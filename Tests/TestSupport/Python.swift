import Glibc

/// Python, which reads the same by another way.
package enum Python {
  package static let isThere = system("python3 -c pass >/dev/null 2>&1") == 0

  package struct Failure: Error {
    package var output: String
  }

  /// The lines that `script` prints; it finds `argument` as `sys.argv[1]`. Neither may hold a `'`.
  package static func lines(_ script: String, _ argument: String) throws -> [String] {
    guard let pipe = popen("python3 -c '\(script)' '\(argument)'", "r") else {
      throw Failure(output: "popen failed")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 {
      bytes += chunk[..<count]
    }
    let output = String(decoding: bytes, as: UTF8.self)
    guard pclose(pipe) == 0 else { throw Failure(output: output) }
    return output.split(separator: "\n").map(String.init)
  }
}
