internal import CSQLite

/// A value to bind to a statement's parameter.
enum SQLValue: Equatable {
  case null
  case integer(Int64)
  case text(String)
  case utf8([UInt8])
  case blob([UInt8])

  init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
  init(_ value: Bool) { self = .integer(value ? 1 : 0) }
}

/// A prepared statement, finalized when it goes away.
final class Statement {
  private let handle: OpaquePointer

  /// Takes over a statement by sqlite3_prepare_v3 that nobody else finalizes.
  init(owning handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  /// Binds all parameters from the first on.
  /// - Returns: SQLITE_OK or the code of the first that failed.
  func bind(_ values: [SQLValue]) -> Int32 {
    for (place, value) in values.enumerated() {
      let result = bind(value, at: Int32(truncatingIfNeeded: place + 1))
      if result != SQLITE_OK { return result }
    }
    return SQLITE_OK
  }

  private func bind(_ value: SQLValue, at place: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, place)
    case .integer(let value): return sqlite3_bind_int64(handle, place, value)
    case .text(let text):
      var text = text
      return text.withUTF8 {
        shim_bind_text(handle, place, $0.baseAddress, Int32(clamping: $0.count))
      }
    case .utf8(let bytes):
      return bytes.withUnsafeBytes {
        shim_bind_text(handle, place, $0.baseAddress, Int32(clamping: $0.count))
      }
    case .blob(let bytes):
      return bytes.withUnsafeBytes {
        shim_bind_blob(handle, place, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  /// By sqlite3_step: SQLITE_ROW, SQLITE_DONE or an error.
  func step() -> Int32 { sqlite3_step(handle) }

  /// Makes it ready for the next use; the error of the last step comes again and is not news.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// The row that the last step gave; valid until the next step.
  var row: Row { Row(handle: handle) }

  /// Reads columns, counted from 0.
  struct Row {
    fileprivate let handle: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func optionalInteger(_ column: Int32) -> Int64? {
      sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
    }

    func bool(_ column: Int32) -> Bool { integer(column) != 0 }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func optionalText(_ column: Int32) -> String? {
      sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : text(column)
    }

    /// Nil where the column holds no number.
    func number(_ column: Int32) -> Double? {
      switch sqlite3_column_type(handle, column) {
      case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_column_double(handle, column)
      default: nil
      }
    }

    func bytes(_ column: Int32) -> [UInt8] {
      guard let start = sqlite3_column_blob(handle, column) else { return [] }
      let count = Int(sqlite3_column_bytes(handle, column))
      return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
  }
}
