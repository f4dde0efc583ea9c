import Geodesy
import MarkerImport
import Milepost
import Options

/// `milepostctl roads`: the roads of the marker files, with count and range.
enum RoadsCommand {
  static let usage = """
    usage: milepostctl roads [OPTION]...

    Lists the roads of the marker files: name, category, number of mileposts, first and last mileage.

      --markers FILE   look in FILE instead of the configured marker files; may be repeated
      --config FILE    take the marker files from FILE (default /etc/milepostd/milepostd.conf)
      --category NAME  only roads of this category
      --json           print one JSON object a line
      --help           print this

    """

  static let options =
    MarkersOption.options + [
      CommandOption("category", .required), CommandOption("json"), CommandOption("help"),
    ]

  static func run(arguments: [String]) -> Int32 {
    CommandRun.run {
      let parsed = try OptionParser(options).parse(arguments)
      if parsed.has("help") {
        try Output.tell(usage)
        return
      }
      guard parsed.operands.isEmpty else {
        throw Failure(ExitCode.usage, "roads: takes options alone (find looks up a road)")
      }
      for road in try roads(parsed) {
        try Output.tell(parsed.has("json") ? json(road) : line(road))
      }
      for shared in try MarkersOption.shared(parsed) { Output.complain("\(shared)") }
    }
  }

  private static func roads(_ parsed: ParsedOptions) throws -> [RoadBook.Road] {
    let all = try MarkersOption.book(parsed).roads
    guard let category = parsed.value("category") else { return all }
    let found = all.filter { $0.category == category }
    guard found.isEmpty else { return found }
    let others = Set(all.map { $0.category ?? "(none)" }).sorted().joined(separator: ", ")
    throw Failure(ExitCode.failed, "no road is in the category \(category), but in \(others)")
  }

  private static func line(_ road: RoadBook.Road) -> String {
    let (first, last) = ends(road)
    return "\(road.name)\t\(road.category ?? "-")\t\(road.fences.count)\t\(first)\t\(last)\n"
  }

  private static func json(_ road: RoadBook.Road) -> String {
    let (first, last) = ends(road)
    var json = JSONText()
    json.object {
      $0.member("road", road.name)
      $0.member("category", road.category)
      $0.member("mileposts", Int64(road.fences.count))
      $0.member("first", first)
      $0.member("last", last)
    }
    return json.text + "\n"
  }

  private static func ends(_ road: RoadBook.Road) -> (String, String) {
    (
      road.fences.first?.milepost?.mileage.description ?? "",
      road.fences.last?.milepost?.mileage.description ?? ""
    )
  }
}
