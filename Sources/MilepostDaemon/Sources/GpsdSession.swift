package import FixFormats
internal import Milepost

/// The conversation with a gpsd, without the sockets: what happens goes in, what is to be done comes out.
///
/// Times are milliseconds of CLOCK_BOOTTIME and never run backwards. After each input ask
/// ``nextDeadline(after:)`` and call ``tick(at:)`` then.
///
/// A connection counts as gpsd's from its first well-formed report on: a server that says something else
/// is dropped like a silent one. TPVs themselves are the owner's to use.
package struct GpsdSession {
  /// Time-outs in milliseconds.
  package struct Timing: Equatable, Sendable {
    package var resolving: Int64 = 10_000
    package var connecting: Int64 = 5_000
    /// From connecting to the first report: a gpsd may take 4 s, a stopped one accepts for ever.
    package var firstReport: Int64 = 15_000
    /// Without a report for so long, gpsd is asked.
    package var silence: Int64 = 30_000
    package var answer: Int64 = 15_000
    package var firstRetry: Int64 = 500
    package var longestRetry: Int64 = 30_000
    package var maxGap: Int64 = 10_000
    package var patience = StateAnnouncer.Patience()

    package init() {}
  }

  package enum Action: Equatable {
    /// Find the addresses, then ``resolved(_:at:)`` or ``failed(_:at:)``.
    case resolve
    /// Connect to the address of this index, then ``connected(at:)`` or ``failed(_:at:)``.
    case connect(Int)
    /// Send this in one write.
    case send(String)
    /// Give up what is being resolved, connected or read.
    case close
    case announce(SourceStateChange)
  }

  package static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"
  package static let question = "?DEVICES;\n"

  private struct Connection {
    var opened: Int64
    var lastReport: Int64?
    var asked: Int64?
  }

  private enum Phase {
    case idle
    case waiting(until: Int64)
    case resolving(until: Int64)
    case connecting(index: Int, until: Int64)
    case open(Connection)
  }

  private let timing: Timing
  private let endpoint: String
  private var phase = Phase.idle
  private var addressCount = 0
  private var backoff: Backoff
  private var freshness: FixFreshness
  private var announcer: StateAnnouncer
  /// Paths of the open receivers, no more than can be told apart; nil before gpsd has said.
  private var devices: Set<String>?
  private var heardTPV = false
  /// Why it is not reached; nil before the first failure, while nothing is to be said of it.
  private var lastFailure: String?
  /// `3.22, protocol 3.14`: noted, never a reason to refuse.
  package private(set) var version: String?

  /// A session not yet started. `endpoint` is for the messages (`127.0.0.1:2947`), `seed` of the
  /// backoff's jitter.
  package init(endpoint: String, timing: Timing = Timing(), seed: UInt64) {
    self.endpoint = endpoint
    self.timing = timing
    backoff = Backoff(first: timing.firstRetry, limit: timing.longestRetry, seed: seed)
    freshness = FixFreshness(maxGap: timing.maxGap)
    announcer = StateAnnouncer(patience: timing.patience)
  }
}

// MARK: Inputs

extension GpsdSession {
  package mutating func start(at now: Int64) -> [Action] {
    begin(at: now) + settle(at: now)
  }

  /// Ends the conversation; nothing is announced.
  package mutating func stop() -> [Action] {
    defer { phase = .idle }
    switch phase {
    case .idle, .waiting: return []
    case .resolving, .connecting, .open: return [.close]
    }
  }

  package mutating func resolved(_ count: Int, at now: Int64) -> [Action] {
    guard case .resolving = phase else { return [] }
    guard count > 0 else { return failed("no address", at: now) }
    addressCount = count
    return connect(to: 0, at: now) + settle(at: now)
  }

  package mutating func connected(at now: Int64) -> [Action] {
    guard case .connecting = phase else { return [] }
    phase = .open(Connection(opened: now))
    return [.send(Self.watch)] + settle(at: now)
  }

  /// The name could not be resolved, the connection not be made, or it ended. All is closed already.
  package mutating func failed(_ reason: String, at now: Int64) -> [Action] {
    switch phase {
    case .idle, .waiting: return []
    case .connecting(let index, _) where index + 1 < addressCount:
      lastFailure = reason
      return connect(to: index + 1, at: now) + settle(at: now)
    case .resolving, .connecting, .open:
      retry(reason, at: now)
      return settle(at: now)
    }
  }

  package mutating func received(_ report: GpsdReport, at now: Int64) -> [Action] {
    guard case .open(var connection) = phase else { return [] }
    if case .malformed = report { return [] }
    connection.lastReport = now
    connection.asked = nil
    phase = .open(connection)
    take(report)
    return settle(at: now)
  }

  /// A fix of this connection was usable.
  package mutating func usableFix(at now: Int64) -> [Action] {
    guard isOpen else { return [] }
    backoff.reset()
    freshness.usable(at: now)
    return settle(at: now)
  }

  package mutating func setMaxGap(_ maxGap: Int64, at now: Int64) -> [Action] {
    freshness.maxGap = maxGap
    return settle(at: now)
  }

  package mutating func tick(at now: Int64) -> [Action] {
    expire(at: now) + settle(at: now)
  }

