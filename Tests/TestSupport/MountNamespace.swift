import SystemdKit

/// A mount namespace of its own: what is mounted in it only the programs started in it see.
///
/// Root needs nothing for it, others a kernel that gives them user namespaces.
package final class MountNamespace {
  /// Whether this machine gives us one.
  package static let isAvailable = options != nil

  /// What a skipped test says.
  package static let absence = "needs a mount namespace: root, or unprivileged user namespaces"

  private static let unshare = "/usr/bin/unshare"
  private static let asUser = ["--map-root-user", "--mount"]

  /// The first way that works.
  private static let options: [String]? = [["--mount"], asUser].first { options in
    let script = "mount -t tmpfs tmpfs /run && mkdir /run/probe"
    let probe = try? RunningProgram(unshare, options + ["/bin/sh", "-c", script])
    return (try? probe?.end()) == 0
  }

  private let holder: RunningProgram

  /// Runs a shell script in a new namespace, which lives as long as this object.
  package init(_ script: String) throws {
    holder = try RunningProgram(
      Self.unshare,
      (Self.options ?? []) + [
        "/bin/sh", "-ec", "\(script)\necho namespace ready\nexec sleep infinity",
      ])
    try holder.wait(forLineWith: "namespace ready")
  }

  /// A program and its arguments such that it runs in here, under the process id it is started with.
  package func command(_ program: String, _ arguments: [String]) -> [String] {
    let folder = "/proc/\(holder.pid)/ns"
    let user =
      Self.options == Self.asUser ? ["--user=\(folder)/user", "--preserve-credentials"] : []
    return ["/usr/bin/nsenter"] + user + ["--mount=\(folder)/mnt", "--", program] + arguments
  }
}
