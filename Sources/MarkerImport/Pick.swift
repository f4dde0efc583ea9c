import Glibc

/// A POSIX extended regular expression that picks a value out of a cell: its first group, or else all
/// that it matches. regcomp(3), regexec(3).
final class Pick {
  /// UTF-8 characters are single ones to it.
  private static let locale: Void = { _ = setlocale(LC_CTYPE, "C.UTF-8") }()

  private var expression = regex_t()

  init(_ text: String) throws(ImportFault) {
    _ = Self.locale
    let code = regcomp(&expression, text, REG_EXTENDED)
    guard code == 0 else {
      var reason = [CChar](repeating: 0, count: 256)
      regerror(code, &expression, &reason, reason.count)
      let words = String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      throw ImportFault(.usage, "\"\(text)\" is not a regular expression: \(words)")
    }
  }

  deinit { regfree(&expression) }

  /// Nil where nothing matches, or the group took no part.
  func pick(from text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    if text.isEmpty { return nil }
    var matches = (regmatch_t(), regmatch_t())
    matches.0.rm_eo = Int32(truncatingIfNeeded: text.count)
    // REG_STARTEND reads the range given instead of up to a null byte.
    let found = text.withUnsafeBytes { bytes in
      withUnsafeMutableBytes(of: &matches) { matches in
        regexec(
          &expression, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), 2,
          matches.assumingMemoryBound(to: regmatch_t.self).baseAddress, REG_STARTEND)
      }
    }
    guard found == 0 else { return nil }
    let match = expression.re_nsub > 0 ? matches.1 : matches.0
    guard match.rm_so >= 0 else { return nil }
    return text[text.startIndex + Int(match.rm_so)..<text.startIndex + Int(match.rm_eo)]
  }
}
