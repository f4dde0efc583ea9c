internal import CSQLite
internal import Glibc

/// An SQLite call that failed: what was done and why.
struct DatabaseError: Error, Equatable {
  /// What the failure means for the store.
  enum Kind: Equatable {
    /// No room on the disk, or in the quota.
    case full
    case readOnly
    /// The disk failed to read, write or sync.
    case io
    /// Another process holds the lock.
    case busy
    case corrupt
    case cannotOpen
    /// SQLite's complaint about anything else: out of memory, or a bug.
    case other
  }

  let operation: String
  /// SQLite's extended result code.
  let code: Int32
  /// What SQLite kept of errno; 0 where nothing.
  let systemError: Int32
  let message: String

  /// Stands in where no connection is there to fail.
  static let notOpen = DatabaseError(
    operation: "write", code: SQLITE_READONLY, systemError: EROFS, message: "not open for writing")

  /// The tables are sound, and what stands in them is not.
  static func contradiction(_ message: String) -> DatabaseError {
    DatabaseError(operation: "read", code: SQLITE_CORRUPT, systemError: 0, message: message)
  }

  var kind: Kind {
    switch code & 0xff {
    case SQLITE_FULL: .full
    case SQLITE_READONLY: .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
    case SQLITE_IOERR: diskIsFull ? .full : .io
    case SQLITE_CANTOPEN: diskIsFull ? .full : systemError == EROFS ? .readOnly : .cannotOpen
    default: .other
    }
  }

  private var diskIsFull: Bool { systemError == ENOSPC || systemError == EDQUOT }
}

extension DatabaseError: CustomStringConvertible {
  /// For example `disk full (commit: database or disk is full, SQLite code 13)`.
  var description: String {
    let meaning =
      switch kind {
      case .full: "disk full"
      case .readOnly: "read-only"
      case .io: "disk error"
      case .busy: "locked by another process"
      case .corrupt: "corrupt"
      case .cannotOpen: "cannot be opened"
      case .other: "SQLite error"
      }
    return "\(meaning) (\(operation): \(message), SQLite code \(code))"
  }
}
