internal import CSystemd

/// The memory of malloc(3).
package enum Heap {
  /// Keeps what is freed for the next to use, until ``trim()``: memory that is new from the system
  /// costs a page fault for each 4 kB, a quarter of those of reading 100,000 mileposts; mallopt(3).
  package static func keepFreed() {
    mallopt(M_MMAP_THRESHOLD, 1 << 25)
    mallopt(M_TRIM_THRESHOLD, 1 << 28)
    mallopt(M_TOP_PAD, 1 << 21)
  }

  /// Gives memory that is free back to the system, which free(3) mostly does not; malloc_trim(3).
  package static func trim() { malloc_trim(0) }
}
