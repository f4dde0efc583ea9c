internal import Glibc

/// What one run writes, cut into lines and cut off at its limits; the rest is counted.
struct HookOutput {
  private let lineLimit: Int
  private let byteLimit: Int
  private var partial: [UInt8] = []
  private var lines = 0
  private var bytes = 0
  private var isOver = false
  private var skippedLines = 0
  private var skippedBytes = 0
  private var endsWithinSkippedLine = false

  init(lineLimit: Int, byteLimit: Int) {
    self.lineLimit = lineLimit
    self.byteLimit = byteLimit
  }

  /// Takes what came and gives the lines that are complete, without empty ones.
  mutating func take(_ chunk: UnsafeRawBufferPointer) -> [String] {
    var complete: [String] = []
    var rest = chunk
    while !rest.isEmpty, !isOver {
      let newline = rest.firstIndex(of: UInt8(ascii: "\n"))
      let taken = newline.map { $0 + 1 } ?? rest.count
      let room = byteLimit - bytes
      partial += rest.prefix(min(newline ?? rest.count, room))
      bytes += min(taken, room)
      if newline != nil || taken > room { complete += endLine() }
      isOver = bytes >= byteLimit || lines >= lineLimit
      if taken > room { skip(rest[room..<taken]) }
      rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
    }
    if !rest.isEmpty { skip(rest[...]) }
    return complete
  }

  /// The last line, where no newline ended it, and the count of what was left out.
  mutating func finish() -> (line: String?, notice: String?) {
    let line = endLine().first
    guard skippedBytes > 0 else { return (line, nil) }
    let count = skippedLines + (endsWithinSkippedLine ? 1 : 0)
    return (line, "\(count) more lines (\(skippedBytes) bytes) of output not logged")
  }

  private mutating func endLine() -> [String] {
    defer { partial = [] }
    guard !partial.isEmpty else { return [] }
    lines += 1
    return [String(decoding: partial, as: UTF8.self)]
  }

  private mutating func skip(_ chunk: Slice<UnsafeRawBufferPointer>) {
    let all = UnsafeRawBufferPointer(rebasing: chunk)
    guard let start = all.baseAddress, let last = all.last else { return }
    skippedBytes += all.count
    endsWithinSkippedLine = last != UInt8(ascii: "\n")
    var offset = 0
    // memchr, for a flood is long.
    while offset < all.count, let found = memchr(start + offset, 10, all.count - offset) {
      skippedLines += 1
      offset = UnsafeRawPointer(found) - start + 1
    }
  }
}
