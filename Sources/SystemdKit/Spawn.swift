internal import CSystemd
internal import Glibc

/// A child process that runs or has ended and is not reaped yet.
package struct Child: ~Copyable {
  package let pid: Int32
  /// Readable when the child has ended, pidfd_open(2).
  package let pidfd: FileDescriptor

  /// Sends a signal to the child's process group, by kill(2). A group that is gone is no error.
  package borrowing func signalGroup(_ signal: Int32) {
    _ = kill(-pid, signal)
  }
}

/// A program to be started, by posix_spawn(3): no shell, own process group, no blocked or ignored
/// signals, descriptors 0 to 2 only.
package struct Spawn {
  /// Path of the executable; PATH is not searched.
  package var executable: String
  /// The argument vector, the program's name first.
  package var arguments: [String]
  /// The whole environment; nothing is inherited.
  package var environment: [(name: String, value: String)]
  /// nil: the daemon's own.
  package var directory: String?

  package init(
    executable: String, arguments: [String], environment: [(name: String, value: String)],
    directory: String? = "/"
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  /// Starts it with these three descriptors as its 0, 1 and 2.
  /// - Throws: ``SystemError``, also where `exec` fails in the child.
  package func start(
    input: borrowing FileDescriptor, output: borrowing FileDescriptor,
    error: borrowing FileDescriptor
  ) throws(SystemError) -> Child {
    // Below 3 a source could be overwritten by the dup2 of another.
    let input = try duplicateAboveStandard(input)
    let output = try duplicateAboveStandard(output)
    let error = try duplicateAboveStandard(error)
    let actions = try SpawnFileActions(
      standard: [input.rawValue, output.rawValue, error.rawValue], directory: directory)
    let attributes = try SpawnAttributes()
    let argumentVector = try CStrings(arguments, for: executable)
    let environmentVector = try CStrings(
      environment.map { "\($0.name)=\($0.value)" }, for: executable)
    var pid: pid_t = 0
    let result = posix_spawn(
      &pid, executable, actions.pointer, attributes.pointer,
      argumentVector.pointer, environmentVector.pointer)
    // The error is the return value, not errno.
    guard result == 0 else {
      throw SystemError(call: "posix_spawn", subject: executable, errno: result)
    }
    return try adopt(pid)
  }

  private func adopt(_ pid: pid_t) throws(SystemError) -> Child {
    do {
      let pidfd = try retryingInterrupts("pidfd_open", on: executable) { pidfd_open(pid, 0) }
      return Child(pid: pid, pidfd: FileDescriptor(owning: pidfd))
    } catch {
      // Nobody could wait for it.
      kill(-pid, SIGKILL)
      _ = try? retryingInterrupts("waitpid", on: executable) { waitpid(pid, nil, 0) }
      throw error
    }
  }

  private func duplicateAboveStandard(
    _ descriptor: borrowing FileDescriptor
  ) throws(SystemError) -> FileDescriptor {
    let raw = descriptor.rawValue
    let copy = try retryingInterrupts("fcntl", on: executable) { fcntl(raw, F_DUPFD_CLOEXEC, 3) }
    return FileDescriptor(owning: copy)
  }
}

/// What posix_spawn does to the child's descriptors.
private final class SpawnFileActions {
  let pointer: UnsafeMutablePointer<posix_spawn_file_actions_t>

  /// Plans them; `standard` holds the sources of 0, 1 and 2, each above 2.
  init(standard: [Int32], directory: String?) throws(SystemError) {
    pointer = .allocate(capacity: 1)
    posix_spawn_file_actions_init(pointer)
    for (target, source) in standard.enumerated() {
      let result = posix_spawn_file_actions_adddup2(pointer, source, Int32(target))
      try check(-result, "posix_spawn_file_actions_adddup2", on: "descriptor \(target)")
    }
    let result = posix_spawn_file_actions_addclosefrom_np(pointer, 3)
    try check(-result, "posix_spawn_file_actions_addclosefrom_np", on: "descriptors")
    if let directory {
      let result = posix_spawn_file_actions_addchdir_np(pointer, directory)
      try check(-result, "posix_spawn_file_actions_addchdir_np", on: directory)
    }
  }

  deinit {
    posix_spawn_file_actions_destroy(pointer)
    pointer.deallocate()
  }
}

/// Own group, empty signal mask, every signal at its default.
private final class SpawnAttributes {
  let pointer: UnsafeMutablePointer<posix_spawnattr_t>

  init() throws(SystemError) {
    pointer = .allocate(capacity: 1)
    posix_spawnattr_init(pointer)
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    try check(
      -posix_spawnattr_setsigmask(pointer, &none), "posix_spawnattr_setsigmask", on: "child")
    try check(
      -posix_spawnattr_setsigdefault(pointer, &all), "posix_spawnattr_setsigdefault", on: "child")
    try check(-posix_spawnattr_setpgroup(pointer, 0), "posix_spawnattr_setpgroup", on: "child")
    try check(
      -posix_spawnattr_setflags(pointer, Int16(flags)), "posix_spawnattr_setflags", on: "child")
  }

  deinit {
    posix_spawnattr_destroy(pointer)
    pointer.deallocate()
  }
}

/// A null-terminated vector of C strings.
private final class CStrings {
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  /// - Throws: EINVAL for a string with a NUL, which would be cut silently.
  init(_ strings: [String], for subject: String) throws(SystemError) {
    guard strings.allSatisfy({ !$0.utf8.contains(0) }) else {
      throw SystemError(call: "posix_spawn", subject: subject, errno: EINVAL)
    }
    count = strings.count
    pointer = .allocate(capacity: count + 1)
    for (index, string) in strings.enumerated() { (pointer + index).initialize(to: strdup(string)) }
    (pointer + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { free(pointer[index]) }
    pointer.deallocate()
  }
}
