/// Reads GeoJSON (RFC 7946), GeoJSON sequences (RFC 8142, and one feature a line) and OwnTracks
/// waypoints. A record's fields are its members, and those of its `properties`; a point's place is
/// `@lat` and `@lon`, its `id` `@id`.
final class JSONRecords: RecordReader {
  private let source: TextSource
  private let wanted: WantedFields
  private var splitter: JSONSplitter

  init(_ source: TextSource, wanted: WantedFields) {
    self.source = source
    self.wanted = wanted
    splitter = JSONSplitter(position: source.position)
  }

  func next(_ record: inout Record) throws(ImportFault) -> Bool {
    while true {
      switch splitter.next(in: source.window) {
      case .object(let range):
        record.clear(line: splitter.recordLine)
        decode(source.window[range], &record)
        return true
      case .unusable(let reason):
        spoil(&record, reason)
        return true
      case .broken:
        throw ImportFault(
          .data, "\(source.name):\(splitter.newlines + 1): a bracket is closed that was not opened")
      case .needsMore:
        try refill()
        guard source.isAtEnd, splitter.position == source.window.count else { continue }
        return try end(&record)
      }
    }
  }

  /// At the end of the file: true for a last record, which is no object.
  private func end(_ record: inout Record) throws(ImportFault) -> Bool {
    guard splitter.isComplete else {
      throw ImportFault(
        .data, "\(source.name): ends within line \(splitter.newlines + 1) (is it cut off?)")
    }
    guard case .unusable(let reason) = splitter.takeStray() else { return false }
    spoil(&record, reason)
    return true
  }

  private func spoil(_ record: inout Record, _ reason: String) {
    record.clear(line: splitter.recordLine)
    record.fault = reason
  }

  private func refill() throws(ImportFault) {
    if splitter.position - splitter.keptFrom > recordLimit { splitter.forgetObject() }
    guard !source.isAtEnd else { return }
    source.position = splitter.keptFrom
    splitter.dropPrefix(source.position)
    _ = try source.refill()
  }

  private func decode(_ bytes: ArraySlice<UInt8>, _ record: inout Record) {
    var walker = JSONWalker(bytes)
    var isPoint: Bool?
    do throws(JSONWalker.Fault) {
      try members(&walker, &record, isPoint: &isPoint)
    } catch {
      record.fault = "is no valid JSON"
      return
    }
    if isPoint == false { record.fault = "is no point" }
  }

  private func members(
    _ walker: inout JSONWalker, _ record: inout Record, isPoint: inout Bool?
  ) throws(JSONWalker.Fault) {
    try walker.object { (key, walker) throws(JSONWalker.Fault) in
      switch (key, walker.next) {
      case ("geometry", UInt8(ascii: "{")): isPoint = try geometry(&walker, &record)
      case ("properties", UInt8(ascii: "{")):
        try walker.object { (key, walker) throws(JSONWalker.Fault) in
          let value = try walker.scalar()
          if let slot = wanted.slot(of: key), let value { record.set(slot, value) }
        }
      default:
        if key == "geometry" { isPoint = false }
        let value = try walker.scalar()
        if let slot = wanted.slot(of: key == "id" ? "@id" : key), let value {
          record.set(slot, value)
        }
      }
    }
  }

  /// True for a point.
  private func geometry(_ walker: inout JSONWalker, _ record: inout Record)
    throws(JSONWalker.Fault) -> Bool
  {
    var isPoint = false
    var numbers: [[UInt8]] = []
    try walker.object { (key, walker) throws(JSONWalker.Fault) in
      if key == "coordinates", walker.next == UInt8(ascii: "[") {
        try walker.array { (walker) throws(JSONWalker.Fault) in
          if let number = try walker.scalar() { numbers.append(number) }
        }
      } else {
        let value = try walker.scalar()
        if key == "type" { isPoint = value.map { $0.elementsEqual("Point".utf8) } ?? false }
      }
    }
    guard isPoint, numbers.count >= 2 else { return false }
    if let slot = wanted.slot(of: WantedFields.longitude) { record.set(slot, numbers[0]) }
    if let slot = wanted.slot(of: WantedFields.latitude) { record.set(slot, numbers[1]) }
    return true
  }
}
