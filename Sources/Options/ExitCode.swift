/// What the commands return; source: sysexits.h.
package enum ExitCode {
  package static let done: Int32 = 0
  package static let failed: Int32 = 1
  package static let usage: Int32 = 64
  package static let badData: Int32 = 65
  package static let unavailable: Int32 = 69
  package static let inputOutput: Int32 = 74
  package static let configuration: Int32 = 78
}
