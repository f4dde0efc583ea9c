/// A few ids that are looked for among many fences: tells at little cost which fences may have one
/// of them.
///
/// An id made of a milepost holds its mileage, so the mileage's number decides; a fence's own id is
/// compared by its hash. Now and then a fence is let through that has none of them; none is missed
/// whose mileage is within ``MileageParser/limit``.
struct WantedIDs {
  /// True where one of the mileages or own ids falls in this place.
  private var isWanted = [Bool](repeating: false, count: 4_096)

  init(_ ids: some Sequence<String>) {
    for id in ids {
      isWanted[place(of: FenceNumbers.hash(of: id.utf8))] = true
      for part in id.split(separator: "/") {
        guard let metre = Self.metre(of: part) else { continue }
        for near in metre - 1...metre + 1 { isWanted[place(ofMetre: near)] = true }
      }
    }
  }

  /// The metre in which a canonical mileage lies; off by one at most, since an id rounds miles that
  /// were written in feet.
  private static func metre(of text: Substring) -> Int64? {
    if text.hasPrefix("MP "), let miles = Double(text.dropFirst(3)) {
      return Int64(exactly: (miles * 1_609.344).rounded()).flatMap { abs($0) < limit ? $0 : nil }
    }
    let mileage = try? MileageParser().parse(utf8: ContiguousArray(text.utf8)[...])
    return mileage.map { $0.micrometres / 1_000_000 }
  }

  private static let limit = MileageParser.limit / 1_000_000

  func mayHave(mileage micrometres: Int64) -> Bool {
    isWanted[place(ofMetre: micrometres / 1_000_000)]
  }

  func mayHave(id: some Sequence<UInt8>) -> Bool {
    isWanted[place(of: FenceNumbers.hash(of: id))]
  }

  /// Source of the factor: 2^64 divided by the golden ratio (Knuth, The Art of Computer
  /// Programming 3, 6.4).
  private func place(ofMetre metre: Int64) -> Int {
    place(of: UInt64(bitPattern: metre) &* 0x9E37_79B9_7F4A_7C15)
  }

  private func place(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash >> 40) & (isWanted.count - 1)
  }
}
