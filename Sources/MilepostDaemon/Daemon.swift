import Configuration
import EventStore
import Glibc
import Milepost
import SystemdKit

/// The daemon: one loop from the source's fixes to the journal and the hooks.
package final class Daemon {
  /// The signals that the loop handles; to be blocked before anything else is done.
  package static let signals = [SIGTERM, SIGINT, SIGHUP, SIGUSR1]

  /// Lines about one load that are logged; `--check` prints all.
  private static let linesAtOnce = 10
  /// Of so many events of earlier runs the direction of travel is gathered.
  private static let resumedEvents: Int64 = 256
  /// A hook directory that cannot be looked at is tried again after so long.
  private static let lookAgainMS: Int64 = 5_000

  private let configuration: String
  private let mayBeAbsent: Bool
  private let log: Log
  private let loop: EventLoop
  private var setup: Setup
  /// Fences held at the last run's end that no marker file has any more: left at the first fix.
  private var orphans: [Geofence]
  private var engine: Engine
  private var recorder: EventRecorder
  private let source: any FixSource
  private let publisher: EventPublisher
  private let outbox: StoreOutbox
  private let hooks: HookRunner
  private var hookDirectory: HookDirectory
  private var nextLook: TimerSource?
  private var signalSources: [SignalSource] = []
  private var status: StatusReporter?
  private var isStopping = false

  /// Where `mayBeAbsent`, a configuration file that is not there means the defaults.
  /// - Throws: `SetupError`, `StoreError`, `SourceError` or `SystemError`, each with its lines.
  package init(configuration: String, mayBeAbsent: Bool, log: Log) throws {
    self.configuration = configuration
    self.mayBeAbsent = mayBeAbsent
    self.log = log
    setup = try Setup(configuration: configuration, mayBeAbsent: mayBeAbsent)
    loop = try EventLoop()
    let settings = setup.settings
    let host = EventStore.Host(
      machineID: HostID.machine ?? "", bootID: HostID.boot ?? Self.randomID())
    let store = try EventStore(
      path: settings.events.database, host: host, now: Clock.bootTimeMS,
      wall: Timestamp(milliseconds: Clock.realTimeMS), randomID: Self.randomID)
    publisher = try EventPublisher(
      loop: loop, store: store, log: log, keepMS: settings.events.keepMS,
      maxBytes: settings.events.maxBytes)
    outbox = StoreOutbox(store: store, bootID: host.bootID)
    source = try SourceFactory.source(settings, loop: loop)
    orphans = Self.orphans(of: store, among: setup.fences)
    engine = Engine(
      settings: Self.engineSettings(settings, source),
      fences: Self.fences(setup.fences, and: orphans), start: store.start.trackerStart)
    recorder = EventRecorder()
    recorder.resume(
      after: store.newestEvents(Self.resumedEvents).map { EventRecorder.Earlier($0) },
      fences: setup.fences, timeline: engine.timeline)
    hooks = try HookRunner(loop: loop, policy: settings.hooks.policy, outbox: outbox) {
      log.write($0)
    }
    hookDirectory = HookDirectory(path: settings.hooks.directory)
  }

  /// Runs until SIGTERM or SIGINT. Returns the exit code.
  package func run() throws -> Int32 {
    _ = try loop.enableWatchdog()
    try handleSignals()
    status = try StatusReporter(loop: loop) { [unowned self] in statusLine }
    source.onFix = { [unowned self] fix, receipt in take(fix, receipt) }
    source.onStateChange = { [unowned self] change in
      log.write(change.logEntry)
      status?.changed()
    }
    nextLook = try loop.addTimer { [unowned self] in lookForHooks() }
    hooks.onStartFailure = { [unowned self] in lookForHooks() }
    warnOfSetup()
    lookForHooks()
    publisher.service()
    try source.start()
    _ = try Notifier.ready(status: statusLine)
    Heap.trim()
    return try loop.run()
  }

  // MARK: From a fix to its events

  private func take(_ fix: Fix, _ receipt: Receipt) {
    let observation = engine.observe(fix, receipt: receipt)
    guard observation.verdict == .usable, let usable = engine.lastUsable else { return }
    source.noteUsableFix()
    status?.changed()
    if outbox.firstFix == nil {
      outbox.firstFix = .init(time: usable.time, bootMS: receipt.boot)
      hooks.wake()
    }
    announce(observation.transitions, of: engine.fences, with: usable)
    if observation.accepted, !orphans.isEmpty { leaveOrphans(usable) }
  }

  private func leaveOrphans(_ fix: UsableFix) {
    orphans = []
    let fences = engine.fences
    let exits = engine.reload(
      settings: Self.engineSettings(setup.settings, source), fences: setup.fences)
    announce(exits, of: fences, with: fix)
  }

  private func announce(
    _ transitions: [Transition], of fences: FenceSet, with fix: UsableFix
  ) {
    guard !transitions.isEmpty else { return }
    let events = recorder.record(
      transitions, fix: fix, fences: fences, timeline: engine.timeline)
    lookForHooks()
    let runOnInitial = setup.settings.hooks.runOnInitial
    publisher.publish(events, held: engine.tracker.heldFences, fix: fix) { event in
      event.cause != .initial || runOnInitial
    }
    hooks.wake()
  }

  /// A hook put into the directory counts from the next event on, without a reload. While the directory
  /// cannot be looked at, none runs, and none loses its deliveries.
  private func lookForHooks() {
    let listing = hookDirectory.list(now: Clock.bootTimeMS)
    for refusal in listing.news { log.warning("\(refusal), ignoring") }
    guard let found = listing.hooks else {
      hooks.hold()
      // Fails for want of memory only; the next event looks again.
      try? nextLook?.arm(atMS: Clock.bootTimeMS + Self.lookAgainMS)
      return
    }
    hooks.setHooks(found)
  }

  // MARK: Signals

  private func handleSignals() throws {
    let stop: () -> Void = { [unowned self] in self.stop() }
    signalSources = [
      try loop.addSignal(SIGTERM, handler: stop),
      try loop.addSignal(SIGINT, handler: stop),
      try loop.addSignal(SIGHUP) { [unowned self] in reload() },
      try loop.addSignal(SIGUSR1) { [unowned self] in logCounters() },
    ]
  }

  private func stop() {
    guard !isStopping else { return }
    isStopping = true
    _ = try? Notifier.stopping(status: "stopping")
    source.stop()
    hooks.stop { [unowned self] in
      publisher.end(
        held: engine.lastUsable == nil ? nil : engine.tracker.heldFences,
        lastFix: engine.lastUsable)
      logCounters()
      loop.exit(0)
    }
  }

  private func reload() {
    guard !isStopping else { return }
    _ = try? Notifier.reloading()
    do {
      apply(try Setup(configuration: configuration, mayBeAbsent: mayBeAbsent))
    } catch {
      logFirst(error.lines, "error") { log.error($0, id: MessageID.reloadFailed) }
      log.error("reload failed, the old configuration stays", id: MessageID.reloadFailed)
    }
    _ = try? Notifier.ready(status: statusLine)
  }

  private func apply(_ new: Setup) {
    for key in Configuration.restartNeeded(from: setup.settings, to: new.settings) {
      log.warning("\(key) has changed: that needs a restart")
    }
    let oldFences = engine.fences
    setup = new
    let exits = engine.reload(
      settings: Self.engineSettings(new.settings, source),
      fences: Self.fences(new.fences, and: orphans))
    hookDirectory.move(to: new.settings.hooks.directory)
    hooks.setPolicy(new.settings.hooks.policy)
    source.setMaxGap(new.settings.filter.maxGapMS)
    publisher.setRetention(
      keepMS: new.settings.events.keepMS, maxBytes: new.settings.events.maxBytes)
    warnOfSetup()
    log.notice("reloaded: \(new.summary)", id: MessageID.reloaded)
    lookForHooks()
    if let usable = engine.lastUsable { announce(exits, of: oldFences, with: usable) }
    Heap.trim()
  }

  private func warnOfSetup() {
    logFirst(setup.warnings, "warning") { log.warning($0) }
    if setup.fences.fences.isEmpty {
      log.warning(
        "no mileposts: put marker files into \(setup.settings.fences.markers.joined(separator: " "))"
          + " and reload (milepostctl import makes them of a road agency's file)",
        id: MessageID.noMileposts)
    }
  }

  /// A file of nothing but faults must neither fill the journal nor hold up the loop.
  private func logFirst(_ lines: [String], _ noun: String, log: (String) -> Void) {
    lines.prefix(Self.linesAtOnce).forEach(log)
    let rest = lines.count - Self.linesAtOnce
    if rest > 0 { log("and \(countText(rest, "more \(noun)")): milepostd --check") }
  }

  private func logCounters() {
    let counters = Counters(
      source: source.counters, verdicts: engine.gate.counts, accepted: engine.acceptedCount,
      events: recorder.lastSequence, hooks: hooks.counters)
    log.notice(counters.text, id: MessageID.counters)
  }

  // MARK: Parts

  private var statusLine: String {
    let nearest = engine.lastUsable.flatMap { engine.fences.index.nearest(to: $0.point) }
    return StatusLine(
      source: source.name, state: source.state, fences: engine.fences.fences.count,
      held: engine.tracker.heldCount,
      nearest: nearest.map { (engine.fences[$0.fence].placeName, $0.distance) },
      fixes: engine.gate.counts[.usable], events: recorder.lastSequence
    ).text
  }

  private static func orphans(of store: EventStore, among fences: FenceSet) -> [Geofence] {
    guard let held = store.start.held, !held.isEmpty else { return [] }
    let numbers = fences.numbers(of: held.keys)
    return held.keys.filter { numbers[$0] == nil }.sorted().compactMap {
      store.lastEntered($0, now: Clock.bootTimeMS)
    }
  }

  private static func fences(_ set: FenceSet, and orphans: [Geofence]) -> FenceSet {
    guard !orphans.isEmpty else { return set }
    let present = set.numbers(of: orphans.map(\.id))
    let missing = orphans.filter { present[$0.id] == nil }
    guard !missing.isEmpty else { return set }
    var all = set.fences
    for orphan in missing { all.append(orphan) }
    return FenceSet(all)
  }

  private static func engineSettings(
    _ settings: Settings, _ source: any FixSource
  ) -> Engine.Settings {
    var engine = settings.engine
    engine.gate.device = settings.source.device.map { source.deviceID(named: $0) }
    return engine
  }

  /// 64 random bits as 16 hexadecimal digits.
  private static func randomID() -> String {
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension EventRecorder.Earlier {
  init(_ event: StoredEvent) {
    let travel = event.fields.first { $0.name == "MILEPOST_TRAVEL" }
    self.init(
      kind: event.kind, fence: event.fenceID, time: event.time,
      travel: travel.flatMap { Travel(rawValue: $0.value) })
  }
}

extension Settings.Hooks {
  /// The limits of hook runs.
  var policy: HookPolicy {
    var policy = HookPolicy()
    policy.timeoutMS = timeoutMS
    policy.attempts = attempts
    policy.maxAgeMS = maxAgeMS
    policy.maxRunning = maxRunning
    return policy
  }
}
