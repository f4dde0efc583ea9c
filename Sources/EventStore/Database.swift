internal import CSQLite

/// One connection to an SQLite database, closed when it goes away.
final class Database {
  enum Access: Equatable {
    /// Made if absent. SQLite falls back to reading where the file system allows no more.
    case readWrite
    case readOnly
    /// Nobody changes the file while it is open: no locks, no write-ahead log.
    case immutable
  }

  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// Opens by sqlite3_open_v2; `vfs` names a registered sqlite3_vfs, nil is the default.
  init(
    path: String, access: Access, vfs: String? = nil, busyTimeoutMS: Int32
  ) throws(DatabaseError) {
    var flags = SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_URI
    flags |=
      access == .readWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    var opened: OpaquePointer?
    let suffix = access == .immutable ? "?immutable=1" : ""
    let result = sqlite3_open_v2(Self.uri(path) + suffix, &opened, flags, vfs)
    guard let opened else {
      throw DatabaseError(
        operation: "open", code: SQLITE_NOMEM, systemError: 0, message: "out of memory")
    }
    guard result == SQLITE_OK else {
      let error = Self.error("open", opened, result)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_busy_timeout(opened, busyTimeoutMS)
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Whether the file is open for reading only (sqlite3_db_readonly).
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

  /// How long a statement waits for another process's lock.
  func setBusyTimeout(_ milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

  /// Closing leaves the files as they are.
  func leaveFilesOnClose() { _ = shim_no_checkpoint_on_close(handle) }

  /// Runs statements that give no rows of interest, unprepared, by sqlite3_exec.
  func execute(_ sql: String) throws(DatabaseError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw Self.error(Self.operation(of: sql), handle, result) }
  }

  /// Runs a statement, prepared once and kept.
  func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) {
    try query(sql, values) { _ in false }
  }

  /// Runs a query, prepared once and kept. `each` is called for each row; false ends the query.
  func query(
    _ sql: String, _ values: [SQLValue] = [], _ each: (Statement.Row) -> Bool
  ) throws(DatabaseError) {
    let statement = try prepared(sql)
    defer { statement.reset() }
    let bound = statement.bind(values)
    guard bound == SQLITE_OK else { throw Self.error("bind", handle, bound) }
    while true {
      let result = statement.step()
      if result == SQLITE_DONE { return }
      guard result == SQLITE_ROW else {
        throw Self.error(Self.operation(of: sql), handle, result)
      }
      if !each(statement.row) { return }
    }
  }

  /// The first column of the first row; nil where there is none or it is NULL.
  func integer(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int64? {
    var found: Int64?
    try query(sql, values) { row in
      found = row.optionalInteger(0)
      return false
    }
    return found
  }

  /// All of the body or nothing of it, by BEGIN IMMEDIATE.
  func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try run("BEGIN IMMEDIATE")
    do {
      try body()
      try run("COMMIT")
    } catch {
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  private func prepared(_ sql: String) throws(DatabaseError) -> Statement {
    if let statement = statements[sql] { return statement }
    var made: OpaquePointer?
    let result = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard result == SQLITE_OK, let made else {
      throw Self.error(Self.operation(of: sql), handle, result)
    }
    let statement = Statement(owning: made)
    statements[sql] = statement
    return statement
  }

  private static func error(
    _ operation: String, _ handle: OpaquePointer, _ result: Int32
  ) -> DatabaseError {
    DatabaseError(
      operation: operation, code: result, systemError: sqlite3_system_errno(handle),
      message: sqlite3_errmsg(handle).map { String(cString: $0) } ?? "")
  }

  /// The statement's first word, in lower case.
  private static func operation(of sql: String) -> String {
    sql.prefix { $0.isLetter }.lowercased()
  }

  /// `path` as a URI filename: source: sqlite.org/uri.html.
  private static func uri(_ path: String) -> String {
    var uri = path.hasPrefix("/") ? "file://" : "file:"
    for character in path.unicodeScalars {
      switch character {
      case "%": uri += "%25"
      case "?": uri += "%3f"
      case "#": uri += "%23"
      default: uri.unicodeScalars.append(character)
      }
    }
    return uri
  }
}
