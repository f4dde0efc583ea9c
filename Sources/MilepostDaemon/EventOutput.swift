package import Milepost

extension Event {
  /// The journal's entry: the shared fields, the fixed message id, priority notice.
  package func logEntry(repeated: Bool = false) -> LogEntry {
    var fields = fields.map { LogEntry.Field($0.name, $0.value) }
    fields.append(
      LogEntry.Field("MESSAGE_ID", kind == .enter ? MessageID.enter : MessageID.exit))
    if repeated { fields.append(LogEntry.Field("MILEPOST_REPEATED", "1")) }
    return LogEntry(priority: 5, message: message, fields: fields)
  }

  /// What hooks get; `recordedAtMS` is milliseconds of CLOCK_BOOTTIME.
  package func hookEvent(recordedAtMS: Int64) -> HookEvent {
    HookEvent(
      id: id, kind: kind == .enter ? .enter : .exit, fenceID: fence.id, json: json,
      environment: fields.map { HookEvent.Variable($0.name, $0.value) },
      recordedAtMS: recordedAtMS)
  }
}
