/// Walks the records of a CSV file (RFC 4180; a lone LF or CR ends a record too), cell by cell,
/// without copying.
struct CSVWalker {
  /// Where a cell's text lies, without its quotes.
  struct Cell {
    var range: Range<Int>
    /// The text has doubled quotes.
    var isEscaped = false
  }

  /// Why a record cannot be read. The walker goes on with the line after the record's first.
  struct Fault: Error {
    var reason: String
  }

  /// A quoted cell that is longer was never meant to be one.
  static let cellLimit = 65_536

  let bytes: [UInt8]
  /// How many cells the record read last has.
  private(set) var count = 0
  /// The cells of the record read last, and what longer records before it left behind them.
  private var cells: [Cell] = []
  /// Where the next record begins.
  private var position: Int
  private var line = 1
  /// The first line of the record read last.
  private(set) var recordLine = 1
  /// No line end closes the record read last.
  private(set) var isUnended = false

  init(bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  /// A cell of the record read last; `place` is below ``count``.
  subscript(place: Int) -> Cell { cells[place] }

  /// Reads the next record; false at the end of the file.
  mutating func next() throws(Fault) -> Bool {
    count = 0
    recordLine = line
    guard position < bytes.count else { return false }
    let start = position
    do {
      repeat { append(try cell()) } while try !endsRecord()
    } catch {
      skipLine(from: start)
      throw error
    }
    return true
  }

  private mutating func append(_ cell: Cell) {
    if count < cells.count {
      cells[count] = cell
    } else {
      cells.append(cell)
    }
    count += 1
  }

  /// Reads the cell at ``position`` and stops at what follows it.
  private mutating func cell() throws(Fault) -> Cell {
    let start = position
    if start < bytes.count, bytes[start] == quote { return try quotedCell() }
    position = endOfPlainCell()
    return Cell(range: start..<position)
  }

  /// The first separator at or after ``position``.
  private func endOfPlainCell() -> Int {
    let bytes = bytes.span
    var end = position
    while end < bytes.count {
      let byte = bytes[end]
      if byte <= comma, byte == comma || byte == lineFeed || byte == carriageReturn { break }
      end += 1
    }
    return end
  }

  private mutating func quotedCell() throws(Fault) -> Cell {
    let start = position + 1
    let limit = min(bytes.count, start + Self.cellLimit)
    var cell = Cell(range: start..<start)
    var end = start
    while end < limit {
      switch bytes[end] {
      case quote:
        guard end + 1 < bytes.count, bytes[end + 1] == quote else {
          cell.range = start..<end
          position = end + 1
          return cell
        }
        cell.isEscaped = true
        end += 2
        continue
      case lineFeed: line += 1
      case carriageReturn where end + 1 == bytes.count || bytes[end + 1] != lineFeed: line += 1
      default: break
      }
      end += 1
    }
    let isCut = end == bytes.count && !bytes[start...].contains(lineFeed)
    throw Fault(
      reason: isCut
        ? "a quote is not closed and the file ends: it seems cut off"
        : "a quote is not closed (end the cell with \", write a quote in it as \"\")")
  }

  /// Steps over what separates cells; true where the record ends.
  private mutating func endsRecord() throws(Fault) -> Bool {
    guard position < bytes.count else {
      isUnended = true
      return true
    }
    let byte = bytes[position]
    position += 1
    switch byte {
    case comma: return false
    case lineFeed: break
    case carriageReturn:
      if position < bytes.count, bytes[position] == lineFeed { position += 1 }
    default:
      throw Fault(reason: "text follows a closing quote (write a quote in a cell as \"\")")
    }
    line += 1
    return true
  }

  private mutating func skipLine(from start: Int) {
    line = recordLine + 1
    position = start
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == lineFeed { return }
      if byte == carriageReturn {
        if position < bytes.count, bytes[position] == lineFeed { position += 1 }
        return
      }
    }
  }
}

extension CSVWalker {
  /// The record read last holds nothing at all.
  var isBlankLine: Bool { count == 1 && self[0].range.isEmpty }

  /// Where the cell's text lies without blanks at its ends; doubled quotes are still doubled.
  func trimmed(_ cell: Cell) -> Range<Int> {
    let bytes = bytes.span
    var (start, end) = (cell.range.lowerBound, cell.range.upperBound)
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  /// The cell's text without blanks at the ends.
  func text(_ cell: Cell) -> String {
    let range = trimmed(cell)
    guard cell.isEscaped else { return String(decoding: bytes[range], as: UTF8.self) }
    var unescaped: [UInt8] = []
    var previousIsQuote = false
    for byte in bytes[range] {
      let isSecond = byte == quote && previousIsQuote
      if !isSecond { unescaped.append(byte) }
      previousIsQuote = byte == quote && !isSecond
    }
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// True where the same bytes stand at two places.
  func isEqual(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    guard a.count == b.count else { return false }
    let (first, second) = (bytes.span.extracting(a), bytes.span.extracting(b))
    for index in first.indices where first[index] != second[index] { return false }
    return true
  }
}

private let quote = UInt8(ascii: "\"")
private let comma = UInt8(ascii: ",")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 9 }
