import Geodesy
package import Milepost

/// Reads marker files, given as bytes, into one set of fences: UTF-8 CSV with a header (RFC 4180).
///
/// A row with a fault is reported and skipped; a file without a usable row is a failure. Rows of all
/// files are merged together, in the order in which the files are read.
package struct MarkerReader {
  /// Reports kept of one file; what is beyond is counted in its last one.
  package static let reportLimit = 10_000

  private let options: MarkerOptions
  private var result = MarkerSet()
  private var files: [String] = []
  private var merger: FenceMerger
  private var roadsSeen: Set<String> = []
  private var shared = SharedMilepostCounts()
  private var reportsOfFile = 0

  package init(options: MarkerOptions) {
    self.options = options
    merger = FenceMerger(
      splitCarriageways: options.splitCarriageways, keepsRows: options.keepsRows)
  }

  /// Reads one file. `file` is its name in reports.
  package mutating func read(_ bytes: [UInt8], file: String) {
    files.append(file)
    result.filesRead += 1
    reportsOfFile = 0
    if let report = Self.encodingReport(bytes, file: file) {
      result.reports.append(report)
      return
    }
    var walker = CSVWalker(bytes: bytes)
    guard let columns = header(&walker) else { return }
    merger.reserve(Self.rowEstimate(bytes))
    let usable = rows(&walker, columns: columns)
    if reportsOfFile > Self.reportLimit {
      let rest = reportsOfFile - Self.reportLimit
      result.reports.append(
        MarkerReport(
          file: file, line: nil, reason: "\(rest) more reports are not listed", severity: .warning))
    }
    if usable == 0 { fail("has no usable row (add a row below the header)", line: nil) }
  }

  /// Adds a file that could not be read.
  package mutating func fail(_ reason: String, file: String) {
    files.append(file)
    result.reports.append(
      MarkerReport(file: file, line: nil, reason: reason, severity: .unreadable))
  }

  /// The fences of all files read.
  package consuming func finish() -> MarkerSet {
    result.unmatchedRoads = options.roads.subtracting(roadsSeen).sorted()
    result.fences = merger.finish()
    result.shared = shared.all
    result.reports += shared.all.map {
      MarkerReport(file: $0.file, line: $0.line, reason: $0.reason, severity: .warning)
    }
    return result
  }

  private var file: String { files.last ?? "" }

  private mutating func fail(_ reason: String, line: Int?) {
    result.reports.append(
      MarkerReport(file: file, line: line, reason: reason, severity: .failure))
  }

  private mutating func report(
    _ reason: String, line: Int, severity: MarkerReport.Severity
  ) {
    reportsOfFile += 1
    guard reportsOfFile <= Self.reportLimit else { return }
    result.reports.append(
      MarkerReport(file: file, line: line, reason: reason, severity: severity))
  }

  /// The first record that is no blank line, as the header.
  private mutating func header(_ walker: inout CSVWalker) -> MarkerColumns? {
    do {
      while try walker.next() {
        if walker.isBlankLine { continue }
        let titles = (0..<walker.count).map { walker.text(walker[$0]) }
        do {
          return try MarkerColumns(header: titles)
        } catch {
          fail(error.reason, line: walker.recordLine)
          return nil
        }
      }
      fail(
        "is empty (begin with the header road,mileage,latitude,longitude)", line: nil)
    } catch {
      fail(error.reason, line: walker.recordLine)
    }
    return nil
  }

  /// Reads all rows; returns how many are not at fault.
  private mutating func rows(_ walker: inout CSVWalker, columns: MarkerColumns) -> Int {
    var decoder = MarkerRowDecoder(columns: columns, roads: options.roads)
    var row = MarkerRow()
    var usable = 0
    while true {
      let reason: String
      do {
        guard try walker.next() else { return usable }
        if walker.isBlankLine { continue }
        result.rowsRead += 1
        reason = ""
      } catch {
        result.rowsRead += 1
        reason = error.reason
      }
      if reason.isEmpty, take(walker, &decoder, &row) {
        usable += 1
      } else {
        result.rowsSkipped += 1
        if !reason.isEmpty { report(reason, line: walker.recordLine, severity: .skipped) }
      }
    }
  }

  /// Takes one row; false where it is at fault, which is reported.
  private mutating func take(
    _ walker: borrowing CSVWalker, _ decoder: inout MarkerRowDecoder, _ row: inout MarkerRow
  ) -> Bool {
    let line = walker.recordLine
    do {
      guard try decoder.decode(walker, into: &row) else {
        result.rowsFilteredOut += 1
        return true
      }
      if !options.roads.isEmpty, !row.isPin { roadsSeen.insert(row.road) }
      guard row.isPin || options.filter.keeps(row.mileage, category: row.category) else {
        result.rowsFilteredOut += 1
        return true
      }
      return note(
        merger.add(
          row, radius: row.radius ?? options.defaultRadius, file: files.count - 1, line: line),
        of: row, line: line)
    } catch {
      report(error.reason, line: line, severity: .skipped)
      return false
    }
  }

  private mutating func note(_ outcome: FenceMerger.Outcome, of row: borrowing MarkerRow, line: Int)
    -> Bool
  {
    switch outcome {
    case .first: break
    case .merged(let foreign):
      result.rowsMerged += 1
      if let foreign { shared.add(row, foreign, files: files, line: line) }
    case .further(let ordinal, let firstFile, let firstLine, let distance):
      report(
        "\(Self.title(of: row)) is \(distanceText(distance)) from the one at "
          + "\(files[firstFile]):\(firstLine); taken as #\(ordinal)",
        line: line, severity: .warning)
    case .refused:
      report(
        "\(Self.title(of: row)) has \(FenceMerger.ordinalLimit) places already "
          + "(give each a mileage or name of its own)",
        line: line, severity: .skipped)
      return false
    }
    return true
  }
}

extension MarkerReader {
  private static func title(of row: borrowing MarkerRow) -> String {
    if row.isPin { return "pin \(row.name ?? "")" }
    let section = row.section.map { " \($0)" } ?? ""
    return "\(row.road)\(section) \(row.mileage)"
  }

  /// How many rows a file has if they are as long as its first ones, and a few more.
  private static func rowEstimate(_ bytes: [UInt8]) -> Int {
    let first = bytes.prefix(65_536)
    let lines = first.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    return (lines * bytes.count / max(first.count, 1)) * 17 / 16
  }

  /// Nil where `bytes` are UTF-8.
  private static func encodingReport(_ bytes: [UInt8], file: String) -> MarkerReport? {
    let offset: Int
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      offset = error.byteOffsets.lowerBound
    }
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let encoding = isUTF16 ? "UTF-16" : "OLD-ENCODING"
    return MarkerReport(
      file: file, line: line,
      reason: "byte \(offset - lineStart + 1) of the line is not UTF-8 "
        + "(convert the file: iconv -f \(encoding) -t UTF-8)",
      severity: .failure)
  }
}
