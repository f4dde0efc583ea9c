/// Reads CSV of any delimiter (RFC 4180; a lone LF or CR ends a record too).
final class CSVRecords: RecordReader {
  private let source: TextSource
  private let dialect: CSVDialect
  private let delimiter: UInt8
  private var line = 1
  /// The cells that are wanted, and the slot of each.
  private var wantedCells: [(place: Int, slot: Int)] = []
  private(set) var missing: Set<Int> = []
  private(set) var cellOfSlot: [Int: Int] = [:]
  private(set) var header: [String] = []
  /// How many cells a row has to have; nil without a header.
  private var cellCount: Int?
  private var cells: [Cell] = []
  /// The line of a last record that no line end closes: it may be cut off.
  private(set) var unendedLine: Int?

  private struct Cell {
    var range: Range<Int>
    var isEscaped = false
  }

  private enum Scan {
    case complete(end: Int, lines: Int)
    case needsMore
    case fault(String)
  }

  init(_ source: TextSource, dialect: CSVDialect, wanted: WantedFields) throws(ImportFault) {
    self.source = source
    self.dialect = dialect
    delimiter = dialect.delimiter ?? Self.detected(source, after: dialect.skippedLines)
    for _ in 0..<dialect.skippedLines { line += try skipLine() }
    try resolve(wanted)
  }

  func next(_ record: inout Record) throws(ImportFault) -> Bool {
    while true {
      record.clear(line: line)
      guard let end = try scanRecord(&record) else { return false }
      if record.fault == nil {
        if cells.count == 1, cells[0].range.isEmpty {
          source.position = end
          continue
        }
        fill(&record)
        source.position = end
      }
      return true
    }
  }

  /// Scans one record into ``cells``; its end, or nil at the end of the file. A record at fault is
  /// stepped over, from its first line on.
  private func scanRecord(_ record: inout Record) throws(ImportFault) -> Int? {
    while true {
      if source.position == source.window.count, source.isAtEnd { return nil }
      let fault: String
      switch scan() {
      case .complete(let end, let lines) where end - source.position <= recordLimit:
        if end == source.window.count, source.isAtEnd, !endsLine(end) { unendedLine = record.line }
        line += lines
        return end
      case .needsMore where source.window.count - source.position <= recordLimit:
        _ = try source.refill()
        continue
      case .complete, .needsMore:
        fault = "is longer than 1 MiB (is a quote left open, or the file no CSV?)"
      case .fault(let reason): fault = reason
      }
      record.fault = fault
      line += try skipLine()
      return source.position
    }
  }

  private func fill(_ record: inout Record) {
    if let cellCount, cells.count != cellCount {
      let isCut = unendedLine != nil && cells.count < cellCount
      unendedLine = nil
      record.fault =
        isCut
        ? "has fewer cells than the header and no line end: the file seems cut off"
        : "has another number of cells than the header"
      return
    }
    for (place, slot) in wantedCells where place < cells.count {
      let cell = cells[place]
      let text = source.window[cell.range]
      if cell.isEscaped {
        record.set(slot, unescaped(text))
      } else {
        record.set(slot, text)
      }
    }
  }

  /// True where a line end stands before `end`.
  private func endsLine(_ end: Int) -> Bool {
    guard end > source.position else { return true }
    return source.window[end - 1] == 10 || source.window[end - 1] == 13
  }

  /// `lines` of the file follow the quote.
  private static func openQuote(_ lines: Int) -> String {
    lines == 0
      ? "a quote is not closed and the file ends: it seems cut off"
      : "a quote is not closed (is it a stray one, or the file cut off?)"
  }

