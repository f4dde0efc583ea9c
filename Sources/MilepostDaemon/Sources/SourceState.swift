/// How a source of fixes is doing.
package enum SourceState: String, CaseIterable, Sendable {
  /// gpsd does not answer, or the FIFO cannot be read.
  case unreachable
  /// gpsd answers and has no receiver open.
  case noDevice = "no-device"
  /// There is a receiver, or a writer may come, and no usable fix yet or no longer.
  case noFix = "no-fix"
  /// A usable fix came within MaxGap.
  case fix
  /// There was one, and nothing usable came since, for longer than MaxGap.
  case stale

  /// The catalog's key of the journal line that announces this state.
  package var messageID: String {
    switch self {
    case .unreachable: "56652fbec46b4fb0a27aa137733540a3"
    case .noDevice: "5bfc4b7495d24b0387ed4c1c37064ec1"
    case .noFix: "7921c93e21bb44a0bfeddedeaf03c8e0"
    case .fix: "15c2d8c83b324d3197b64a2d45251d92"
    case .stale: "a53ef5b280944464859e6534a01ed0ff"
    }
  }
}

/// A lasting change of a source's state: one line for the journal.
package struct SourceStateChange: Equatable, Sendable {
  package var state: SourceState
  /// The state announced before; nil for the first.
  package var previous: SourceState?
  /// One readable line.
  package var message: String

  package init(state: SourceState, previous: SourceState?, message: String) {
    self.state = state
    self.previous = previous
    self.message = message
  }

  package var messageID: String { state.messageID }

  /// Syslog's level: 5 (notice) for a fix and while waiting for the first, 4 (warning) for a loss
  /// and for what somebody has to mend.
  package var priority: Int {
    switch state {
    case .fix: 5
    case .noFix: previous == .fix ? 4 : 5
    case .unreachable, .noDevice, .stale: 4
    }
  }
}

extension SourceStateChange {
  /// The journal's line, with its MESSAGE_ID and the state as `MILEPOST_SOURCE_STATE`.
  package var logEntry: LogEntry {
    LogEntry(
      priority: priority, message: message,
      fields: [
        .init("MESSAGE_ID", messageID), .init("MILEPOST_SOURCE_STATE", state.rawValue),
      ])
  }
}
