import CSQLite
import CTestVFS
@testable import EventStore
import Geodesy
import Glibc
@testable import Milepost

/// A directory of its own, removed when it goes away.
final class ScratchDirectory {
  let path: String

  init() {
    var template = Array("/tmp/milepost-store-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var database: String { "\(path)/events.db" }

  var names: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func bytes(_ name: String) -> [UInt8]? {
    let descriptor = open("\(path)/\(name)", O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count <= 0 { return all }
      all += piece.prefix(count)
    }
  }

  func write(_ name: String, _ bytes: [UInt8]) {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { return }
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  /// The same file, other bytes: whoever has it open sees them.
  func overwrite(_ name: String, _ bytes: [UInt8]) {
    let descriptor = open("\(path)/\(name)", O_WRONLY)
    guard descriptor >= 0 else { return }
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  /// All files but the lock, by name.
  var contents: [String: [UInt8]] {
    Dictionary(
      uniqueKeysWithValues: names.filter { !$0.hasSuffix(".lock") }.map { ($0, bytes($0) ?? []) })
  }
}

/// The disk in memory, as an object.
final class TestDisk {
  let name: String
  let raw: OpaquePointer

  init(_ label: String) {
    name = "disk-\(label)-\(UInt64.random(in: 0 ... .max))"
    raw = test_disk_new(name)
  }

  func fail(
    _ kinds: Int, skip: Int = 0, every: Int = 0, code: Int32 = ioErrorOnWrite,
    torn: Bool = false
  ) {
    test_disk_fail(raw, Int32(kinds), skip, every, code, torn ? 1 : 0)
  }

  func heal() {
    test_disk_heal(raw)
    test_disk_set_full(raw, 0)
  }

  var isFull: Bool {
    get { false }
    set { test_disk_set_full(raw, newValue ? 1 : 0) }
  }

  func cutPower(seed: UInt64 = 0, kept percent: Int32) { test_disk_cut(raw, seed, percent) }
  var writes: Int { test_disk_count(raw, Int32(test_disk_write)) }
  var unsynced: Int { test_disk_unsynced(raw) }
  var failures: Int { test_disk_failures(raw) }
}

/// SQLITE_IOERR_WRITE, a macro too clever for Swift. Source: sqlite3.h.
let ioErrorOnWrite: Int32 = SQLITE_IOERR | 3 << 8
let writes = Int(test_disk_write)
let syncs = Int(test_disk_sync)
let reads = Int(test_disk_read)

/// SQL by SQLite's own interface, past the store. Rows as text; a failure is one row `error: …`.
func query(_ path: String, _ text: String, vfs: String? = nil) -> [[String]] {
  var database: OpaquePointer?
  defer { sqlite3_close_v2(database) }
  guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, vfs) == SQLITE_OK else {
    return [["error: open"]]
  }
  return query(database, text)
}

func query(_ database: OpaquePointer?, _ text: String) -> [[String]] {
  var statement: OpaquePointer?
  defer { sqlite3_finalize(statement) }
  guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK else {
    return [["error: \(String(cString: sqlite3_errmsg(database)))"]]
  }
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

/// Series that name themselves: `a`, `b`, …, for each fixture anew.
final class IDs {
  private var count = 0

  func next() -> String {
    count += 1
    return "series\(count)"
  }
}

let epoch = Timestamp(milliseconds: 1_795_000_000_000)

func at(_ seconds: Int64) -> Timestamp { epoch.advanced(by: seconds * 1_000) }

func fix(_ seconds: Int64) -> UsableFix {
  let coordinate = Coordinate(latitude: 24.85, longitude: 121.77)
  return UsableFix(
    coordinate: coordinate, point: ECEF(coordinate), time: at(seconds), timeSource: .fix)
}

func event(
  _ fence: String, _ kind: Transition.Kind = .enter, at seconds: Int64 = 0,
  cause: Cause = .crossing
) -> Event {
  Event(
    id: "", sequence: 0, kind: kind, cause: cause, time: at(seconds), timeSource: .fix,
    interpolated: true,
    fence: Geofence(id: fence, centre: Coordinate(latitude: 24.85, longitude: 121.77), radius: 40),
    travel: nil, fix: fix(seconds), distance: 24.4, inside: kind == .exit ? 3_000 : nil, gap: nil)
}

/// Where stores of one test live: a directory for the lock, and a disk unless it is a real one.
final class Home {
  let directory = ScratchDirectory()
  let disk: TestDisk?
  let ids = IDs()
  var settings = EventStore.Settings()
  var machine = "machine"
  var boot = "boot1"

  init(disk label: String? = nil) {
    disk = label.map { TestDisk($0) }
    settings.vfs = disk?.name
    settings.openTimeoutMS = 50
    settings.busyTimeoutMS = 20
  }

  func open(now: Int64 = 0) throws(StoreError) -> EventStore {
    try EventStore(
      path: directory.database, host: EventStore.Host(machineID: machine, bootID: boot), now: now,
      wall: at(0), settings: settings, randomID: ids.next)
  }

  func sql(_ text: String) -> [[String]] {
    query(directory.database, text, vfs: disk?.name)
  }

  var isSound: Bool { sql("PRAGMA integrity_check") == [["ok"]] }
}

extension EventStore {
  /// One event of one fence.
  func commit(
    _ fence: String, _ kind: Transition.Kind = .enter, second: Int64 = 0, now: Int64 = 0
  ) -> StoredEvent? {
    commit(
      [event(fence, kind, at: second)],
      held: kind == .enter ? [(fence, at(second))] : [],
      lastFix: FixTime(time: at(second), source: .fix), now: now
    ) { $0.cause != .initial }.first
  }

  var all: [StoredEvent] { events(after: 0, limit: .max, now: 0) }
}
