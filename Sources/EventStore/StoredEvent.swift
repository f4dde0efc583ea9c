package import Milepost

/// An event as the store keeps it: ready for journal and hooks without its fence.
package struct StoredEvent: Equatable, Sendable {
  /// Its place in the order of recording: unique and rising, with holes.
  package let row: Int64
  package let id: String
  /// Counted within the series that stands in `id`.
  package let sequence: Int64
  package let kind: Transition.Kind
  package let fenceID: String
  /// One line of JSON, without its newline.
  package let json: [UInt8]
  package let message: String
  package let time: Timestamp
  package let timeSource: TimeSource
  /// CLOCK_BOOTTIME when it was recorded, ms; means something within `bootID` only.
  package let recordedBootMS: Int64
  package let bootID: String
  /// Whether hooks run for it.
  package let forHooks: Bool
  /// `NAME=value` and a NUL each.
  let fieldBytes: [UInt8]

  /// The names and values that journal entries and hooks' environments share.
  package var fields: [(name: String, value: String)] {
    fieldBytes.split(separator: 0).map { field in
      let name = field.prefix { $0 != UInt8(ascii: "=") }
      return (
        String(decoding: name, as: UTF8.self),
        String(decoding: field.dropFirst(name.count + 1), as: UTF8.self)
      )
    }
  }
}

extension StoredEvent {
  init(_ event: Event, row: Int64, recordedBootMS: Int64, bootID: String, forHooks: Bool) {
    self.row = row
    id = event.id
    sequence = event.sequence
    kind = event.kind
    fenceID = event.fence.id
    json = event.json
    message = event.message
    time = event.time
    timeSource = event.timeSource
    self.recordedBootMS = recordedBootMS
    self.bootID = bootID
    self.forHooks = forHooks
    fieldBytes = Self.encode(event.fields)
  }

  /// A NUL within a value, which no environment could hold, is left out.
  private static func encode(_ fields: [(name: String, value: String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in fields {
      bytes.append(contentsOf: name.utf8)
      bytes.append(UInt8(ascii: "="))
      bytes.append(contentsOf: value.utf8.lazy.filter { $0 != 0 })
      bytes.append(0)
    }
    return bytes
  }
}

extension StoredEvent {
  /// The first usable fix of a run: by its own time, and by CLOCK_BOOTTIME when it came in.
  package struct FirstFix: Sendable {
    package var time: Timestamp
    package var bootMS: Int64

    package init(time: Timestamp, bootMS: Int64) {
      self.time = time
      self.bootMS = bootMS
    }
  }

  /// Milliseconds since it was recorded, or, where that was in another boot, since its time: up to
  /// the first usable fix by fix time, and on from there by the clock.
  /// - Returns: nil while it cannot be told: another boot, and no usable fix yet.
  package func ageMS(nowMS: Int64, bootID: String, firstFix: FirstFix?) -> Int64? {
    if bootID == self.bootID { return max(0, nowMS - recordedBootMS) }
    guard let firstFix else { return nil }
    return max(0, firstFix.time.since(time)) + max(0, nowMS - firstFix.bootMS)
  }
}

// MARK: - Rows

extension StoredEvent {
  static let columns = """
    number, id, sequence, kind, fence, json, message, time_ms, time_source, recorded_ms, \
    recorded_boot, for_hooks, fields
    """

  static let insertion = """
    INSERT INTO events (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  var values: [SQLValue] {
    [
      .integer(row), .text(id), .integer(sequence), .text(kind.rawValue), .text(fenceID),
      .utf8(json), .text(message), .integer(time.milliseconds), .text(timeSource.rawValue),
      .integer(recordedBootMS), .text(bootID), SQLValue(forHooks), .blob(fieldBytes),
    ]
  }

  init(_ row: Statement.Row) {
    self.row = row.integer(0)
    id = row.text(1)
    sequence = row.integer(2)
    kind = Transition.Kind(rawValue: row.text(3)) ?? .enter
    fenceID = row.text(4)
    json = row.bytes(5)
    message = row.text(6)
    time = Timestamp(milliseconds: row.integer(7))
    timeSource = TimeSource(rawValue: row.text(8)) ?? .fix
    // A hundred years of uptime: a damaged row overflows nothing.
    recordedBootMS = min(max(row.integer(9), 0), 100 * 366 * 86_400_000)
    bootID = row.text(10)
    forHooks = row.bool(11)
    fieldBytes = row.bytes(12)
  }
}
