/// The fences loaded together, and their index. A fence's number is its place.
package final class FenceSet {
  package let fences: [Geofence]
  package let index: FenceIndex

  /// Ids are unique, centres valid, radii within ``Geofence/radii``.
  package init(_ fences: [Geofence]) {
    self.fences = fences
    index = FenceIndex(fences)
  }

  package subscript(number: Int32) -> Geofence { fences[Int(number)] }

  /// The numbers by id.
  package func numbers() -> [String: Int32] {
    var numbers = [String: Int32](minimumCapacity: fences.count)
    for (number, fence) in fences.enumerated() {
      numbers[fence.id] = Int32(truncatingIfNeeded: number)
    }
    return numbers
  }

  /// The order of ids by their UTF-8 bytes.
  func precedes(_ a: Int32, _ b: Int32) -> Bool {
    self[a].id.utf8.lexicographicallyPrecedes(self[b].id.utf8)
  }
}
