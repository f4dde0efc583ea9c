internal import CSystemd
internal import Glibc

/// Tells the service manager how the daemon is, by sd_notify(3); does nothing outside of systemd.
package enum Notifier {
  /// Started, or reloaded.
  /// - Returns: whether somebody was told.
  @discardableResult
  package static func ready(status: String? = nil) throws(SystemError) -> Bool {
    try send(["READY=1"] + (status.map { [line(status: $0)] } ?? []))
  }

  /// What `systemctl status` shows.
  @discardableResult
  package static func status(_ text: String) throws(SystemError) -> Bool {
    try send([line(status: text)])
  }

  /// A reload begins; ``ready(status:)`` ends it.
  @discardableResult
  package static func reloading() throws(SystemError) -> Bool {
    try send(["RELOADING=1", "MONOTONIC_USEC=\(Clock.monotonicUSec)"])
  }

  /// The end has begun.
  @discardableResult
  package static func stopping(status: String? = nil) throws(SystemError) -> Bool {
    try send(["STOPPING=1"] + (status.map { [line(status: $0)] } ?? []))
  }

  private static func line(status: String) -> String {
    "STATUS=" + String(decoding: status.utf8.map { $0 == 10 ? 32 : $0 }, as: UTF8.self)
  }

  private static func send(_ lines: [String]) throws(SystemError) -> Bool {
    let result = sd_notify(0, lines.joined(separator: "\n"))
    return try check(result, "sd_notify", on: "service manager") > 0
  }
}
