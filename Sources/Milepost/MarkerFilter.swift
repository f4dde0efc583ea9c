/// Which mileposts are fenced: what `Category=` and `Every=` of the configuration leave.
package struct MarkerFilter: Hashable, Sendable {
  /// All where empty. A milepost without a category is in none of them.
  package var categories: Set<String>
  /// Whole multiples of so many micrometres of mileage alone; 0 for all.
  package var every: Int64

  package init(categories: Set<String> = [], every: Int64 = 0) {
    self.categories = categories
    self.every = every
  }

  package func keeps(_ milepost: Milepost) -> Bool {
    keeps(milepost.mileage, category: milepost.category)
  }

  package func keeps(_ mileage: Mileage, category: String?) -> Bool {
    if every > 0, !mileage.isMultiple(of: every) { return false }
    return categories.isEmpty || category.map { categories.contains($0) } ?? false
  }
}
