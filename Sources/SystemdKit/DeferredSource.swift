internal import CSystemd

/// Calls a closure in the next round of the loop, by sd_event_add_defer(3): once per ``arm()``.
package final class DeferredSource {
  private var reference: SourceReference?
  private var handler: (() -> Void)?

  fileprivate init(
    _ loop: EventLoop, _ priority: EventPriority, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    self.handler = handler
    let me = Unmanaged.passUnretained(self).toOpaque()
    reference = try SourceReference("deferred call", "sd_event_add_defer", priority: priority) {
      sd_event_add_defer(loop.event, $0, Self.trampoline, me)
    }
  }

  /// Calls the closure once more.
  package func arm() throws(SystemError) {
    guard let pointer = reference?.pointer else { return }
    try check(
      sd_event_source_set_enabled(pointer, Int32(SD_EVENT_ONESHOT)),
      "sd_event_source_set_enabled", on: "deferred call")
  }

  /// Stops for good; from within the handler too.
  package func cancel() {
    reference = nil
    handler = nil
  }

  private static let trampoline: sd_event_handler_t = { _, me in
    guard let me else { return 0 }
    let source = Unmanaged<DeferredSource>.fromOpaque(me).takeUnretainedValue()
    source.handler?()
    return 0
  }
}

extension EventLoop {
  /// A deferred call, armed: it is made in the next round.
  package func addDeferred(
    priority: EventPriority = .normal, handler: @escaping () -> Void
  ) throws(SystemError) -> DeferredSource {
    try DeferredSource(self, priority, handler)
  }
}
