/// Why the store cannot be opened at all: for the person who has to fix it.
package struct StoreError: Error, Equatable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// Another instance holds the lock beside the database. Exit 1.
    case inUse(pid: Int32?)
    /// Written by a newer version; nothing was touched. Exit 78.
    case newerSchema
    /// A database of another program; nothing was touched. Exit 78.
    case notOurs
    /// No such directory, or no right to write there. Exit 74.
    case unusable
    /// Another process, not an instance of ours, keeps the database locked. Exit 74.
    case locked
  }

  package let kind: Kind
  package let path: String
  package let reason: String

  /// One line: `/var/lib/milepostd/events.db: Permission denied`.
  package var description: String { "\(path): \(reason)" }

  /// As DESIGN's contract lists them.
  package var exitCode: Int32 {
    switch kind {
    case .inUse: 1
    case .newerSchema, .notOurs: 78
    case .unusable, .locked: 74
    }
  }
}

/// Something that happened to the store and that the journal should tell, once.
package enum StoreNotice: Equatable, Sendable, CustomStringConvertible {
  /// The database was corrupt; a new one is begun, with the rules of a first run.
  case corrupt(movedTo: String, reason: String)
  /// The machine id is another one: a cloned card. Ids have a new installation id from here.
  case newMachine(installation: String)
  /// Events go on from memory, under a series of their own.
  case inMemory(path: String, reason: String, series: String)
  /// Memory is full: the oldest events will not be stored. Said once for an outage.
  case memoryFull(limit: Int)
  /// The database can be written again, and the events from memory are in it.
  case storedAgain(events: Int, lost: Int)
  /// Events cannot be read back for now.
  case unreadable(path: String, reason: String)

  /// Whether it is bad news.
  package var isWarning: Bool {
    if case .storedAgain(_, 0) = self { return false }
    return true
  }

  package var description: String {
    switch self {
    case .corrupt(let name, let reason):
      "event store was corrupt: \(reason); moved aside to \(name), beginning a new one"
    case .newMachine(let installation):
      "machine id has changed, event ids begin with \(installation) from now on"
    case .inMemory(let path, let reason, let series):
      "\(path): \(reason); keeping events in memory as \(series)-1 and on until it can be written"
    case .memoryFull(let limit):
      "event store still cannot be written and memory holds \(limit) events, dropping the oldest"
    case .storedAgain(let events, let lost):
      "event store can be written again, \(events) events stored from memory"
        + (lost == 0 ? "" : ", \(lost) lost")
    case .unreadable(let path, let reason):
      "\(path): \(reason); stored events cannot be read, trying again"
    }
  }
}
