/// The fences loaded together, and their index. A fence's number is its place.
package final class FenceSet {
  package let fences: FenceTable
  package let index: FenceIndex
  private var madeNumbers: FenceNumbers?

  /// Ids are unique, centres valid, radii within ``Geofence/radii``.
  package init(_ fences: FenceTable) {
    self.fences = fences
    index = FenceIndex(fences)
  }

  package convenience init(_ fences: [Geofence]) { self.init(FenceTable(fences)) }

  package subscript(number: Int32) -> Geofence { fences[Int(number)] }

  /// The numbers by id: made at the first call, and kept until ``forgetNumbers()``.
  package func numbers() -> FenceNumbers {
    let numbers = madeNumbers ?? FenceNumbers(fences)
    madeNumbers = numbers
    return numbers
  }

  /// Frees what ``numbers()`` keeps: a start and a reload need it, a drive does not.
  package func forgetNumbers() { madeNumbers = nil }

  /// The order of ids by their UTF-8 bytes.
  func precedes(_ a: Int32, _ b: Int32) -> Bool {
    fences.id(of: Int(a)).utf8.lexicographicallyPrecedes(fences.id(of: Int(b)).utf8)
  }
}
