internal import Milepost

/// Where one pass of deleting old events has come to.
struct Pruning {
  /// The last row that may go in this pass; nil between passes.
  var bound: Int64?
}

extension EventStore {
  /// Deletes a small piece of the oldest events: those recorded more than `keepMS` before the
  /// newest by their own times, and as many as it takes where the database is over `maxBytes`.
  ///
  /// The newest events (``Settings/keepNewest``), and those that the journal or a hook may still need,
  /// stay. A pass ends at the first piece in which nothing is old enough. Deleted space is used
  /// again by new events; the file does not shrink.
  /// One call deletes at most `limit` rows, in one commit.
  /// - Returns: whether there may be more to delete.
  package func prune(keepMS: Int64, maxBytes: Int64?, limit: Int = 200, now: Int64) -> Bool {
    guard !isInMemory, let database else { return false }
    var deleted = 0
    do {
      deleted = try prunePiece(of: database, keepMS: keepMS, maxBytes: maxBytes, limit: limit)
    } catch {
      // A disk that takes no deletions takes no commits either, and the next one says so.
      if error.kind == .corrupt { recover(from: error, now: now) }
    }
    if deleted == 0 { pruning.bound = nil }
    return deleted > 0
  }

  private func prunePiece(
    of database: Database, keepMS: Int64, maxBytes: Int64?, limit: Int
  ) throws(DatabaseError) -> Int {
    let bound = if let bound = pruning.bound { bound } else { try pruneBound(in: database) }
    pruning.bound = bound
    var isOver = false
    if let maxBytes { isOver = try Self.usedBytes(in: database) > maxBytes }
    let rows = try oldest(limit, through: bound, keepMS: keepMS, all: isOver, in: database)
    guard !rows.isEmpty else { return 0 }
    try database.transaction { () throws(DatabaseError) in
      for row in rows {
        try database.run("DELETE FROM events WHERE number = ?", [.integer(row)])
      }
    }
    forgetStored(through: rows.last ?? 0)
    return rows.count
  }

  private func pruneBound(in database: Database) throws(DatabaseError) -> Int64 {
    let newest = try database.integer(
      "SELECT number FROM events ORDER BY number DESC LIMIT 1 OFFSET ?",
      [.integer(settings.keepNewest)])
    let needed = ledger.hooks.values.map(\.doneThrough).min() ?? ledger.lastRow
    return min(newest ?? 0, needed, ledger.journal.safeThrough)
  }

  private static func usedBytes(in database: Database) throws(DatabaseError) -> Int64 {
    let pages = try database.integer("PRAGMA page_count") ?? 0
    let free = try database.integer("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try database.integer("PRAGMA page_size") ?? 0)
  }

  /// Of the oldest `limit` rows, those that are to go.
  private func oldest(
    _ limit: Int, through bound: Int64, keepMS: Int64, all: Bool, in database: Database
  ) throws(DatabaseError) -> [Int64] {
    let newest =
      try database.integer("SELECT time_ms FROM events ORDER BY number DESC LIMIT 1") ?? 0
    let cutoff = Timestamp(milliseconds: newest).advanced(by: -max(0, keepMS)).milliseconds
    var rows: [Int64] = []
    try database.query(
      "SELECT number, time_ms FROM events WHERE number <= ? ORDER BY number LIMIT ?",
      [.integer(bound), .integer(Int64(limit))]
    ) { row in
      if all || row.integer(1) < cutoff { rows.append(row.integer(0)) }
      return true
    }
    return rows
  }
}
