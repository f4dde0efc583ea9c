import SystemdKit

/// A mount namespace of its own: what is mounted in it only the programs started in it see.
package final class MountNamespace {
  /// Whether this machine gives us one. An unprivileged one would not do: in it, `/` belongs to
  /// nobody whom the daemon trusts with hooks.
  package static let isAvailable: Bool = {
    let script = "mount -t tmpfs tmpfs /run && mkdir /run/probe"
    let probe = try? RunningProgram(unshare, ["--mount", "/bin/sh", "-c", script])
    return (try? probe?.end()) == 0
  }()

  /// What a skipped test says.
  package static let absence = "needs the right to make a mount namespace (root)"

  private static let unshare = "/usr/bin/unshare"

  private let holder: RunningProgram

  /// Runs a shell script in a new namespace, which lives as long as this object.
  package init(_ script: String) throws {
    holder = try RunningProgram(
      Self.unshare,
      ["--mount", "/bin/sh", "-ec", "\(script)\necho namespace ready\nexec sleep infinity"])
    try holder.wait(forLineWith: "namespace ready")
  }

  /// A program and its arguments such that it runs in here, under the process id it is started with.
  package func command(_ program: String, _ arguments: [String]) -> [String] {
    ["/usr/bin/nsenter", "--mount=/proc/\(holder.pid)/ns/mnt", "--", program] + arguments
  }
}