  private func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isSecond = false
    for byte in text {
      isSecond = byte == dialect.quote && !isSecond && result.last == dialect.quote
      if !isSecond { result.append(byte) }
    }
    return result
  }

  /// Finds the cells of the record at the source's position.
  private func scan() -> Scan {
    cells.removeAll(keepingCapacity: true)
    let isAtEnd = source.isAtEnd
    var position = source.position
    var lines = 0
    return source.window.withUnsafeBufferPointer { bytes in
      let count = bytes.count
      while true {
        if position < count, bytes[position] == dialect.quote {
          guard let cell = quoted(bytes, from: position + 1, lines: &lines) else {
            return isAtEnd ? .fault(Self.openQuote(lines)) : .needsMore
          }
          cells.append(cell)
          position = cell.range.upperBound + 1
        } else {
          let start = position
          while position < count, bytes[position] != delimiter, bytes[position] != 10,
            bytes[position] != 13
          {
            position += 1
          }
          cells.append(Cell(range: start..<position))
        }
        // A CR may have its LF in the next chunk.
        guard position < count || isAtEnd, position + 1 < count || isAtEnd else {
          return .needsMore
        }
        guard position < count else { return .complete(end: count, lines: lines) }
        let byte = bytes[position]
        position += 1
        switch byte {
        case delimiter: continue
        case 10: return .complete(end: position, lines: lines + 1)
        case 13:
          if position < count, bytes[position] == 10 { position += 1 }
          return .complete(end: position, lines: lines + 1)
        default: return .fault("text follows a closing quote")
        }
      }
    }
  }

  /// The cell up to its closing quote; nil where that is not in the window.
  private func quoted(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, lines: inout Int
  ) -> Cell? {
    var cell = Cell(range: start..<start)
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      if byte == dialect.quote {
        guard position + 1 < bytes.count, bytes[position + 1] == byte else {
          cell.range = start..<position
          return cell
        }
        cell.isEscaped = true
        position += 1
      } else if byte == 10 {
        lines += 1
      } else if byte == 13, position + 1 < bytes.count, bytes[position + 1] != 10 {
        lines += 1
      }
      position += 1
    }
    return nil
  }

  /// Steps over the rest of the line, however long; returns 1, the lines stepped over.
  private func skipLine() throws(ImportFault) -> Int {
    while true {
      let rest = source.window[source.position...]
      let end = rest.firstIndex { $0 == 10 || $0 == 13 } ?? rest.endIndex
      source.position = end
      // A CR may have its LF in the next chunk.
      if end + 1 >= source.window.count, try source.refill() { continue }
      guard source.position < source.window.count else { return 1 }
      let byte = source.window[source.position]
      source.position += 1
      let isPair = byte == 13 && source.position < source.window.count
      if isPair, source.window[source.position] == 10 { source.position += 1 }
      return 1
    }
  }
}

extension CSVRecords {
  /// Reads the header, and finds the cell of each wanted field: by name, or by number as `#3` or `3`.
  private func resolve(_ wanted: WantedFields) throws(ImportFault) {
    if dialect.hasHeader {
      var record = Record(slots: 0)
      repeat {
        guard let end = try scanRecord(&record) else {
          throw ImportFault(.data, "\(source.name): is empty")
        }
        if let fault = record.fault {
          throw ImportFault(.data, "\(source.name):\(line - 1): the header \(fault)")
        }
        header = cells.map { cell in
          let text = source.window[cell.range]
          return (cell.isEscaped ? unescaped(text)[...] : text).trimmed.text
        }
        source.position = end
      } while header == [""]
      cellCount = header.count
    }
    for (slot, name) in wanted.names.enumerated() {
      if let place = place(of: name) {
        wantedCells.append((place, slot))
        cellOfSlot[slot] = place
      } else {
        missing.insert(slot)
      }
    }
  }

  private func place(of name: String) -> Int? {
    if let place = header.firstIndex(of: name) { return place }
    if let place = header.firstIndex(where: { $0.lowercased() == name.lowercased() }) {
      return place
    }
    if let number = Int(name.number), number >= 1,
      header.isEmpty ? number <= 10_000 : number <= header.count
    {
      return number - 1
    }
    return nil
  }

  /// The most frequent of the usual delimiters in the header's line.
  private static func detected(_ source: TextSource, after skipped: Int) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var (skipped, previous) = (skipped, UInt8(0))
    for byte in source.window[source.position...].prefix(65_536) {
      let endsPair = byte == 10 && previous == 13
      previous = byte
      if endsPair { continue }
      if byte == 10 || byte == 13 {
        if skipped == 0 { break }
        skipped -= 1
      } else if skipped == 0, CSVDialect.usual.contains(byte) {
        counts[byte, default: 0] += 1
      }
    }
    return CSVDialect.usual.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? 0x2C
  }
}

/// How a CSV file is written.
package struct CSVDialect: Sendable {
  /// Nil finds it in the first line.
  package var delimiter: UInt8?
  /// Nil where quotes are letters like others.
  package var quote: UInt8? = UInt8(ascii: "\"")
  package var hasHeader = true
  /// Lines before the header.
  package var skippedLines = 0

  package init() {}

  /// The comma last, so that it wins where none occurs.
  static let usual: [UInt8] = [0x7C, 0x09, 0x3B, 0x2C]
}
