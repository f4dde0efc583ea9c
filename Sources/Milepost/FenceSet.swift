/// The fences loaded together, and their index. A fence's number is its place.
package final class FenceSet {
  package let fences: FenceTable
  package let index: FenceIndex

  /// Ids are unique, centres valid, radii within ``Geofence/radii``.
  package init(_ fences: FenceTable) {
    self.fences = fences
    index = FenceIndex(fences)
  }

  package convenience init(_ fences: [Geofence]) { self.init(FenceTable(fences)) }

  package subscript(number: Int32) -> Geofence { fences[Int(number)] }

  /// The numbers by id, of any id.
  package func numbers() -> FenceNumbers { FenceNumbers(fences) }

  /// The numbers by id, of these ids alone: of few, a small part of the work.
  package func numbers(of ids: some Collection<String>) -> FenceNumbers {
    FenceNumbers(fences, of: ids)
  }

  /// The order of ids by their UTF-8 bytes.
  func precedes(_ a: Int32, _ b: Int32) -> Bool {
    fences.id(of: Int(a)).utf8.lexicographicallyPrecedes(fences.id(of: Int(b)).utf8)
  }
}
