import Configuration
import FixFormats
import Geodesy
import MarkerFiles
import MarkerImport
import Milepost
import Options

/// The parsers, each fed with hostile bytes. A target checks what must hold whatever comes in; that
/// nothing crashes, hangs or reads beyond its bytes is for the fuzzer and the sanitizer to see.
enum FuzzTargets {
  typealias Target = @Sendable (Bytes) -> Void
  typealias Bytes = UnsafeRawBufferPointer

  static let all: [String: Target] = [
    "lines": lines, "gpsd": gpsd, "framer": framer, "markers": markers,
    "configuration": configuration,
    "mileage": mileage, "import": importFile, "preset": preset, "drive": drive, "output": output,
    "options": options,
  ]

  /// Lines of any format: fixes have only values that can be.
  @Sendable private static func lines(_ bytes: Bytes) {
    var decoder = FixDecoder(requiresChecksum: bytes.count & 1 == 0)
    var framer = LineFramer()
    let check: (Fix) -> Void = { fix in
      if let place = fix.coordinate {
        hold(place.latitude.isFinite && place.longitude.isFinite, "a place is a number")
      }
    }
    framer.append(bytes) { decoder.decode($0, emit: check) }
    framer.finish { decoder.decode($0, emit: check) }
    decoder.finish(emit: check)
    hold(decoder.counters.malformed <= decoder.counters.lines, "no line counts twice")
  }

  @Sendable private static func gpsd(_ bytes: Bytes) {
    var decoder = TPVDecoder()
    var framer = LineFramer()
    framer.append(bytes) { _ = decoder.decode($0) }
    framer.finish { _ = decoder.decode($0) }
  }

  /// However the bytes are cut, the lines are the same, and those of a simple split.
  @Sendable private static func framer(_ bytes: Bytes) {
    let limit = Int(bytes.first ?? 0) + 1
    let rest = Array(bytes.dropFirst())
    var whole: [[UInt8]] = []
    var one = LineFramer(maximumLength: limit)
    rest.withUnsafeBytes { one.append($0) { whole.append(Array($0)) } }
    one.finish { whole.append(Array($0)) }

    var pieces: [[UInt8]] = []
    var many = LineFramer(maximumLength: limit)
    var position = 0
    while position < rest.count {
      let end = min(rest.count, position + 1 + Int(rest[position] & 7))
      rest[position..<end].withUnsafeBytes { many.append($0) { pieces.append(Array($0)) } }
      position = end
    }
    many.finish { pieces.append(Array($0)) }
    hold(whole == pieces && one.overlong == many.overlong, "chunks make no difference")

    var simple = rest.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    if simple.last == [] { simple.removeLast() }
    let short = simple.filter { $0.count <= limit }.map { line in
      Array(line.prefix(line.lastIndex { $0 != 0x0D }.map { $0 + 1 } ?? 0))
    }
    hold(whole == short, "lines end at LF")
  }

  @Sendable private static func markers(_ bytes: Bytes) {
    var reader = MarkerReader(
      options: MarkerOptions(defaultRadius: 40, splitCarriageways: bytes.count & 1 == 1))
    reader.read(Array(bytes), file: "f.csv")
    let set = reader.finish()
    hold(Set(set.fences.map(\.id)).count == set.fences.count, "ids are unique")
    for fence in set.fences {
      hold(fence.radius >= 1 && fence.radius <= 100_000, "radii are within the limits")
    }
    // What has been read can be indexed and asked.
    if set.fences.count < 1_000, let first = set.fences.first {
      let fences = FenceSet(set.fences)
      hold(fences.index.nearest(to: ECEF(first.centre)) != nil, "a fence is near itself")
    }
  }

  @Sendable private static func configuration(_ bytes: Bytes) {
    _ = try? Configuration.settings(from: [.init(name: "f.conf", bytes: Array(bytes))])
  }

