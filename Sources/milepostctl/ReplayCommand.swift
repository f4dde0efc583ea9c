import Configuration
import FixFormats
import Glibc
import MarkerFiles
import Milepost
import Options

/// `milepostctl replay`: recorded fixes in, one event a line out.
enum ReplayCommand {
  static let usage = """
    usage: milepostctl replay [OPTION]... [FILE|-]

    Reads fixes (gpsd's TPV JSON, NMEA or CSV, line by line) from FILE or standard input and prints
    the events that milepostd would announce, one JSON object a line.

      --config FILE    take [Filter] and [Fences] from FILE (default /etc/milepostd/milepostd.conf)
      --markers FILE   read mileposts from FILE instead of the configured ones; may be repeated
      --radius LENGTH  radius of mileposts without one of their own, as 40m
      --jitter LENGTH  ignore fixes that moved no more than this, as 15m
      --help           print this

    """

  static let options = [
    CommandOption("config", .required), CommandOption("markers", .required),
    CommandOption("radius", .required), CommandOption("jitter", .required), CommandOption("help"),
  ]

  static func run(arguments: [String]) -> Int32 {
    do {
      let parsed = try OptionParser(options).parse(arguments)
      if parsed.has("help") {
        try Output.tell(usage)
        return ExitCode.done
      }
      guard parsed.operands.count <= 1 else {
        throw Failure(ExitCode.usage, "replay: one FILE, or - for standard input")
      }
      var replay = Replay(try ReplaySetup(parsed))
      var input = try Input(path: parsed.operands.first ?? "-")
      return try replay.run(&input)
    } catch let failure as Failure {
      Output.complain(failure.message)
      return failure.code
    } catch {
      Output.complain("\(error)")
      return ExitCode.usage
    }
  }
}
