/// Mileages in a row: four bytes each as long as all are whole metres, else eight.
struct MileageColumn: Sendable {
  private static let metre: Int64 = 1_000_000

  private var metres: [Int32] = []
  /// All of them, from the first that is not whole metres on.
  private var micrometres: [Int64] = []

  mutating func reserve(_ count: Int) {
    if micrometres.isEmpty {
      metres.reserveCapacity(count)
    } else {
      micrometres.reserveCapacity(count)
    }
  }

  mutating func append(_ value: Int64) {
    if micrometres.isEmpty {
      let (whole, rest) = value.quotientAndRemainder(dividingBy: Self.metre)
      if rest == 0, let whole = Int32(exactly: whole) { return metres.append(whole) }
      micrometres = metres.map { Int64($0) * Self.metre }
      metres = []
    }
    micrometres.append(value)
  }

  /// In micrometres.
  subscript(place: Int) -> Int64 {
    micrometres.isEmpty ? Int64(metres[place]) * Self.metre : micrometres[place]
  }
}
