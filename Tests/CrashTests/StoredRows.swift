import CSQLite
import Glibc
import TestSupport

/// What a database holds, read by SQLite itself.
struct StoredRows {
  /// An event as the contract tells it; nothing of it depends on the installation.
  struct Row: Equatable {
    var sequence: String
    var kind: String
    var fence: String
    var message: String
    /// Without its id.
    var json: String
    var fields: [String]

    /// What happened, whatever its id: `enter A1/0K+060 2026-11-30T09:00:08.800Z`.
    var told: String {
      let name = "MILEPOST_TIME="
      let time = fields.first { $0.hasPrefix(name) }?.dropFirst(name.count) ?? "?"
      return "\(kind) \(fence) \(time)"
    }

    /// Seconds within the fence, on exits where they are known.
    var inside: Double? {
      let name = "MILEPOST_INSIDE_S="
      return fields.first { $0.hasPrefix(name) }.flatMap { Double($0.dropFirst(name.count)) }
    }
  }

  var ids: [String] = []
  var rows: [Row] = []
  var integrity: [String] = []
  var journaledThrough: Int64 = 0

  func row(ofID id: String) -> Row? { ids.firstIndex(of: id).map { rows[$0] } }

  /// The time of the last event's fix: that fix was the anchor when it was stored.
  var lastFixTime: String? {
    guard let json = rows.last?.json, let fix = json.firstRange(of: #""fix":{"time":""#) else {
      return nil
    }
    return String(json[fix.upperBound...].prefix { $0 != "\"" })
  }

  /// Whether the events of each fence begin with an enter, and enter and exit take turns.
  var alternates: Bool {
    var held: Set<String> = []
    for row in rows {
      if row.kind == "enter", !held.insert(row.fence).inserted { return false }
      if row.kind == "exit", held.remove(row.fence) == nil { return false }
    }
    return true
  }

  init() {}

  /// Of copies of the files, so that the daemon finds them as they were left.
  init(copyOf database: String, in scratch: ScratchFolder) throws {
    let copy = scratch("copy.db")
    for suffix in ["", "-wal", "-shm"] { unlink(copy + suffix) }
    var isThere = false
    for suffix in ["", "-wal"] {
      guard let bytes = try? TestData.bytes(of: database + suffix) else { continue }
      isThere = true
      let descriptor = open(copy + suffix, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      close(descriptor)
    }
    self.init(database: isThere ? copy : ":memory:")
  }

  init(database path: String) {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil)
    sqlite3_busy_timeout(database, 5_000)
    integrity = Self.query(database, "PRAGMA integrity_check").map { $0[0] }
    for row in Self.query(
      database,
      "SELECT id, sequence, kind, fence, message, json, hex(fields) FROM events ORDER BY number"
    ) {
      ids.append(row[0])
      rows.append(
        Row(
          sequence: row[1], kind: row[2], fence: row[3], message: row[4],
          json: row[5].replacing(row[0], with: ""), fields: Self.fields(hex: row[6], id: row[0])))
    }
    journaledThrough =
      Self.query(database, "SELECT journaled_through FROM state").first.flatMap { Int64($0[0]) }
      ?? 0
  }

  private static func fields(hex: String, id: String) -> [String] {
    var bytes: [UInt8] = []
    var digits = hex.utf8.makeIterator()
    while let high = digits.next(), let low = digits.next() {
      bytes.append(nibble(high) << 4 | nibble(low))
    }
    return bytes.split(separator: 0).map {
      String(decoding: $0, as: UTF8.self).replacing(id, with: "")
    }
  }

  private static func nibble(_ digit: UInt8) -> UInt8 {
    digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "A") + 10
  }

  /// Rows as text; a statement that fails has none.
  static func query(_ database: OpaquePointer?, _ text: String) -> [[String]] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK else { return [] }
    var rows: [[String]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map {
            sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "NULL"
          })
      case SQLITE_DONE: return rows
      default: return rows + [["error: \(String(cString: sqlite3_errmsg(database)))"]]
      }
    }
  }
}
