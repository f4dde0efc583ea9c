import Glibc
import MarkerImport

/// What an import of bytes in memory gives.
struct Imported {
  var lines: [String] = []
  var report = ImportReport()
  var fault: ImportFault?

  /// `settings` are `Key=value` lines of a preset.
  init(_ settings: String, _ files: [[UInt8]], chunkSize: Int = 1 << 18) {
    do throws(ImportFault) {
      var parsed = ImportSettings()
      try Preset.apply("[Import]\n" + settings, file: "p", to: &parsed)
      try run(parsed, files, chunkSize)
    } catch {
      fault = error
    }
  }

  init(_ settings: String, _ text: String, chunkSize: Int = 1 << 18) {
    self.init(settings, [Array(text.utf8)], chunkSize: chunkSize)
  }

  init(preset: String, _ files: [[UInt8]], chunkSize: Int = 1 << 18) {
    do throws(ImportFault) {
      var settings = ImportSettings()
      try Preset.load(preset, folders: [Shared.root + "/Config/presets"], into: &settings)
      try run(settings, files, chunkSize)
    } catch {
      fault = error
    }
  }

  private mutating func run(_ settings: ImportSettings, _ files: [[UInt8]], _ chunkSize: Int)
    throws(ImportFault)
  {
    var importer = try Importer(settings, fileCount: files.count)
    for (number, bytes) in files.enumerated() {
      try importer.read(
        ByteSource(bytes: bytes, name: number == 0 ? "f" : "f\(number)", chunkSize: chunkSize))
    }
    var text: [UInt8] = []
    report = try importer.finish { (piece) throws(ImportFault) in text += piece }
    lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The rows without the header.
  var rows: [String] { Array(lines.dropFirst()) }
}

enum Shared {
  static let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()

  static let data =
    getenv("MILEPOST_TEST_DATA").map { String(cString: $0) } ?? root + "/../shared/data"

  static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path.hasPrefix("/") ? path : data + "/" + path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }
}

/// SplitMix64.
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
