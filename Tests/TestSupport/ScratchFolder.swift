import FoundationEssentials
package import Glibc
import SystemdKit

/// A folder of its own, removed with all it holds when the object goes away.
package final class ScratchFolder {
  package let path: String

  package init() throws {
    var template = Array("/tmp/milepost-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SystemError(call: "mkdtemp", subject: "scratch folder", errno: errno)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a file, and the folders on its way.
  @discardableResult
  package func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws -> String {
    let file = self(name)
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
    guard let stream = fopen(file, "w") else {
      throw SystemError(call: "fopen", subject: file, errno: errno)
    }
    fputs(text, stream)
    fclose(stream)
    chmod(file, mode)
    return file
  }
}
