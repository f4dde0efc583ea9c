import MarkerImport
import Options

/// Runs a command's body and turns what it throws into a line on standard error and an exit code.
enum CommandRun {
  static func run(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return ExitCode.done
    } catch let failure as Failure {
      Output.complain(failure.message)
      return failure.code
    } catch let fault as ImportFault {
      Output.complain(fault.description)
      switch fault.kind {
      case .usage: return ExitCode.usage
      case .data: return ExitCode.badData
      case .inputOutput: return ExitCode.inputOutput
      }
    } catch let error as UsageError {
      Output.complain("\(error)")
      return ExitCode.usage
    } catch {
      Output.complain("\(error)")
      return ExitCode.failed
    }
  }
}
