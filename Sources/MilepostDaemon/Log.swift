import Glibc
import Milepost
import SystemdKit

/// Where the daemon's lines go: to the journal where it runs under systemd, else to stderr.
///
/// `sd_journal_sendv` reports success and loses the entry where no journald is, so stderr being the
/// journal's own stream decides. Debug lines go to the journal only.
package final class Log {
  private let toJournal: Bool

  package init(toJournal: Bool = Journal.isConnected) { self.toJournal = toJournal }

  package func write(_ entry: LogEntry) {
    // journald's stream waits too where journald hangs; what is said of other things is lost then.
    if !writeLasting(entry), toJournal, Journal.hasRoom(2) { _ = Self.writeLine(entry) }
  }

  /// Writes an entry that must not be lost. False where the journal, or a full pipe that does not
  /// block, does not take it now.
  package func writeLasting(_ entry: LogEntry) -> Bool {
    guard toJournal else { return entry.priority >= 7 || Self.writeLine(entry) }
    guard Journal.takesEntries else { return false }
    return (try? Journal.send(Self.fields(of: entry))) != nil
  }

  package func notice(_ message: String, id: String? = nil) { write(5, message, id) }
  package func warning(_ message: String, id: String? = nil) { write(4, message, id) }
  package func error(_ message: String, id: String? = nil) { write(3, message, id) }

  private func write(_ priority: Int, _ message: String, _ id: String?) {
    write(
      LogEntry(
        priority: priority, message: message,
        fields: id.map { [LogEntry.Field("MESSAGE_ID", $0)] } ?? []))
  }

  static func fields(of entry: LogEntry) -> [JournalField] {
    var fields = [JournalField.message(entry.message), .priority(entry.priority)]
    fields.append(.identifier(entry.identifier ?? "milepostd"))
    return fields + entry.fields.map { JournalField($0.name, $0.value) }
  }

  /// One line on stderr. False where nothing of it could be written for now; a write that fails has
  /// no one to be told.
  private static func writeLine(_ entry: LogEntry) -> Bool {
    let time = entry.fields.first { $0.name == "MILEPOST_TIME" }.map { "\($0.value) " } ?? ""
    let isRepeated = entry.fields.contains { $0.name == "MILEPOST_REPEATED" }
    let text =
      (entry.identifier.map { "\($0): " } ?? "") + time + entry.message
      + (isRepeated ? " (repeated)" : "")
    let line = ControlCharacter.blanked(Array(text.utf8).span) + [0x0A]
    return line.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
        let written = Glibc.write(2, base, rest.count)
        let code = errno
        if written < 0 && code == EINTR { continue }
        guard written > 0 else { return code != EAGAIN || rest.count < bytes.count }
        rest = rest.dropFirst(written)
      }
      return true
    }
  }
}
