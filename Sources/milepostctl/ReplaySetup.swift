import Configuration
import MarkerFiles
import Milepost
import Options

/// What a replay works with: settings from the configuration and the command line, and the fences.
struct ReplaySetup {
  private(set) var engine: Engine.Settings
  private(set) var requiresChecksum: Bool
  private(set) var fences: FenceSet

  init(_ options: ParsedOptions) throws {
    let settings = try Self.settings(options)
    engine = settings.engine
    requiresChecksum = settings.source.requireChecksum
    let markers = options.values("markers")
    fences = try Self.fences(markers.isEmpty ? settings.fences.markers : markers, settings)
    if settings.source.device != nil {
      Output.complain("Device= of the configuration does not apply to a replay, ignoring")
    }
  }

  private static func settings(_ options: ParsedOptions) throws -> Settings {
    let path = options.value("config")
    var settings: Settings
    do {
      settings = try Configuration.load(
        path: path ?? "/etc/milepostd/milepostd.conf", mayBeAbsent: path == nil)
    } catch {
      throw Failure(ExitCode.configuration, "\(error)")
    }
    if let radius = options.value("radius") {
      settings.fences.radius =
        try overridden("--radius", "[Fences]\nRadius=\(radius)\n").fences.radius
    }
    if let jitter = options.value("jitter") {
      settings.filter.jitterThreshold =
        try overridden("--jitter", "[Filter]\nJitterThreshold=\(jitter)\n").filter.jitterThreshold
    }
    return settings
  }

  /// An option's value is read by the rules of its key.
  private static func overridden(_ option: String, _ text: String) throws -> Settings {
    do {
      return try Configuration.settings(from: [.init(name: option, bytes: Array(text.utf8))])
    } catch {
      let reason = error.problems.first?.reason ?? ""
      throw Failure(ExitCode.usage, "\(option): \(reason)")
    }
  }

  private static func fences(_ markers: [String], _ settings: Settings) throws -> FenceSet {
    let set = MarkerFile.load(markers, options: settings.fences.markerOptions)
    for report in set.reports { Output.note("\(report)\n") }
    if !set.failures.isEmpty {
      throw Failure(MarkersOption.failureCode(set), "no mileposts, no events")
    }
    if set.fences.isEmpty {
      Output.complain("no mileposts (name a marker file with --markers), so no events")
    }
    return FenceSet(set.fences)
  }
}
