/// How a process ended.
package enum ChildStatus: Equatable, Sendable, CustomStringConvertible {
  case exited(Int32)
  case signalled(Int32)

  package var isSuccess: Bool { self == .exited(0) }

  /// `exited with code 3`, `killed by signal 9`.
  package var description: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signalled(let signal): "killed by signal \(signal)"
    }
  }
}
