/// Times at which something is due, milliseconds of CLOCK_BOOTTIME; nil is never.
enum Deadline {
  static func earlier(_ a: Int64?, _ b: Int64?) -> Int64? {
    guard let a else { return b }
    guard let b else { return a }
    return min(a, b)
  }
}
