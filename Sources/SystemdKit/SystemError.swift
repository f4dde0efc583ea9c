internal import Glibc

/// A call to the operating system that failed: what was called, on what, and why.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  /// The C function, for example `open`.
  package let call: String
  /// What it was called on: a path, or a word such as `pipe`.
  package let subject: String
  /// The errno value, positive.
  package let code: Int32

  package init(call: String, subject: String, errno code: Int32) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// One line: `/run/fixes: open: Permission denied`.
  package var description: String {
    "\(subject): \(call): \(Self.text(of: code))"
  }

  /// The text of an errno value, by strerror_r(3).
  package static func text(of code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Makes a system call until it is not interrupted; the one place where EINTR is retried.
///
/// EBADF and EFAULT are bugs of the caller and trap.
/// - Returns: what the call returned, never -1.
/// - Throws: ``SystemError`` with errno, where the call returned -1.
package func retryingInterrupts<Result: FixedWidthInteger & SignedInteger>(
  _ call: String, on subject: @autoclosure () -> String, _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    let code = errno
    if result != -1 { return result }
    if code == EINTR { continue }
    precondition(code != EBADF && code != EFAULT, "\(call): errno \(code) is a bug")
    throw SystemError(call: call, subject: subject(), errno: code)
  }
}

/// Checks a libsystemd result, where a negative value is -errno.
@discardableResult
func check(
  _ result: Int32, _ call: String, on subject: @autoclosure () -> String
) throws(SystemError) -> Int32 {
  guard result < 0 else { return result }
  throw SystemError(call: call, subject: subject(), errno: -result)
}
