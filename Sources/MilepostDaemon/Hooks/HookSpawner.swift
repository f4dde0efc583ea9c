/// Starts hooks: real processes in ``HookProcessSpawner``, an in-memory twin in tests.
package protocol HookSpawner: AnyObject {
  /// Starts a run; `ended` is called once, from the loop and never from within this call.
  ///
  /// - Throws: where it cannot be started; then `ended` is not called.
  func start(
    _ run: HookRun, ended: @escaping (HookOutcome) -> Void
  ) throws -> any HookProcess

  /// Gives up all output that is still open.
  func closeOutput()
}

/// A run of a hook.
package protocol HookProcess: AnyObject {
  /// Sends a signal to its process group; nothing where it has ended.
  func signalGroup(_ signal: Int32)
}
