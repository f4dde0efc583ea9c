import TestSupport

/// A man page of the project, as its mdoc source.
struct ManualPage {
  static let all = ["milepostd.8", "milepostctl.1", "milepostd.conf.5", "milepost-hooks.7"]

  let path: String
  let lines: [Substring]

  init(_ name: String) throws {
    path = "\(TestData.package)/Documentation/\(name)"
    lines = try readText(path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  private init(path: String, lines: [Substring]) {
    self.path = path
    self.lines = lines
  }

  /// The lines between `.Ss NAME` or `.Sh NAME` and the next heading.
  func section(_ name: String) -> ManualPage {
    let inside =
      lines.drop { $0 != ".Ss \(name)" && $0 != ".Sh \(name)" }.dropFirst()
      .prefix { !$0.hasPrefix(".Ss ") && !$0.hasPrefix(".Sh ") }
    return ManualPage(path: path, lines: Array(inside))
  }

  /// The long options that have an entry here: `.It Fl o , -output Ar FILE`.
  var options: Set<String> {
    var options: Set<String> = []
    for line in lines where line.hasPrefix(".It Fl ") {
      for word in line.split(separator: " ") where word.hasPrefix("-") {
        options.insert("-\(word)")
      }
    }
    return options
  }

  /// All words that look like `MILEPOST_FENCE`.
  var fields: Set<String> {
    let words = lines.flatMap { $0.split { !($0.isLetter || $0 == "_") } }
    return Set(words.filter { $0.hasPrefix("MILEPOST_") }.map(String.init))
  }
}

/// The text of a file.
func readText(_ path: String) throws -> String {
  String(decoding: try TestData.bytes(of: path), as: UTF8.self)
}
