/// What became of the deliveries since the start.
package struct HookCounters: Equatable, Sendable {
  /// Runs, the retries among them.
  package var runs = 0
  package var delivered = 0
  /// Failed runs, the timed-out ones among them.
  package var failures = 0
  package var timeouts = 0
  package var givenUp = 0
  package var expired = 0
  /// Because their hook is gone.
  package var dropped = 0
  /// Runs ended by the daemon's stop, which are no attempts.
  package var interrupted = 0

  package init() {}
}
