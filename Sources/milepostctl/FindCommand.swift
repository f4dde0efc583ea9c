import Geodesy
import MarkerImport
import Milepost
import Options

/// `milepostctl find`: the milepost of a road that is nearest in mileage.
enum FindCommand {
  static let usage = """
    usage: milepostctl find [OPTION]... ROAD MILEAGE

    Prints the milepost of ROAD nearest to MILEAGE, at most 2 km of mileage away. A bare number is in the
    road's own unit. Options come before ROAD.

      --markers FILE      look in FILE instead of the configured marker files; may be repeated
      --config FILE       take the marker files from FILE (default /etc/milepostd/milepostd.conf)
      --category NAME     only roads of this category, as 國道
      --carriageway NAME  only mileposts of this carriageway, and those that serve all
      --tie smaller|larger  of two equally near ones (default smaller)
      --all               print all mileposts of that mileage, not the first alone
      --json              print one JSON object a line
      --help              print this

    Exit status: 0 found, 1 not found.

    """

  static let options =
    MarkersOption.options + [
      CommandOption("category", .required), CommandOption("carriageway", .required),
      CommandOption("tie", .required), CommandOption("all"), CommandOption("json"),
      CommandOption("help"),
    ]

  static func run(arguments: [String]) -> Int32 {
    CommandRun.run {
      let parsed = try OptionParser(options, stopsAtFirstOperand: true).parse(arguments)
      if parsed.has("help") {
        try Output.tell(usage)
        return
      }
      guard parsed.operands.count == 2 else {
        throw Failure(ExitCode.usage, "find: ROAD and MILEAGE, after the options")
      }
      try find(parsed.operands[0], parsed.operands[1], parsed)
    }
  }

  private static func find(_ name: String, _ text: String, _ parsed: ParsedOptions) throws {
    guard let tie = RoadBook.Road.Tie(rawValue: parsed.value("tie") ?? "smaller") else {
      throw Failure(ExitCode.usage, "--tie: use smaller or larger")
    }
    let road = try road(name, parsed)
    let asked: Mileage
    do {
      asked = try MileageParser(bareUnit: road.notation == .miles ? .miles : .kilometres).parse(
        text)
    } catch {
      throw Failure(ExitCode.usage, "\(error)")
    }
    let found = road.nearest(to: asked, tie: tie, carriageway: parsed.value("carriageway"))
    guard !found.isEmpty else {
      throw Failure(ExitCode.failed, "\(road.name) \(asked): no milepost within 2 km")
    }
    let shown = parsed.has("all") ? found[...] : found.prefix(1)
    for fence in shown {
      try Output.tell(parsed.has("json") ? json(fence, asked) : line(fence))
    }
    if shown.count < found.count { Output.note("\(found.count - shown.count) more: --all\n") }
  }

  private static func road(_ name: String, _ parsed: ParsedOptions) throws -> RoadBook.Road {
    let book = try MarkersOption.book(parsed)
    let category = parsed.value("category")
    let roads = book.roads(named: name, category: category)
    if roads.count > 1 {
      let lines = roads.map { "\n  \($0.category ?? "(none)"): \($0.fences.count) mileposts" }
      throw Failure(
        ExitCode.failed, "\(name) is in several categories (use --category):" + lines.joined())
    }
    if let road = roads.first { return road }
    let others = book.roads(named: name).map { $0.category ?? "(none)" }
    if let category, !others.isEmpty {
      throw Failure(
        ExitCode.failed,
        "\(name) is not in the category \(category), but in \(others.joined(separator: ", "))")
    }
    throw Failure(
      ExitCode.failed,
      "road \(name) is unknown; the closest are \(book.namesLike(name).joined(separator: ", "))")
  }

  /// `國道5號 15K+200  24.8581 121.7714  順向`
  private static func line(_ fence: Geofence) -> String {
    guard let milepost = fence.milepost else { return "" }
    let words = [milepost.section, milepost.carriageway, milepost.name].compactMap { $0 }
    return "\(milepost.road) \(milepost.mileage)  "
      + "\(decimalText(fence.centre.latitude, places: 7)) "
      + "\(decimalText(fence.centre.longitude, places: 7))"
      + (words.isEmpty ? "" : "  " + words.joined(separator: " ")) + "\n"
  }

  private static func json(_ fence: Geofence, _ asked: Mileage) -> String {
    guard let milepost = fence.milepost else { return "" }
    let off = Mileage(micrometres: milepost.mileage.micrometres(since: asked))
    var json = JSONText()
    json.object {
      $0.member("id", fence.id)
      $0.member("road", milepost.road)
      $0.member("category", milepost.category)
      $0.member("section", milepost.section)
      $0.member("carriageway", milepost.carriageway)
      $0.member("mileage", milepost.mileage.description)
      $0.raw("mileage_m", milepost.mileage.metresText)
      $0.raw("off_m", off.metresText)
      $0.member("plate", milepost.plate)
      $0.member("name", milepost.name)
      $0.member("latitude", fence.centre.latitude, places: 9)
      $0.member("longitude", fence.centre.longitude, places: 9)
    }
    return json.text + "\n"
  }
}
