internal import CSystemd

/// The memory of malloc(3).
package enum Heap {
  /// Gives memory that is free back to the system, which free(3) mostly does not; malloc_trim(3).
  package static func trim() { malloc_trim(0) }
}
