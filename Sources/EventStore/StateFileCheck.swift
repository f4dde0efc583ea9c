internal import Glibc

/// Whether the state's files may be used: nobody but root and the daemon's user may be able to change
/// them, or have them changed by us in the place of others.
///
/// A database outside `/var/lib/milepostd` may lie in a directory that others write to. There they could
/// put a link to another file of ours, which we would overwrite, a FIFO that never answers, or a
/// database of their making. Looked at before anything is opened; in a directory that passes, only root
/// and the daemon's user can put something else there afterwards.
struct StateFileCheck {
  let path: String

  /// Looks at the directory and at each file that is there.
  /// - Parameter user: the daemon's user, beside root.
  /// - Returns: why they are refused; nil where they are fine or not there yet.
  func refusal(user: UInt32 = geteuid()) -> String? {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    var status = stat()
    let isThere = stat(folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder, &status) == 0
    // What is not there is for open(2) to say.
    guard isThere else { return nil }
    if let reason = Self.fault(status, user) { return "its directory \(reason)" }
    for suffix in ["", "-wal", "-shm", ".lock"] {
      guard lstat(path + suffix, &status) == 0 else { continue }
      guard let reason = Self.kindFault(status) ?? Self.fault(status, user) else { continue }
      return suffix.isEmpty ? reason : "its \(suffix.dropFirst()) file \(reason)"
    }
    return nil
  }

  /// What is wrong with its kind.
  private static func kindFault(_ status: stat) -> String? {
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      status.st_nlink > 1
        ? "has another name, too: a hard link (make a copy and put it in its place)" : nil
    case S_IFLNK: "is a symbolic link (set Database= to the place itself)"
    case S_IFDIR: "is a directory"
    default: "is not a regular file"
    }
  }

  /// What is wrong with its owner and mode. Others cannot replace our files in a sticky directory.
  private static func fault(_ status: stat, _ user: UInt32) -> String? {
    guard status.st_uid == 0 || status.st_uid == user else {
      return "belongs to user \(status.st_uid), not to root or the daemon's user"
    }
    let isStickyDirectory =
      status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
    guard !isStickyDirectory, status.st_mode & (S_IWGRP | S_IWOTH) != 0 else { return nil }
    let who = status.st_mode & S_IWOTH != 0 ? "everybody" : "its group"
    return "is writable by \(who) (chmod go-w)"
  }
}