  /// What a mileage is written as is read as the same one.
  @Sendable private static func mileage(_ bytes: Bytes) {
    guard let options = bytes.first else { return }
    let units: [MileageParser.Unit] = [.kilometres, .miles, .metres, .hectometres]
    var parser = MileageParser(bareUnit: units[Int(options & 3)])
    if options & 4 != 0 { parser.stations = .feet }
    parser.impliedDecimals = Int(options >> 3 & 3)
    parser.readsHectometreFractions = options & 32 != 0
    parser.readsSectionLetters = options & 64 != 0
    parser.readsText = options & 128 != 0
    let text = ContiguousArray(bytes.dropFirst())
    guard let read = try? parser.reading(utf8: text[...]).mileage else { return }
    // Ten decimals of a mile tell micrometres apart, but not all micrometres are ten decimals.
    if read.notation == .miles, read.micrometres % 12_573 != 0 { return }
    let again = try? MileageParser().parse(read.description)
    hold(again?.micrometres == read.micrometres, "\(read) is read as itself")
  }

  /// A file with settings of its own, in chunks of any size.
  @Sendable private static func importFile(_ bytes: Bytes) {
    guard bytes.count > 2 else { return }
    let choice = Int(bytes[0])
    var settings = ImportSettings()
    try? Preset.apply(presets[choice % presets.count], file: "p", to: &settings)
    let body = Array(bytes.dropFirst(2))
    run(settings, body, chunk: Int(bytes[1]) + 1)
  }

  /// A preset, a NUL, and a file that is read by it.
  @Sendable private static func preset(_ bytes: Bytes) {
    let parts = Array(bytes).split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first else { return }
    var settings = ImportSettings()
    guard
      (try? Preset.apply(String(decoding: first, as: UTF8.self), file: "p", to: &settings)) != nil
    else { return }
    run(settings, parts.count > 1 ? Array(parts[1]) : Array("road,x,y\nA,1,2\n".utf8), chunk: 64)
  }

  private static func run(_ settings: ImportSettings, _ body: [UInt8], chunk: Int) {
    guard var importer = try? Importer(settings),
      (try? importer.read(ByteSource(bytes: body, name: "f", chunkSize: chunk))) != nil
    else { return }
    var written: [UInt8] = []
    guard
      let report = try? importer.finish(write: { (piece) throws(ImportFault) in written += piece })
    else { return }
    _ = report.text
    hold(
      report.rowsRead == report.written + report.merged + report.rejected + report.leftOut,
      "every row is accounted for")
    guard report.written > 0 else { return }
    // milepostd has to be able to read what import writes.
    var reader = MarkerReader(options: MarkerOptions(defaultRadius: 40))
    reader.read(written, file: "f.csv")
    let failures = reader.finish().failures
    hold(failures.isEmpty, "an import can be read: \(failures)")
  }

  private static let presets = [
    "[Import]\nRoad=road\nMileage=mileage\nLatitude=latitude\nLongitude=longitude\n",
    "[Import]\nRoad=#1\nMileage=#2\nLatitude=#3\nLongitude=#4\nHeader=no\nDelimiter=;\nFormat=csv\nDecimalComma=yes\n",
    "[Import]\nRoad=properties.road\nMileage=properties.km\nText=yes\n",
    "[Import]\nRoad=name ~ ^[A-Z]+\nMileage=name\nText=yes\nFormat=xml\n",
    "[Import]\nRoad=road\nMileage=mileage\nLatitude=latitude\nLongitude=longitude\nEncoding=cp950\n",
    "[Import]\nRoad=road\nMileage=mileage\nX=x\nY=y\nCRS=EPSG:3826\nEncoding=utf-16\n",
    "[Import]\nName=name\nLatitude=lat\nLongitude=lon\nKind=kind\nFormat=json\n",
  ]

