import Glibc
import SystemdKit
import Testing
import TestSupport

/// A scratch folder with a configuration for the real milepostd.
final class DaemonFolder {
  let scratch: ScratchFolder
  /// Each hook run appends `event fence` to this file.
  let hookFile: String

  var configuration: String { scratch("milepostd.conf") }
  var fifo: String { scratch("fixes") }

  /// The milepost files are named absolutely.
  init(markers: String, source: String? = nil, more: String = "") throws {
    scratch = try ScratchFolder()
    hookFile = scratch("hooked")
    try scratch.write(
      "milepostd.conf",
      """
      [Source]
      \(source ?? "Type=fifo\nPath=\(scratch("fixes"))")
      [Fences]
      Markers=
      Markers=\(markers)
      [Hooks]
      Directory=\(scratch("hooks.d"))
      [Events]
      Database=\(scratch("events.db"))
      \(more)

      """)
    mkdir(scratch("hooks.d"), 0o755)
  }

  func addHook(_ name: String, _ script: String) throws {
    try scratch.write("hooks.d/\(name)", "#!/bin/sh\n\(script)\n", mode: 0o755)
  }

  func addRecordingHook() throws {
    try addHook("record", #"printf '%s %s\n' "$1" "$2" >>"\#(hookFile)""#)
  }

  func start() throws -> RunningProgram {
    let daemon = try RunningProgram(
      RunningProgram.product("milepostd"), ["--config", configuration])
    return daemon
  }

  /// Opens the FIFO once the daemon has made it.
  func feed(_ daemon: RunningProgram) throws -> Feed {
    try wait(for: "the FIFO \(fifo)") { access(fifo, W_OK) == 0 }
    return try Feed(fifo)
  }

  func hooked() -> [String] { (try? TestData.lines(of: hookFile)) ?? [] }

  /// How many whole lines the hook has written.
  func hookedCount() -> Int {
    ((try? TestData.bytes(of: hookFile)) ?? []).reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
  }
}

/// Looks again and again, at most a minute.
func wait(for what: String, _ condition: () throws -> Bool) throws {
  let deadline = Clock.bootTimeMS + RunningProgram.patience
  while Clock.bootTimeMS < deadline {
    if try condition() { return }
    usleep(10_000)
  }
  throw RunningProgram.TimeOut(waitedFor: what, lines: [])
}

/// The writer's end of a FIFO.
final class Feed {
  private let file: UnsafeMutablePointer<FILE>

  init(_ path: String) throws { file = try #require(fopen(path, "w")) }

  deinit { fclose(file) }

  func write(_ text: String) {
    fputs(text, file)
    fflush(file)
  }
}

/// What a JSON event line says, as far as the tests compare it.
struct ToldEvent: Equatable {
  var event: String
  var fence: String
  var cause: String
  var time: String

  /// As the recording hook writes it.
  var eventAndFence: String { "\(event) \(fence)" }

  init(json line: String) {
    func value(_ key: String, in text: Substring) -> String {
      guard let start = text.firstRange(of: "\"\(key)\":\"")?.upperBound else { return "?" }
      return String(text[start...].prefix { $0 != "\"" })
    }
    let text = Substring(line)
    event = value("event", in: text)
    fence = value("id", in: text.firstRange(of: "\"fence\":").map { text[$0.upperBound...] } ?? "")
    cause = value("cause", in: text)
    time = value("time", in: text)
  }

  /// What `milepostctl replay` tells, without its summary.
  static func replay(_ arguments: [String]) throws -> [ToldEvent] {
    let replay = try RunningProgram(
      RunningProgram.product("milepostctl"), ["replay"] + arguments)
    try #require(try replay.end() == 0)
    return replay.lines.filter { $0.hasPrefix("{") }.map { ToldEvent(json: $0) }
  }
}
