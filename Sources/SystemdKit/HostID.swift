internal import CSystemd

/// The identities of this machine and of its present boot, as 32 hexadecimal digits.
package enum HostID {
  /// Of /etc/machine-id, sd_id128_get_machine(3); nil where there is none.
  package static var machine: String? { text(sd_id128_get_machine) }

  /// sd_id128_get_boot(3); nil where /proc does not tell.
  package static var boot: String? { text(sd_id128_get_boot) }

  private static func text(_ get: (UnsafeMutablePointer<sd_id128_t>?) -> Int32) -> String? {
    var id = sd_id128_t()
    guard get(&id) >= 0 else { return nil }
    return withUnsafeBytes(of: id.bytes) { bytes in
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
