internal import CSystemd

/// Handles one signal in the loop, by sd_event_add_signal(3).
package final class SignalSource {
  private var reference: SourceReference?
  private var handler: (() -> Void)?

  fileprivate init(
    _ loop: EventLoop, _ signal: Int32, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    self.handler = handler
    let me = Unmanaged.passUnretained(self).toOpaque()
    reference = try SourceReference("signal \(signal)", "sd_event_add_signal") {
      sd_event_add_signal(loop.event, $0, signal, Self.trampoline, me)
    }
  }

  /// Stops for good; from within the handler too.
  package func cancel() {
    reference = nil
    handler = nil
  }

  private static let trampoline: sd_event_signal_handler_t = { _, _, me in
    guard let me else { return 0 }
    let source = Unmanaged<SignalSource>.fromOpaque(me).takeUnretainedValue()
    source.handler?()
    return 0
  }
}

extension EventLoop {
  /// Calls `handler` in the loop for each `signal`, which ``blockSignals(_:)`` has blocked.
  package func addSignal(
    _ signal: Int32, handler: @escaping () -> Void
  ) throws(SystemError) -> SignalSource {
    try SignalSource(self, signal, handler)
  }
}
