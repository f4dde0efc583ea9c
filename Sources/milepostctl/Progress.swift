import Glibc

/// A line on the terminal that tells how far a long input is read; nothing where stderr is none.
struct Progress {
  /// Shorter inputs show none.
  private static let leastBytes: Int64 = 8 << 20

  private let total: Int64?
  private let isTerminal = isatty(2) == 1
  private var shownAt: Int64 = 0

  init(total: Int64?) { self.total = total }

  mutating func update(_ bytesRead: Int64) {
    guard isTerminal, bytesRead - shownAt >= Self.leastBytes else { return }
    shownAt = bytesRead
    let share = total.map { $0 > 0 ? " (\(min(100, bytesRead * 100 / $0)) %)" : "" } ?? ""
    Output.note("\r\(bytesRead >> 20) MiB read\(share)\u{1B}[K")
  }

  /// Removes the line.
  mutating func clear() {
    if shownAt > 0 { Output.note("\r\u{1B}[K") }
    shownAt = 0
  }
}
