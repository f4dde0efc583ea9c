import MarkerFiles
import Milepost

/// Turns agencies' files into the mileposts of one marker file.
package struct Importer {
  private let settings: ImportSettings
  private var decoder: RowDecoder
  private var table: MilepostTable
  private var report = ImportReport()
  private var rejectionPlaces: [String: Int] = [:]
  private var files: [String] = []
  /// How many files are going to be read: with more than one, lines are named with their file.
  private let fileCount: Int

  /// Reasons that are told apart; rarer ones are one.
  private static let reasonLimit = 100
  private static let otherReason = "other reasons"

  package init(_ settings: ImportSettings, fileCount: Int = 1) throws(ImportFault) {
    self.settings = settings
    self.fileCount = fileCount
    decoder = try RowDecoder(settings)
    table = MilepostTable(settings)
  }

  /// Reads a whole file; `progress` is called now and then with the bytes read so far.
  package mutating func read(_ source: ByteSource, progress: (Int64) -> Void = { _ in })
    throws(ImportFault)
  {
    files.append(source.name)
    let text = try TextSource(source, encoding: settings.encoding)
    let reader = try reader(text)
    try decoder.check(reader, file: source.name)
    var record = Record(slots: decoder.wanted.names.count)
    var notes = PlaceNotes()
    let before = report.rowsRead
    while try reader.next(&record) {
      report.rowsRead += 1
      if report.rowsRead & 0x3FF == 0 { progress(source.bytesRead) }
      take(record, &notes)
    }
    guard report.rowsRead > before else {
      throw ImportFault(
        .data, "\(source.name): \(source.bytesRead == 0 ? "is empty" : "has no rows")")
    }
    if let line = reader.unendedLine {
      report.add(
        warning: "last row without a line end (is the file cut off?)", line: line,
        file: shownFile(files.count - 1))
    }
    note(notes)
  }

  private func reader(_ text: TextSource) throws(ImportFault) -> any RecordReader {
    let format = settings.format == .auto ? Self.format(of: text) : settings.format
    if format != .csv, let option = settings.csvOptions.first {
      throw ImportFault(
        .usage, "\(text.name): looks like \(format.rawValue), and \(option) is for CSV (--format)")
    }
    switch format {
    case .json: return JSONRecords(text, wanted: decoder.wanted)
    case .xml: return try XMLRecords(text, wanted: decoder.wanted)
    case .csv, .auto: return try CSVRecords(text, dialect: settings.dialect, wanted: decoder.wanted)
    }
  }

  /// By the first byte that is no blank.
  private static func format(of text: TextSource) -> ImportSettings.Format {
    switch text.window[text.position...].first(where: { $0 > 0x20 || $0 == 0x1E }) {
    case UInt8(ascii: "<"): .xml
    case UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E: .json
    default: .csv
    }
  }

  private mutating func take(_ record: Record, _ notes: inout PlaceNotes) {
    do {
      guard let row = try decoder.decode(record, notes: &notes) else {
        report.leftOut += 1
        return
      }
      table.add(row, file: files.count - 1, line: record.line)
    } catch {
      reject(error.reason, line: record.line)
    }
  }

  private mutating func reject(_ reason: String, line: Int) {
    report.rejected += 1
    var reason = reason
    if rejectionPlaces[reason] == nil, rejectionPlaces.count >= Self.reasonLimit {
      reason = Self.otherReason
    }
    let index = rejectionPlaces[reason] ?? report.rejections.count
    if rejectionPlaces.updateValue(index, forKey: reason) == nil {
      report.rejections.append((reason, LineList()))
    }
    report.rejections[index].lines.add(line, file: shownFile(files.count - 1))
  }

  /// Nil where there is but one file.
  private func shownFile(_ file: Int) -> String? { fileCount > 1 ? files[file] : nil }

  private mutating func note(_ notes: PlaceNotes) {
    let file = shownFile(files.count - 1)
    for (system, lines) in notes.otherSystem.sorted(by: { $0.key < $1.key }) {
      for line in lines {
        report.add(warning: "rows have x and y in \(system)", line: line, file: file)
      }
    }
    for (area, lines) in notes.outside.sorted(by: { $0.key < $1.key }) {
      for line in lines {
        report.add(
          warning: "rows whose x and y are outside the area of \(area)", line: line, file: file,
          limit: Misplaced.shownLimit)
      }
    }
    for line in notes.exchanged {
      report.add(
        warning: "rows whose x and y are exchanged, as their degrees tell, which are used",
        line: line, file: file)
    }
    for disagreement in notes.disagreements {
      report.add(
        warning: "rows whose degrees and x, y are over 50 m apart", line: disagreement.line,
        file: file, remark: " (\(Int(disagreement.distance.rounded())) m)")
    }
  }

  /// Closes the account. Calls `write` with the marker file, piece by piece.
  package consuming func finish(write: ([UInt8]) throws(ImportFault) -> Void) throws(ImportFault)
    -> ImportReport
  {
    table.finish()
    let order = sorted()
    report.merged = table.merged
    report.written = order.count
    report.pins = table.entries.reduce(0) { $0 + ($1.isPin ? 1 : 0) }
    judge(order)
    summarise(order)
    var text = MarkerText()
    for number in order {
      text.append(table.entries[number], in: table)
      if text.bytes.count >= 1 << 16 { try write(text.take()) }
    }
    try write(text.take())
    return report
  }

  /// Names the mileposts that cannot be right.
  private mutating func judge(_ order: [Int]) {
    for number in Exchanged.find(table.entries) {
      let entry = table.entries[number]
      report.add(
        warning: "rows whose latitude and longitude are exchanged, as the others tell",
        line: entry.line, file: shownFile(Int(entry.file)), limit: Misplaced.shownLimit)
    }
    for number in Outliers.find(table.entries, order: order) {
      let entry = table.entries[number]
      report.add(
        warning: "plates fit neither their neighbours nor their chainage",
        line: entry.line, file: shownFile(Int(entry.file)), remark: " (\(title(of: entry)))")
    }
    for misplaced in Misplaced.find(table.entries, order: order) {
      let (entry, first) = (table.entries[misplaced.number], table.entries[misplaced.first])
      let place = shownFile(Int(first.file)).map { "\($0):" } ?? "line "
      let distance = distanceText(misplaced.distance)
      report.add(
        warning: "rows over 1 km from the first one of their road and mileage", line: entry.line,
        file: shownFile(Int(entry.file)),
        remark: " (\(title(of: entry)), \(distance) from \(place)\(first.line))",
        limit: Misplaced.shownLimit)
    }
  }

  private func title(of entry: MilepostTable.Entry) -> String {
    let section = table.texts[entry.section]
    return table.roads[entry.road] + (section.isEmpty ? "" : " \(section)") + " \(entry.mileage)"
  }

  /// By road as first met, section, mileage and then as read.
  private func sorted() -> [Int] {
    let entries = table.entries
    return entries.indices.sorted { a, b in
      let (x, y) = (entries[a], entries[b])
      if x.road != y.road { return x.road < y.road }
      if x.section != y.section { return table.texts[x.section] < table.texts[y.section] }
      return x.mileage == y.mileage ? a < b : x.mileage < y.mileage
    }
  }

  private mutating func summarise(_ order: [Int]) {
    for number in order {
      let entry = table.entries[number]
      if entry.isPin { continue }
      let name = table.roads[entry.road]
      if report.roads.last?.name != name {
        report.roads.append(
          .init(name: name, count: 0, first: entry.mileage, last: entry.mileage))
      }
      let last = report.roads.count - 1
      report.roads[last].count += 1
      report.roads[last].first = min(report.roads[last].first, entry.mileage)
      report.roads[last].last = max(report.roads[last].last, entry.mileage)
    }
  }
}
