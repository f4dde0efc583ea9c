internal import Glibc
internal import Milepost

/// Opens the database, whatever state it is in.
struct Opener {
  let path: String
  let settings: EventStore.Settings

  /// What came of it.
  struct Opened {
    /// Nil where it cannot even be read.
    var database: Database?
    var isWritable = false
    /// Nil where nothing was stored yet, or it cannot be read.
    var ledger: Ledger?
    /// Why it is not writable.
    var trouble: DatabaseError?
    var notices: [StoreNotice] = []
  }

  private enum Failure: Error {
    case store(StoreError)
    case database(DatabaseError)
  }

  /// - Returns: nil where a full or read-only disk has no place for it.
  func lock() throws(StoreError) -> LockFile? {
    do {
      return try LockFile.acquire(path: path + ".lock")
    } catch {
      switch error {
      case .held(let pid):
        let holder = pid.map { "process \($0)" } ?? "another process"
        throw self.error(.inUse(pid: pid), "in use by \(holder)")
      case .system(let code):
        if code == EROFS || code == ENOSPC || code == EDQUOT { return nil }
        throw self.error(.unusable, systemErrorText(code))
      }
    }
  }

  func open(wall: Timestamp) throws(StoreError) -> Opened {
    if let header = DatabaseFiles(path: path).header {
      try check(header)
    }
    var opened = Opened()
    var failure = attempt(&opened)
    if case .database(let error)? = failure, error.kind == .corrupt || error.code == 1,
      let name = DatabaseFiles(path: path).moveAside(at: wall)
    {
      opened.notices.append(.corrupt(movedTo: name, reason: error.description))
      failure = attempt(&opened)
    }
    switch failure {
    case nil: return opened
    case .store(let error): throw error
    case .database(let error):
      switch error.kind {
      case .busy: throw self.error(.locked, error.description)
      case .cannotOpen, .other: throw self.error(.unusable, error.description)
      case .full, .readOnly, .io, .corrupt:
        opened.trouble = error
        openForReading(&opened)
        return opened
      }
    }
  }

  private func check(_ header: DatabaseFiles.Header) throws(StoreError) {
    guard header.applicationID == Schema.applicationID else { return }
    if header.userVersion > Schema.version {
      throw error(.newerSchema, "written by a newer version (schema \(header.userVersion))")
    }
  }

  private func attempt(_ opened: inout Opened) -> Failure? {
    do {
      let database = try Database(
        path: path, access: .readWrite, vfs: settings.vfs, busyTimeoutMS: settings.openTimeoutMS)
      guard !database.isReadOnly else { return .database(.notOpen) }
      if let error = try prepare(database) {
        database.leaveFilesOnClose()
        return .store(error)
      }
      opened.ledger = try Ledger.read(from: database)
      database.setBusyTimeout(settings.busyTimeoutMS)
      opened.database = database
      opened.isWritable = true
      return nil
    } catch {
      return .database(error)
    }
  }

  /// Makes the tables where there are none.
  /// - Returns: why the database is not to be touched.
  private func prepare(_ database: Database) throws(DatabaseError) -> StoreError? {
    try Schema.configure(database)
    let application = try database.integer("PRAGMA application_id") ?? 0
    let version = try database.integer("PRAGMA user_version") ?? 0
    if application == Schema.applicationID {
      guard version <= Schema.version else {
        return error(.newerSchema, "written by a newer version (schema \(version))")
      }
      try Schema.useLog(database)
      return nil
    }
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    guard application == 0, version == 0, tables == 0 else {
      return error(.notOurs, "a database of another program")
    }
    try Schema.create(in: database)
    return nil
  }

  /// Reads on a disk that takes no writes. Without a log the file alone is whole, and on a
  /// read-only file system SQLite reads it only if told that nobody changes it. With one, the log's
  /// index has no place on the disk: locked exclusively it is kept in memory, and without real
  /// locks that needs no right to write. The lock beside the database keeps other instances away.
  private func openForReading(_ opened: inout Opened) {
    let files = DatabaseFiles(path: path)
    guard files.header != nil else { return }
    do {
      let database = try Database(
        path: path, access: files.hasLog ? .readOnly : .immutable,
        vfs: settings.vfs ?? (files.hasLog ? "unix-none" : nil),
        busyTimeoutMS: settings.busyTimeoutMS)
      database.leaveFilesOnClose()
      if files.hasLog { try database.execute("PRAGMA locking_mode=EXCLUSIVE") }
      opened.ledger = try Ledger.read(from: database)
      opened.database = database
    } catch {
      opened.ledger = nil
    }
  }

  private func error(_ kind: StoreError.Kind, _ reason: String) -> StoreError {
    StoreError(kind: kind, path: path, reason: reason)
  }
}
