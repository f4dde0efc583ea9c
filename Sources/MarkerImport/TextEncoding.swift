import Glibc

/// Turns a file's encoding into UTF-8, chunk by chunk; iconv(3). A byte that the encoding does not
/// have is a fault that names its line.
struct TextEncoding: ~Copyable {
  let name: String
  private let descriptor: iconv_t?
  private var rest: [UInt8] = []
  private var line = 1
  /// Bytes of the line before ``rest``.
  private var column = 0

  /// Names as users write them, and what iconv has for them. Where two encodings share a name in
  /// practice it is the larger one: files called Shift_JIS and EUC-KR hold the vendor's letters too.
  private static let aliases = [
    "big5": "CP950", "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932",
    "euc-kr": "CP949", "latin-1": "ISO-8859-1", "latin1": "ISO-8859-1", "utf8": "UTF-8",
    "big5-hkscs": "BIG5-HKSCS", "big5hkscs": "BIG5-HKSCS",
  ]

  init(_ name: String) throws(ImportFault) {
    self.init(name: name, descriptor: try Self.open(name))
  }

  private init(name: String, descriptor: iconv_t?) {
    self.name = name
    self.descriptor = descriptor
  }

  deinit { if let descriptor { iconv_close(descriptor) } }

  /// iconv_open(3); nil for UTF-8, which needs no turning.
  private static func open(_ name: String) throws(ImportFault) -> iconv_t? {
    let alias = aliases[name.lowercased()] ?? name.uppercased()
    guard alias != "UTF-8" else { return nil }
    let opened = iconv_open("UTF-8", alias)
    guard opened != iconv_t(bitPattern: -1) else {
      throw ImportFault(
        .usage,
        "encoding \"\(name)\" is unknown (use utf-8, cp950, big5hkscs, shift_jis, euc-kr or latin-1; "
          + "iconv --list names more)")
    }
    return opened
  }

  /// Appends the UTF-8 of `chunk` to `text`; an empty chunk is the end of the file.
  mutating func decode(_ chunk: [UInt8], into text: inout [UInt8], file: String)
    throws(ImportFault)
  {
    let isLast = chunk.isEmpty
    let bytes = rest.isEmpty ? chunk : rest + chunk
    rest = []
    let used: Int
    if descriptor == nil {
      used = validate(bytes)
      text.append(contentsOf: bytes[..<used])
    } else {
      used = convert(bytes, into: &text)
    }
    // An incomplete character at a chunk's end is shorter than eight bytes.
    if used < bytes.count, isLast || bytes.count - used >= 8 {
      advance(over: bytes[..<used])
      if isLast, bytes.count - used < 4, bytes[used] >= 0x80 {
        throw ImportFault(
          .data, "\(file):\(line): the file ends within a \(name) character (is it cut off?)")
      }
      throw fault(bytes[used], file: file)
    }
    advance(over: bytes[..<used])
    rest = Array(bytes[used...])
  }

  /// How many bytes from the start are UTF-8.
  private func validate(_ bytes: [UInt8]) -> Int {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return bytes.count
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  private func convert(_ bytes: [UInt8], into text: inout [UInt8]) -> Int {
    guard let descriptor else { return 0 }
    var source = bytes
    // No input flushes what the encoding holds back. Three bytes for one of input is the most.
    return source.withUnsafeMutableBytes { input in
      var inputBase = input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var inputLeft = input.count
      let converted = [UInt8](unsafeUninitializedCapacity: input.count * 4 + 16) { output, count in
        output.withMemoryRebound(to: CChar.self) { output in
          var outputBase = output.baseAddress
          var outputLeft = output.count
          if input.isEmpty {
            _ = iconv(descriptor, nil, nil, &outputBase, &outputLeft)
          } else {
            _ = iconv(descriptor, &inputBase, &inputLeft, &outputBase, &outputLeft)
          }
          count = output.count - outputLeft
        }
      }
      text.append(contentsOf: converted)
      return input.count - inputLeft
    }
  }

  private mutating func advance(over bytes: ArraySlice<UInt8>) {
    var start = bytes.startIndex
    while let newline = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      line += 1
      column = 0
      start = newline + 1
    }
    column += bytes.endIndex - start
  }

  private func fault(_ byte: UInt8, file: String) -> ImportFault {
    let digits = String(byte, radix: 16, uppercase: true)
    let hex = "0x" + (digits.utf8.count < 2 ? "0" : "") + digits
    let others = ["utf-8", "cp950", "big5hkscs", "shift_jis", "euc-kr", "latin-1"]
      .filter { $0 != name.lowercased() }.joined(separator: ", ")
    return ImportFault(
      .data,
      "\(file):\(line): byte \(column + 1) of the line, \(hex), is not \(name) "
        + "(try --encoding with one of \(others))")
  }
}
