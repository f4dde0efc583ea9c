import Configuration
import Glibc
import MarkerImport
import Options

/// Where an import goes: `-o`, else a file in the configured folder of marker files.
struct ImportTarget {
  let destination: Destination
  private let isConfigured: Bool

  /// - Throws: `Failure` or `ImportFault` where there is no such place.
  init(_ parsed: ParsedOptions) throws {
    isConfigured = !parsed.has("output")
    let path = try parsed.value("output") ?? Self.configuredPath(parsed)
    destination = try Destination(path: path)
  }

  /// Tells after a dry run what writing would end with. That this user may not write the configured
  /// folder is no fault of the command: the one who will may be another.
  func checkDry() throws {
    guard let obstacle = destination.obstacle else { return }
    guard isConfigured, obstacle == EACCES || obstacle == EPERM else {
      return try destination.check()
    }
    Output.complain("\(destination.name) may not be written by this user")
  }

  private static func configuredPath(_ parsed: ParsedOptions) throws -> String {
    let pattern = try MarkersOption.settings(parsed).fences.markers.first { $0.contains("/") }
    guard let pattern, let slash = pattern.lastIndex(of: "/"), pattern.hasSuffix(".csv") else {
      throw Failure(ExitCode.usage, "the configuration names no directory for *.csv (use -o FILE)")
    }
    let source = parsed.value("preset") ?? parsed.operands[0]
    let name = source.split(separator: "/").last.map(String.init) ?? source
    guard name != "-" else { throw Failure(ExitCode.usage, "name the marker file with -o FILE") }
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    return "\(pattern[..<slash])/\(stem).csv"
  }
}
