/// The limits of hooks, those of the configuration's `[Hooks]` section and the fixed ones.
package struct HookPolicy: Equatable, Sendable {
  /// `Timeout=`: a run that takes longer gets SIGTERM, ms.
  package var timeoutMS: Int64 = 30_000
  /// From SIGTERM to SIGKILL, ms.
  package var killAfterMS: Int64 = 5_000
  /// `Attempts=`: runs for one event before it is given up.
  package var attempts = 5
  /// Wait after the first failure, ms; doubled after each further one.
  package var firstBackoffMS: Int64 = 1_000
  /// The longest wait, ms; not reached by the default of five attempts.
  package var longestBackoffMS: Int64 = 60_000
  /// `MaxAge=`: an event recorded longer ago is not delivered any more, ms.
  package var maxAgeMS: Int64 = 600_000
  /// `MaxRunning=`: hooks that run at one time.
  package var maxRunning = 4
  /// What running hooks get at the daemon's stop before SIGTERM, ms.
  package var stopTerminateAfterMS: Int64 = 5_000
  /// From SIGTERM to SIGKILL at the daemon's stop, ms.
  package var stopKillAfterMS: Int64 = 1_000
  /// How long output is still read after the end of a hook whose children live on, ms.
  package var outputGraceMS: Int64 = 1_000
  /// Lines of a run's output that go to the journal.
  package var outputLines = 1_000
  /// Bytes of a run's output that go to the journal.
  package var outputBytes = 65_536

  package init() {}

  /// The wait after the `failures`th failure, counted from 1, ms.
  package func backoffMS(afterFailure failures: Int) -> Int64 {
    let doublings = min(max(0, failures - 1), 40)
    let (product, overflow) = firstBackoffMS.multipliedReportingOverflow(by: Int64(1) << doublings)
    return overflow ? longestBackoffMS : min(product, longestBackoffMS)
  }
}
