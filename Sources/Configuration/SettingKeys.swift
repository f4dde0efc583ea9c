private let second: Int64 = 1_000
private let hour = 3_600 * second
private let day = 24 * hour

extension SettingKey {
  /// Every key, in the order of the shipped file.
  package static let all = sourceKeys + filterKeys + fencesKeys + hooksKeys + eventsKeys

  private static let sourceKeys = [
    SettingKey(
      .source, "Type", "gpsd", .source(\.source.kind), needsRestart: true,
      "Where fixes come from: gpsd, or fifo."),
    SettingKey(
      .source, "Address", "127.0.0.1:2947", .address(\.source.address), needsRestart: true,
      "Host and port of gpsd; an IPv6 address stands in brackets, [::1]:2947."),
    SettingKey(
      .source, "Device", "", .device(\.source.device),
      "The only receiver to use, as gpsd names it (/dev/ttyUSB0); empty for the first with a fix."),
    SettingKey(
      .source, "Path", "/run/milepostd/fixes", .path(\.source.path), needsRestart: true,
      "The FIFO to read where Type=fifo and systemd passes none."),
    SettingKey(
      .source, "RequireChecksum", "yes", .flag(\.source.requireChecksum),
      "Ignore NMEA sentences without a checksum."),
  ]

  private static let filterKeys = [
    SettingKey(
      .filter, "JitterThreshold", "15m",
      .distance(\.filter.jitterThreshold, 0...1_000, "0m to 1000m"),
      "A fix is ignored unless it is farther than this from the last accepted one (metres)."),
    SettingKey(
      .filter, "MaxHorizontalError", "100m",
      .distance(\.filter.maxHorizontalError, 1...100_000, "1m to 100km"),
      "A fix whose receiver gives a larger horizontal error is rejected (metres)."),
    SettingKey(
      .filter, "MaxSpeed", "500km/h",
      .speed(\.filter.maxSpeedMPS, 1 / 3.6...10_000 / 3.6, "1km/h to 10000km/h"),
      "A fix that could only be reached faster waits until others agree with it (km/h)."),
    SettingKey(
      .filter, "MaxGap", "10s", .duration(\.filter.maxGapMS, second...day, "1s to 1d"),
      "A longer time without usable fixes is a gap: no passage is concluded over it (seconds)."),
    SettingKey(
      .filter, "MaxGapDistance", "500m",
      .distance(\.filter.maxGapDistance, 1...1_000_000, "1m to 1000km"),
      "A longer way without usable fixes is a gap, too (metres)."),
    SettingKey(
      .filter, "DeadReckoning", "no", .flag(\.filter.deadReckoning),
      "Use fixes that the receiver estimates, as in a tunnel."),
    SettingKey(
      .filter, "Simulated", "no", .flag(\.filter.simulated),
      "Use fixes of a simulator."),
  ]

  private static let fencesKeys = [
    SettingKey(
      .fences, "Markers", "/etc/milepostd/markers.d/*.csv", .patterns(\.fences.markers),
      "Marker files, parted by blanks; a further line adds, an empty one starts the list anew."),
    SettingKey(
      .fences, "Radius", "40m", .distance(\.fences.radius, 1...100_000, "1m to 100km"),
      "Radius of the circle round a marker whose row gives none (metres)."),
    SettingKey(
      .fences, "ExitMargin", "0m", .distance(\.fences.exitMargin, 0...100_000, "0m to 100km"),
      "A circle is left this much farther out than it is entered (metres)."),
    SettingKey(
      .fences, "Roads", "", .names(\.fences.roads),
      "Only these roads, as the marker files name them, parted by blanks; quote a name with blanks."
    ),
    SettingKey(
      .fences, "Category", "", .names(\.fences.categories),
      "Only mileposts of these categories, as the marker files name them, parted by blanks."),
    SettingKey(
      .fences, "Every", "", .step(\.fences.everyMicrometres),
      "Only mileposts at whole multiples of this mileage, as 1km or 1mi (km); empty for all."),
    SettingKey(
      .fences, "SplitCarriageways", "no", .flag(\.fences.splitCarriageways),
      "Keep the carriageways of one milepost apart, each with a circle and events of its own."),
  ]

  private static let hooksKeys = [
    SettingKey(
      .hooks, "Directory", "/etc/milepostd/hooks.d", .path(\.hooks.directory),
      "The folder whose executables run at each event."),
    SettingKey(
      .hooks, "Timeout", "30s", .duration(\.hooks.timeoutMS, second...hour, "1s to 1h"),
      "A hook that runs longer is stopped and has failed (seconds)."),
    SettingKey(
      .hooks, "Attempts", "5", .count(\.hooks.attempts, 1...20, "1 to 20"),
      "How often a failing hook is started for one event."),
    SettingKey(
      .hooks, "MaxAge", "10min", .duration(\.hooks.maxAgeMS, second...30 * day, "1s to 30d"),
      "An event that could not be delivered for this long is given up (seconds)."),
    SettingKey(
      .hooks, "MaxRunning", "4", .count(\.hooks.maxRunning, 1...64, "1 to 64"),
      "How many hooks run at once."),
    SettingKey(
      .hooks, "RunOnInitial", "no", .flag(\.hooks.runOnInitial),
      "Run hooks for the circles that the vehicle stands in at the very first fix, too."),
  ]

  private static let eventsKeys = [
    SettingKey(
      .events, "Database", "/var/lib/milepostd/events.db", .path(\.events.database),
      needsRestart: true, "The file that keeps events and state over restarts."),
    SettingKey(
      .events, "Keep", "90d", .duration(\.events.keepMS, hour...36_500 * day, "1h to 36500d"),
      "Older events are deleted, but never the newest 10,000 (seconds)."),
    SettingKey(
      .events, "MaxSize", "256M", .bytes(\.events.maxBytes, 1 << 20...1 << 40, "1M to 1T"),
      "The oldest events are deleted where the database would hold more, with the same limit (bytes)."
    ),
  ]
}
