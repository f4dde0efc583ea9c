import Glibc
import Options

let usage = """
  usage: milepostctl COMMAND [OPTION]...

    replay    print the events of recorded fixes
    import    turn a road agency's file into a marker file
    find      find a milepost by road and mileage
    roads     list the roads of the marker files

  milepostctl COMMAND --help explains a command; --version prints the version.

  """

func run(_ arguments: [String]) -> Int32 {
  switch arguments.first {
  case "replay": return ReplayCommand.run(arguments: Array(arguments.dropFirst()))
  case "import": return ImportCommand.run(arguments: Array(arguments.dropFirst()))
  case "find": return FindCommand.run(arguments: Array(arguments.dropFirst()))
  case "roads": return RoadsCommand.run(arguments: Array(arguments.dropFirst()))
  case "--help", "-h":
    return CommandRun.run { try Output.tell(usage) }
  case "--version":
    return CommandRun.run { try Output.tell("milepostctl \(version)\n") }
  case let command:
    Output.complain(command.map { "unknown command \($0)" } ?? "a command is missing")
    Output.note(usage)
    return ExitCode.usage
  }
}

StandardStreams.fillClosed()
StandardStreams.outliveFileLimit()
exit(run(Array(CommandLine.arguments.dropFirst())))
