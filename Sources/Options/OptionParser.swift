import CGetopt
import Glibc
import Synchronization

/// Reads a command line by getopt_long(3): names may be shortened while they stay unique, `--` ends
/// the options.
package struct OptionParser: Sendable {
  private let options: [CommandOption]
  private let stopsAtFirstOperand: Bool

  /// With `stopsAtFirstOperand` what follows the first operand is an operand too, so that
  /// `find 台9 -0K+300` has no option; otherwise options and operands may be mixed.
  package init(_ options: [CommandOption], stopsAtFirstOperand: Bool = false) {
    self.options = options
    self.stopsAtFirstOperand = stopsAtFirstOperand
  }

  /// Reads `arguments`, which come without the program's or command's name. Throws a `UsageError`
  /// naming the option that is unknown, ambiguous, lacks its value, or has one that it does not take.
  package func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
    let result: Result<ParsedOptions, UsageError> = Self.turn.withLock { _ in
      CStrings.with([""] + arguments) { argv in
        CStrings.with(options.map(\.name)) { names in walk(argv, names) }
      }
    }
    return try result.get()
  }

  /// getopt_long keeps its place in globals.
  private static let turn = Mutex(())

  private typealias Pointers = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  /// Long options are returned as this and their place in `options`, beyond every letter.
  private static let firstLong: Int32 = 0x100

  private func walk(_ argv: Pointers, _ names: Pointers) -> Result<ParsedOptions, UsageError> {
    var long = zip(options, names).enumerated().map { place, pair in
      option(
        name: UnsafePointer(pair.1), has_arg: pair.0.value == .required ? 1 : 0, flag: nil,
        val: Self.firstLong + Int32(truncatingIfNeeded: place))
    }
    long.append(option())
    let count = Int32(truncatingIfNeeded: argv.count - 1)
    guard let pointers = argv.baseAddress else { return .success(ParsedOptions()) }
    var parsed = ParsedOptions()
    milepost_getopt_reset()
    while true {
      let code = getopt_long(count, pointers, shortOptions, &long, nil)
      if code == -1 { break }
      guard let found = known(code) else { return .failure(complaint(code, argv)) }
      parsed.options.append((found.name, milepost_optarg().map { String(cString: $0) }))
    }
    parsed.operands = argv[Int(milepost_optind())..<Int(count)].compactMap {
      $0.map { String(cString: $0) }
    }
    return .success(parsed)
  }

  /// `+` stops at the first operand, `:` tells a missing value from an unknown option.
  private var shortOptions: String {
    var text = stopsAtFirstOperand ? "+:" : ":"
    for option in options {
      guard let letter = option.letter else { continue }
      text += String(letter) + (option.value == .required ? ":" : "")
    }
    return text
  }

  private func known(_ code: Int32) -> CommandOption? {
    if code >= Self.firstLong { return options[Int(code - Self.firstLong)] }
    return options.first { $0.letter?.asciiValue.map(Int32.init) == code }
  }

  private func complaint(_ code: Int32, _ argv: Pointers) -> UsageError {
    let culprit = milepost_optopt()
    if code == Int32(UInt8(ascii: ":")), let option = known(culprit) {
      return UsageError("--\(option.name) needs a value")
    }
    if culprit >= Self.firstLong, let option = known(culprit) {
      return UsageError("--\(option.name) takes no value")
    }
    if let letter = UInt8(exactly: culprit), letter > 0 {
      return UsageError("unknown option -\(Character(UnicodeScalar(letter)))")
    }
    return UsageError(longComplaint(argv))
  }

  private func longComplaint(_ argv: Pointers) -> String {
    let place = Int(milepost_optind()) - 1
    let text = argv[place].map { String(cString: $0) } ?? ""
    let name = text.prefix { $0 != "=" }
    let candidates = options.filter { $0.name.hasPrefix(name.drop { $0 == "-" }) }
    guard candidates.count > 1 else { return "unknown option \(name)" }
    return "\(name) may be " + candidates.map { "--" + $0.name }.joined(separator: " or ")
  }
}

/// Copies of strings as C wants them, with a null pointer after the last.
private enum CStrings {
  static func with<Answer>(
    _ strings: [String],
    _ body: (UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>) -> Answer
  ) -> Answer {
    var pointers = strings.map { strdup($0) } + [nil]
    let originals = pointers
    defer { for pointer in originals { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0) }
  }
}
