/// The tables, and what says whose database and which version it is.
enum Schema {
  /// `MPOS`, in the file's header at offset 68.
  static let applicationID: Int64 = 0x4D50_4F53
  /// In the file's header at offset 60.
  static let version: Int64 = 1

  /// STRICT needs SQLite 3.37.
  private static let tables = """
    CREATE TABLE state (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      installation TEXT NOT NULL,
      machine TEXT NOT NULL,
      boot TEXT NOT NULL,
      clean_end INTEGER NOT NULL,
      last_number INTEGER NOT NULL,
      last_sequence INTEGER NOT NULL,
      journaled_through INTEGER NOT NULL,
      journal_safe_through INTEGER NOT NULL,
      has_held INTEGER NOT NULL,
      last_fix_ms INTEGER,
      last_fix_source TEXT
    ) STRICT;
    CREATE TABLE events (
      number INTEGER PRIMARY KEY,
      time_ms INTEGER NOT NULL,
      time_source TEXT NOT NULL,
      recorded_ms INTEGER NOT NULL,
      recorded_boot TEXT NOT NULL,
      for_hooks INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      id TEXT NOT NULL,
      kind TEXT NOT NULL,
      fence TEXT NOT NULL,
      message TEXT NOT NULL,
      fields BLOB NOT NULL,
      json TEXT NOT NULL
    ) STRICT;
    CREATE TABLE held (
      fence TEXT PRIMARY KEY,
      since_ms INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE hooks (
      name TEXT PRIMARY KEY,
      done_through INTEGER NOT NULL,
      attempts INTEGER NOT NULL,
      not_before_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE troubles (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      count INTEGER NOT NULL
    ) STRICT;
    INSERT INTO troubles VALUES (1, 0);
    """

  /// Says how the connection works; nothing of it is kept in the file.
  static func configure(_ database: Database) throws(DatabaseError) {
    try database.execute("PRAGMA synchronous=FULL")
    try database.execute("PRAGMA cache_size=-1024")
    try database.execute("PRAGMA journal_size_limit=8388608")
    try database.execute("PRAGMA wal_autocheckpoint=1000")
  }

  /// The mode is kept in the file; someone may have changed it there.
  static func useLog(_ database: Database) throws(DatabaseError) {
    try database.execute("PRAGMA journal_mode=WAL")
  }

  static func create(in database: Database) throws(DatabaseError) {
    try useLog(database)
    try database.transaction { () throws(DatabaseError) in
      try database.execute(tables)
      try database.execute("PRAGMA application_id=\(applicationID)")
      try database.execute("PRAGMA user_version=\(version)")
    }
    // The header tells whose file it is only once it is out of the log.
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
