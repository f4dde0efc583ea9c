import EventStore
import MilepostDaemon
import Options
import SystemdKit

/// `milepostd [--config FILE] [--check] [--version] [--help]`
enum DaemonCommand {
  static let defaultConfiguration = "/etc/milepostd/milepostd.conf"
  static let usage = """
    usage: milepostd [OPTION]...

    Reads GPS fixes from gpsd or a FIFO and announces mileposts entered and left, to the journal
    (to standard error where it does not run under systemd) and to hooks.

      --config FILE  read FILE and FILE.d/*.conf (default \(defaultConfiguration))
      --check        check the configuration and marker files, say what is wrong, and end
      --version      print the version
      --help         print this

    Signals: HUP reloads, USR1 logs all counters, TERM and INT stop.

    """

  static func run(_ arguments: [String]) -> Int32 {
    let options = [
      CommandOption("config", .required), CommandOption("check"), CommandOption("version"),
      CommandOption("help"),
    ]
    do {
      let parsed = try OptionParser(options).parse(arguments)
      if parsed.has("help") { return say(usage) }
      if parsed.has("version") { return say("milepostd \(version)\n") }
      if let operand = parsed.operands.first { throw UsageError("unexpected \(operand)") }
      let path = parsed.value("config")
      return parsed.has("check")
        ? check(path ?? defaultConfiguration, mayBeAbsent: path == nil)
        : serve(path ?? defaultConfiguration, mayBeAbsent: path == nil)
    } catch {
      complain("\(error) (milepostd --help)")
      return ExitCode.usage
    }
  }

  private static func check(_ path: String, mayBeAbsent: Bool) -> Int32 {
    do {
      let setup = try Setup(configuration: path, mayBeAbsent: mayBeAbsent)
      for warning in setup.warnings { complain(warning) }
      return say("\(path): good, \(setup.summary)\n")
    } catch {
      for line in error.lines { complain(line) }
      return ExitCode.configuration
    }
  }

  private static func serve(_ path: String, mayBeAbsent: Bool) -> Int32 {
    let log = Log()
    do {
      return try Daemon(configuration: path, mayBeAbsent: mayBeAbsent, log: log).run()
    } catch let error as SetupError {
      for line in error.lines { log.error(line) }
      ListenDescriptors.holdTrigger(until: Daemon.signals)
      return ExitCode.configuration
    } catch let error as StoreError {
      log.error("\(error)")
      return error.exitCode
    } catch {
      log.error("\(error)")
      return ExitCode.inputOutput
    }
  }

  private static func say(_ text: String) -> Int32 {
    print(text, terminator: "")
    return ExitCode.done
  }

  private static func complain(_ text: String) { Log(toJournal: false).error(text) }
}
