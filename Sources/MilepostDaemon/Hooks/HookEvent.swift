/// A recorded event as hooks get it.
package struct HookEvent: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case enter
    case exit
  }

  /// An environment variable.
  package struct Variable: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The event's id, unique for ever.
  package let id: String
  package let kind: Kind
  package let fenceID: String
  /// The event as one JSON line, for the hook's stdin.
  package let json: [UInt8]
  /// `MILEPOST_EVENT` and the others.
  package let environment: [Variable]
  /// When it was recorded, on this boot's CLOCK_BOOTTIME, ms, which may be before the boot; nil where
  /// that cannot be told before the first usable fix.
  package let recordedAtMS: Int64?

  package init(
    id: String, kind: Kind, fenceID: String, json: [UInt8], environment: [Variable],
    recordedAtMS: Int64?
  ) {
    self.id = id
    self.kind = kind
    self.fenceID = fenceID
    self.json = json
    self.environment = environment
    self.recordedAtMS = recordedAtMS
  }
}

/// A hook: an executable of the hook directory.
package struct Hook: Equatable, Sendable {
  /// The file's name; its output's SYSLOG_IDENTIFIER.
  package let name: String
  package let path: String

  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}

/// One run of a hook for one event.
package struct HookRun: Equatable, Sendable {
  package let hook: Hook
  package let event: HookEvent
  /// 1 for the first one.
  package let attempt: Int

  package init(hook: Hook, event: HookEvent, attempt: Int) {
    self.hook = hook
    self.event = event
    self.attempt = attempt
  }
}

/// How a run ended.
package enum HookOutcome: Equatable, Sendable {
  case success
  /// Why, as in `exited with code 3`.
  case failure(String)
  /// It could not be started; why. No attempt where no hook can be looked at.
  case notStarted(String)
}
