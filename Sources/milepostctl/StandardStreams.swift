import Glibc

/// Standard input, output and error of the program.
enum StandardStreams {
  /// Fills those that the caller closed, so that no file gets their number and a message does not end up
  /// in it: what is filled can only be used the wrong way round, which fails. open(2)
  static func fillClosed() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is given out.
      _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// A limit of file sizes is told as an error of write(2) then, instead of ending the program; signal(7).
  static func outliveFileLimit() { signal(SIGXFSZ, SIG_IGN) }
}
