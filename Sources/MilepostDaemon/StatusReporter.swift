import SystemdKit

/// Tells the service manager the status: soon after a change, and never more often than each few
/// seconds.
final class StatusReporter {
  private static let interval: Int64 = 3_000

  private let status: () -> String
  private var timer: TimerSource?
  private var isArmed = false
  private var shown = ""

  init(loop: EventLoop, status: @escaping () -> String) throws {
    self.status = status
    timer = try loop.addTimer { [unowned self] in show() }
  }

  func changed() {
    guard !isArmed, let timer else { return }
    isArmed = (try? timer.arm(afterMS: Self.interval)) != nil
  }

  private func show() {
    isArmed = false
    let text = status()
    guard text != shown else { return }
    shown = text
    _ = try? Notifier.status(text)
  }
}