  /// Hostile fixes through all of the middle: enter and exit alternate.
  @Sendable private static func drive(_ bytes: Bytes) {
    var engine = Engine(settings: Engine.Settings(), fences: fences)
    var recorder = EventRecorder()
    var held: Set<String> = []
    var decoder = FixDecoder(requiresChecksum: false)
    var framer = LineFramer()
    var clock: Int64 = 0
    let take: (Fix) -> Void = { fix in
      clock += 100
      let receipt = Receipt(wall: Timestamp(milliseconds: 1_700_000_000_000 + clock), boot: clock)
      let observation = engine.observe(fix, receipt: receipt)
      for transition in observation.transitions {
        let id = engine.fences[transition.fence].id
        let changed =
          transition.kind == .enter ? held.insert(id).inserted : held.remove(id) != nil
        hold(changed, "enter and exit alternate")
      }
      if let usable = engine.lastUsable, !observation.transitions.isEmpty {
        let events = recorder.record(
          observation.transitions, fix: usable, fences: engine.fences, timeline: engine.timeline)
        hold(events.count == observation.transitions.count, "each is an event")
        for event in events { _ = event.json }
      }
    }
    framer.append(bytes) { decoder.decode($0, emit: take) }
    framer.finish { decoder.decode($0, emit: take) }
    decoder.finish(emit: take)
  }

  /// What a hook prints is within the limits, and the same lines however it comes in pieces.
  @Sendable private static func output(_ bytes: Bytes) {
    guard bytes.count > 2 else { return }
    let (lineLimit, byteLimit) = (Int(bytes[0] & 31) + 1, Int(bytes[1]) + 1)
    let text = Array(bytes.dropFirst(2))
    func lines(_ size: Int) -> (lines: [String], notice: String?) {
      var output = HookOutput(lineLimit: lineLimit, byteLimit: byteLimit)
      var lines: [String] = []
      for start in stride(from: 0, to: text.count, by: size) {
        lines += text[start..<min(text.count, start + size)].withUnsafeBytes { output.take($0) }
      }
      let end = output.finish()
      return (lines + (end.line.map { [$0] } ?? []), end.notice)
    }
    let whole = lines(max(1, text.count))
    hold(whole == lines(1) && whole == lines(3), "pieces make no difference")
    hold(whole.lines.count <= lineLimit, "no more lines than the limit")
    let simple = text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    hold(whole.lines.count <= simple.count, "no line is made up")
    if text.count < byteLimit, simple.count < lineLimit {
      hold(whole.lines == simple && whole.notice == nil, "within the limits all is logged")
    }
  }

  /// What has been read of a command line, written out in full, is read as the same.
  @Sendable private static func options(_ bytes: Bytes) {
    guard let choice = bytes.first else { return }
    let parser = OptionParser(
      [
        .init("config", .required), .init("check"), .init("checksum"),
        .init("output", .required, letter: "o"),
        .init("help", letter: "h"),
      ], stopsAtFirstOperand: choice & 1 == 1)
    let arguments = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    let parsed: ParsedOptions
    do {
      parsed = try parser.parse(arguments)
    } catch {
      return hold(!error.description.isEmpty, "an error says what it is")
    }
    let full = parsed.options.map { option in
      "--" + option.name + (option.value.map { "=" + $0 } ?? "")
    }
    let again = try? parser.parse(full + ["--"] + parsed.operands)
    hold(again?.operands == parsed.operands, "operands stay")
    hold(again?.options.map(\.name) == parsed.options.map(\.name), "options stay")
    hold(again?.options.map(\.value) == parsed.options.map(\.value), "values stay")
  }

  /// As `precondition`, whose text is not told where the code is optimised.
  private static func hold(_ condition: Bool, _ rule: @autoclosure () -> String) {
    if !condition { fatalError("broken: " + rule()) }
  }

  private static var fences: FenceSet {
    var reader = MarkerReader(options: MarkerOptions(defaultRadius: 40))
    reader.read(
      Array(
        """
        road,mileage,latitude,longitude,radius
        A,0,0,0,100km
        A,1,90,0,1m
        A,2,-90,0,50km
        A,3,0,180,40m
        A,4,24.85,121.77,40m
        A,5,24.8506,121.7707393,40m
        A,6,24.85,121.77,1km

        """.utf8), file: "f")
    return FenceSet(reader.finish().fences)
  }
}
