package import SystemdKit

/// Runs hooks as processes: `HOOK enter|exit FENCE-ID`, the event's JSON on stdin, output to the journal.
///
/// The JSON is in sealed memory that is the hook's stdin: nothing is written while it runs, so a hook
/// that reads late, or not at all, holds up nothing. `/dev/stdin` can be opened, unlike with a socket.
package final class HookProcessSpawner: HookSpawner {
  private let loop: EventLoop
  private let policy: HookPolicy
  private let permissions: HookPermissions
  private let log: (LogEntry) -> Void
  private var open: [ObjectIdentifier: RunningHook] = [:]

  package init(
    loop: EventLoop, policy: HookPolicy, permissions: HookPermissions = HookPermissions(),
    log: @escaping (LogEntry) -> Void
  ) {
    self.loop = loop
    self.policy = policy
    self.permissions = permissions
    self.log = log
  }

  package func start(
    _ run: HookRun, ended: @escaping (HookOutcome) -> Void
  ) throws -> any HookProcess {
    // The file may have changed since the directory was read.
    try permissions.verify(run.hook.path)
    let running = try RunningHook(run, as: Self.spawn(run), loop, policy, log: log, ended: ended)
    let key = ObjectIdentifier(running)
    open[key] = running
    running.closed = { [weak self] in self?.open[key] = nil }
    return running
  }

  package func closeOutput() {
    for running in open.values { running.close() }
  }

  /// What a hook is started as.
  static func spawn(_ run: HookRun) -> Spawn {
    var environment = [(name: "PATH", value: plainPath)]
    environment += run.event.environment.map { ($0.name, $0.value) }
    if run.attempt > 1 { environment.append(("MILEPOST_ATTEMPT", "\(run.attempt)")) }
    return Spawn(
      executable: run.hook.path,
      arguments: [run.hook.path, run.event.kind.rawValue, run.event.fenceID],
      environment: environment)
  }

  private static let plainPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
}
