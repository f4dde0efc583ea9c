internal import CSystemd
internal import Glibc

/// Waits for the end of one child, by sd_event_add_child_pidfd(3), which reaps it after the handler.
///
/// It owns the child's pidfd. A child whose source is dropped early runs on and is not reaped.
package final class ChildSource {
  package let pid: Int32
  private var reference: SourceReference?
  private var handler: ((ChildStatus) -> Void)?
  private let child: Child

  fileprivate init(
    _ loop: EventLoop, _ child: consuming Child, _ handler: @escaping (ChildStatus) -> Void
  ) throws(SystemError) {
    let (pid, pidfd) = (child.pid, child.pidfd.rawValue)
    self.pid = pid
    self.handler = handler
    self.child = child
    let me = Unmanaged.passUnretained(self).toOpaque()
    reference = try SourceReference("process \(pid)", "sd_event_add_child_pidfd") {
      sd_event_add_child_pidfd(loop.event, $0, pidfd, WEXITED, Self.trampoline, me)
    }
  }

  /// Sends a signal to the child's process group, while the child is not reaped.
  package func signalGroup(_ signal: Int32) {
    guard reference != nil else { return }
    child.signalGroup(signal)
  }

  /// Stops watching.
  package func cancel() {
    reference = nil
    handler = nil
  }

  private static let trampoline: sd_event_child_handler_t = { _, info, me in
    guard let info, let me else { return 0 }
    let status = shim_child_status(info)
    let source = Unmanaged<ChildSource>.fromOpaque(me).takeUnretainedValue()
    let handler = source.handler
    source.handler = nil
    handler?(shim_child_exited(info) != 0 ? .exited(status) : .signalled(status))
    source.reference = nil
    return 0
  }
}

extension EventLoop {
  /// Calls `handler` once, when the child has ended.
  /// - Throws: ``SystemError``; the child, whom nobody could wait for, is killed and reaped then.
  package func addChild(
    _ child: consuming Child, handler: @escaping (ChildStatus) -> Void
  ) throws(SystemError) -> ChildSource {
    let pid = child.pid
    do {
      return try ChildSource(self, child, handler)
    } catch {
      kill(-pid, SIGKILL)
      _ = try? retryingInterrupts("waitpid", on: "process \(pid)") { waitpid(pid, nil, 0) }
      throw error
    }
  }
}