  /// When ``tick(at:)`` is due; nil for never.
  package func nextDeadline(after now: Int64) -> Int64? {
    if case .idle = phase { return nil }
    let fresh = isReady ? freshness.deadline(after: now) : nil
    return Deadline.earlier(Deadline.earlier(phaseDeadline, fresh), announcer.deadline)
  }
}

// MARK: State

extension GpsdSession {
  package var isOpen: Bool {
    if case .open = phase { true } else { false }
  }

  /// Whether gpsd answers on this connection.
  private var isReady: Bool {
    if case .open(let connection) = phase { connection.lastReport != nil } else { false }
  }

  package func state(at now: Int64) -> SourceState {
    guard isReady else { return .unreachable }
    if let devices, devices.isEmpty, !heardTPV { return .noDevice }
    return freshness.state(at: now)
  }

  private mutating func take(_ report: GpsdReport) {
    switch report {
    case .tpv(let fix):
      heardTPV = true
      if fix.mode < 2 { freshness.withoutFix() }
    case .version(let release, let major, let minor):
      version = "\(release.prefix(64)), protocol \(major).\(minor)"
    case .devices(let list):
      devices = Set(list.filter(\.activated).map(\.path))
      heardTPV = false
    case .device(let device):
      if device.activated {
        guard devices?.count ?? 0 < DeviceTable.capacity else { return }
        devices = (devices ?? []).union([device.path])
      } else {
        devices?.remove(device.path)
        heardTPV = false
      }
    case .watch, .error, .other, .malformed: break
    }
  }

  private mutating func settle(at now: Int64) -> [Action] {
    if case .idle = phase { return [] }
    // The first attempt may take its time.
    guard isReady || lastFailure != nil else { return [] }
    guard let announcement = announcer.update(state(at: now), at: now) else { return [] }
    return [
      .announce(
        SourceStateChange(
          state: announcement.state, previous: announcement.previous,
          message: message(for: announcement)))
    ]
  }

  private func message(for announcement: StateAnnouncer.Announcement) -> String {
    let gpsd = "gpsd \(endpoint)"
    let lost = announcement.previous == .fix
    switch announcement.state {
    case .unreachable:
      return lost
        ? "\(gpsd) lost: \(lastFailure ?? ""); reconnecting"
        : "\(gpsd) cannot be reached: \(lastFailure ?? ""); trying again until it answers"
    case .noDevice:
      return lost
        ? "fix lost: \(gpsd) has no receiver any more"
        : "\(gpsd) has no receiver open, waiting for one"
    case .noFix:
      return lost
        ? "fix lost: the receiver of \(gpsd) gives no position"
        : "\(gpsd) answers, waiting for a usable fix"
    case .stale:
      let limit = Duration.milliseconds(freshness.maxGap).components.seconds
      return "fix lost: nothing usable from \(gpsd) for \(limit) s, its last fix is kept"
    case .fix:
      let from = version.map { "\(gpsd) (\($0))" } ?? gpsd
      guard let lostFor = announcement.lostFor else { return "fix from \(from)" }
      return "fix restored after \(lostFor / 1_000) s from \(from)"
    }
  }
}

// MARK: Phases

extension GpsdSession {
  private var phaseDeadline: Int64? {
    switch phase {
    case .idle: nil
    case .waiting(let until), .resolving(let until), .connecting(_, let until): until
    case .open(let connection): deadline(of: connection)
    }
  }

  private func deadline(of connection: Connection) -> Int64 {
    if let asked = connection.asked { return asked + timing.answer }
    return connection.lastReport.map { $0 + timing.silence }
      ?? connection.opened + timing.firstReport
  }

  private mutating func begin(at now: Int64) -> [Action] {
    phase = .resolving(until: now + timing.resolving)
    return [.resolve]
  }

  private mutating func connect(to index: Int, at now: Int64) -> [Action] {
    phase = .connecting(index: index, until: now + timing.connecting)
    return [.connect(index)]
  }

  private mutating func retry(_ reason: String, at now: Int64) {
    lastFailure = reason
    freshness.reset()
    devices = nil
    heardTPV = false
    version = nil
    phase = .waiting(until: now + backoff.next())
  }

  private mutating func expire(at now: Int64) -> [Action] {
    guard let deadline = phaseDeadline, now >= deadline else { return [] }
    switch phase {
    case .idle: return []
    case .waiting: return begin(at: now)
    case .resolving:
      return drop("its name is not resolved within \(Self.seconds(timing.resolving))", at: now)
    case .connecting:
      return drop("no connection within \(Self.seconds(timing.connecting))", at: now)
    case .open(var connection):
      if connection.lastReport == nil {
        let limit = Self.seconds(timing.firstReport)
        return drop("connected, but no word of gpsd within \(limit)", at: now)
      }
      if connection.asked != nil {
        let silent = timing.silence + timing.answer
        return drop("silent for \(Self.seconds(silent))", at: now)
      }
      connection.asked = now
      phase = .open(connection)
      return [.send(Self.question)]
    }
  }

  private mutating func drop(_ reason: String, at now: Int64) -> [Action] {
    [.close] + failed(reason, at: now)
  }

  private static func seconds(_ milliseconds: Int64) -> String { "\(milliseconds / 1_000) s" }
}
