import Glibc

/// A preset: how an agency's files are read, as a small file in the configuration's syntax.
package enum Preset {
  /// Takes the lines of a preset: `[Import]`, `Key=value`, comments on their own lines.
  package static func apply(_ text: String, file: String, to settings: inout ImportSettings)
    throws(ImportFault)
  {
    var isInSection = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let place = "\(file):\(index + 1)"
      let line = Array(line.utf8)[...].trimmed.text
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("[") {
        guard line == "[Import]" else {
          throw ImportFault(.usage, "\(place): \(line) is unknown (use [Import])")
        }
        isInSection = true
        continue
      }
      guard isInSection, let equals = line.firstIndex(of: "=") else {
        throw ImportFault(
          .usage, "\(place): \(isInSection ? "no Key=value" : "[Import] has to come first")")
      }
      let key = Array(line[..<equals].utf8)[...].trimmed.text
      let value = Array(line[line.index(after: equals)...].utf8)[...].trimmed.text
      do {
        try settings.set(key, value)
      } catch {
        throw ImportFault(.usage, "\(place): \(key): \(error.description)")
      }
    }
  }

  /// Longer files were never meant to be one.
  private static let sizeLimit = 1 << 20

  private static func text(of source: ByteSource) throws(ImportFault) -> String {
    var bytes: [UInt8] = []
    while case let chunk = try source.chunk(), !chunk.isEmpty {
      bytes += chunk
      guard bytes.count <= sizeLimit else {
        throw ImportFault(.usage, "\(source.name): is no preset, but longer than 1 MiB")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The file of a preset: a path where `name` has a slash or ends in `.preset`, else from `folders`.
  package static func load(_ name: String, folders: [String], into settings: inout ImportSettings)
    throws(ImportFault)
  {
    let isPath = name.contains("/") || name.hasSuffix(".preset")
    let paths = isPath ? [name] : folders.map { "\($0)/\(name).preset" }
    for path in paths where isPath || access(path, F_OK) == 0 {
      let source = try ByteSource(path: path)
      try apply(try text(of: source), file: path, to: &settings)
      return
    }
    throw ImportFault(.usage, "no preset \"\(name)\" (looked for \(paths.joined(separator: ", ")))")
  }
}
