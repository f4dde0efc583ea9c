import MarkerImport
import Options

/// `milepostctl import`: agencies' files become a marker file.
enum ImportCommand {
  static let usage = """
    usage: milepostctl import [OPTION]... FILE|-...

    Reads CSV, GeoJSON, GeoJSON sequences, KML, GPX, OpenStreetMap XML or OwnTracks waypoints and writes a
    marker file: to OUTPUT, else into the configured directory, named after the preset or the first FILE.

      --preset NAME      read as this preset says, or as the file ./NAME.preset does
      -o, --output FILE  write to FILE, or - for standard output; a FIFO or device is written in place
      --config FILE      take the directory from FILE (default /etc/milepostd/milepostd.conf)
      --dry-run          write nothing, print the report and what writing would fail at
      --strict           a rejected row is an error, and nothing is written
      --help             print this

    Where values come from: SOURCE is a column's name, #3 for the third, 'NAME ~ EXPRESSION' for what a
    regular expression (POSIX extended; its first group) picks out of it, or =TEXT for a constant.
    Named again, an option gives a further source for rows where the first is empty.

      --road, --mileage, --lat, --lon SOURCE
      --carriageway, --section, --name, --category, --radius, --plate, --kind SOURCE
      --chainage SOURCE      the agency's own, only to find wrong plates
      --x, --y SOURCE        projected coordinates, in the system --crs
      --crs EPSG:3826        several, where the second is tried if the first disagrees with lat, lon
      --zone SOURCE          with --crs '119=EPSG:3825 121=EPSG:3826': the system of each row
      --where SOURCE         only rows for which this gives something

    How they are written:

      --format auto|csv|json|xml   --encoding NAME (utf-8, cp950, big5hkscs, shift_jis, euc-kr, latin-1, ...)
      --delimiter C|tab|auto  --quote C|none  --header yes|no  --skip-lines N  --decimal-comma
      --unit km|m|mi|ft|hm|ch      the unit of a bare mileage
      --stations kilometres|feet   what 14+800 and 10+90 mean
      --implied-decimals N         with 1, 3037 is 303.7
      --hectometre-fractions       12/4 is 12.4
      --section-letters            Z46.00 is 46.00 in section Z
      --text                       the mileage stands within a text
      --scale FACTOR  --chainage-unit UNIT

    What becomes of them:

      --merge            rows of one mileage within 100 m are one milepost (default)
      --keep-duplicates  every row is written
      --every 1km        only whole multiples
      --normalise-roads yes|no     臺1線 and 台1, 國1 and 國道一號, A0006 and A6 are one (default yes)
      --rename-road FROM=TO        may be repeated

    """

  private static let ownOptions = [
    CommandOption("preset", .required), CommandOption("output", .required, letter: "o"),
    CommandOption("config", .required), CommandOption("dry-run"), CommandOption("strict"),
    CommandOption("merge"), CommandOption("help"),
  ]

  /// Settings that are a yes where they are options.
  private static let flags: Set<String> = [
    "DecimalComma", "HectometreFractions", "SectionLetters", "Text", "KeepDuplicates",
  ]

  private static let shortNames = ["Latitude": "lat", "Longitude": "lon", "CRS": "crs"]

  /// Option name by setting: `KeepDuplicates` is `keep-duplicates`.
  private static let settingOptions: [(option: CommandOption, setting: String)] =
    ImportSettings.names.map { name in
      let long = shortNames[name] ?? dashed(name)
      return (CommandOption(long, flags.contains(name) ? .none : .required), name)
    }

  private static func dashed(_ name: String) -> String {
    var result = ""
    for character in name {
      if character.isUppercase, !result.isEmpty { result += "-" }
      result += character.lowercased()
    }
    return result
  }

  static func run(arguments: [String]) -> Int32 {
    CommandRun.run {
      let parsed = try OptionParser(ownOptions + settingOptions.map(\.option)).parse(arguments)
      if parsed.has("help") {
        try Output.tell(usage)
        return
      }
      guard !parsed.operands.isEmpty else {
        throw Failure(ExitCode.usage, "import: a FILE is missing (- is standard input)")
      }
      try check(parsed)
      try run(parsed)
    }
  }

  /// Throws where options or operands do not go together.
  private static func check(_ parsed: ParsedOptions) throws {
    for (a, b, why) in [
      ("merge", "keep-duplicates", "say the opposite of each other"),
      ("output", "config", "both say where to write"),
    ] where parsed.has(a) && parsed.has(b) {
      throw Failure(ExitCode.usage, "--\(a) and --\(b) \(why) (leave one out)")
    }
    var seen: Set<String> = []
    for path in parsed.operands where !seen.insert(path).inserted {
      throw Failure(ExitCode.usage, "import: \(path) is named twice")
    }
  }

  private static func run(_ parsed: ParsedOptions) throws {
    var importer = try Importer(try settings(parsed), fileCount: parsed.operands.count)
    guard !parsed.has("dry-run") else {
      try read(parsed.operands, into: &importer)
      try close(try importer.finish { (_) throws(ImportFault) in }, parsed)
      return try ImportTarget(parsed).checkDry()
    }
    let destination = try ImportTarget(parsed).destination
    try destination.check()
    try read(parsed.operands, into: &importer)
    try write(importer, to: destination, parsed)
  }

  private static func read(_ paths: [String], into importer: inout Importer) throws {
    for path in paths {
      let source = try ByteSource(path: path)
      var progress = Progress(total: source.size)
      defer { progress.clear() }
      try importer.read(source) { progress.update($0) }
    }
  }

  private static func write(
    _ importer: consuming Importer, to destination: Destination, _ parsed: ParsedOptions
  ) throws {
    guard case .file(let path) = destination else {
      var bytes: [UInt8] = []
      let report = try importer.finish { (piece) throws(ImportFault) in bytes += piece }
      try close(report, parsed)
      return try destination.writeInPlace(bytes)
    }
    var file = ReplacedFile(path: path)
    let report = try importer.finish { (piece) throws(ImportFault) in try file.write(piece) }
    try close(report, parsed)
    try file.commit()
    Output.note("written to \(path)\n")
  }

  /// Prints the report; throws where nothing is to be written.
  private static func close(_ report: ImportReport, _ parsed: ParsedOptions) throws {
    Output.note(report.text)
    guard report.written > 0 else {
      throw Failure(ExitCode.badData, "no usable row, nothing is written")
    }
    guard !parsed.has("strict") || report.rejected == 0 else {
      throw Failure(
        ExitCode.badData, "\(report.rejected) rows rejected, nothing is written (--strict)")
    }
  }

  private static func settings(_ parsed: ParsedOptions) throws -> ImportSettings {
    var settings = ImportSettings()
    if let preset = parsed.value("preset") {
      try Preset.load(preset, folders: PresetFolders.all, into: &settings)
    }
    var replaced: Set<ImportSettings.FieldName> = []
    let names = Dictionary(
      uniqueKeysWithValues: settingOptions.map { ($0.option.name, $0.setting) })
    for (option, value) in parsed.options {
      if option == "merge" { settings.merging = .places }
      guard let name = names[option] else { continue }
      // An option takes the place of the preset's sources.
      if let field = ImportSettings.FieldName(rawValue: name.lowercased()),
        replaced.insert(field).inserted
      {
        settings.fields[field] = nil
      }
      do {
        try settings.set(name, value ?? "yes")
      } catch {
        throw Failure(ExitCode.usage, "--\(option): \(error)")
      }
    }
    return settings
  }
}
