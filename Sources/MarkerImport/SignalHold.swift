import Glibc

/// Holds back the signals that would end the process; pthread_sigmask(3).
///
/// It serves a process of one thread. What came meanwhile acts when the hold ends.
package struct SignalHold {
  /// Source: signal(7), the signals whose default is to end the process and that no fault of the
  /// process itself sends; beside them the real-time signals.
  private static let ending =
    [
      SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
      SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT,
    ] + Array(34...64)

  private let held: [Int32]
  private var before = sigset_t()

  private init() {
    var blocked = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &blocked)
    // One that is ignored, as nohup(1) has it, or that was blocked before would count as come if it
    // were held, and ends nothing afterwards.
    held = Self.ending.filter { signal in
      var action = sigaction()
      return sigaction(signal, nil, &action) == 0 && action.__sigaction_handler.sa_handler == nil
        && sigismember(&blocked, signal) == 0
    }
    var set = sigset_t()
    sigemptyset(&set)
    for signal in held { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, &before)
  }

  /// Holds them until `body` ends.
  package static func during(_ body: (SignalHold) throws(ImportFault) -> Void) throws(ImportFault) {
    let hold = SignalHold()
    defer {
      var mask = hold.before
      pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
    try body(hold)
  }

  /// One has come; sigpending(2).
  package var hasCome: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return held.contains { sigismember(&pending, $0) == 1 }
  }
}
