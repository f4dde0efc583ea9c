import Configuration
import Geodesy
import Glibc
import MarkerFiles
import MarkerImport
import Milepost
import Options

/// The marker files that a command works on: `--markers`, else those of the configuration.
enum MarkersOption {
  static let options = [CommandOption("markers", .required), CommandOption("config", .required)]

  static func settings(_ options: ParsedOptions) throws -> Settings {
    let path = options.value("config")
    do {
      return try Configuration.load(
        path: path ?? "/etc/milepostd/milepostd.conf", mayBeAbsent: path == nil)
    } catch {
      throw Failure(ExitCode.configuration, "\(error)")
    }
  }

  /// The exit code for marker files of which some cannot be used.
  static func failureCode(_ set: MarkerSet) -> Int32 {
    set.failures.contains { $0.severity == .unreadable } ? ExitCode.inputOutput : ExitCode.badData
  }

  private static func patterns(_ options: ParsedOptions) throws -> [String] {
    let named = options.values("markers")
    if !named.isEmpty, options.has("config") {
      throw Failure(
        ExitCode.usage, "--markers and --config both say where mileposts are (leave one out)")
    }
    return named.isEmpty ? try settings(options).fences.markers : named
  }

  /// Rows that milepostd takes as one milepost with rows of another file or category.
  static func shared(_ options: ParsedOptions) throws -> [SharedMileposts] {
    MarkerFile.load(try patterns(options)).shared
  }

  /// All mileposts, row by row. Rows at fault are counted in one line.
  static func book(_ options: ParsedOptions) throws -> RoadBook {
    let patterns = try patterns(options)
    var options = MarkerOptions()
    options.keepsRows = true
    let set = MarkerFile.load(patterns, options: options)
    if let failure = set.failures.last {
      for failure in set.failures.dropLast() { Output.complain("\(failure)") }
      throw Failure(failureCode(set), "\(failure)")
    }
    if set.rowsSkipped > 0 {
      Output.complain("\(set.rowsSkipped) rows at fault, ignoring (milepostd --check names them)")
    }
    guard !set.fences.isEmpty else {
      throw Failure(
        ExitCode.failed, "no mileposts in \(patterns.joined(separator: " ")) (use --markers FILE)")
    }
    return RoadBook(set.fences)
  }
}
