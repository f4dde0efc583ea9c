/// A mileage marker: which road, and how far along it.
package struct Milepost: Hashable, Sendable {
  package var road: String
  package var mileage: Mileage
  /// A part of the road that counts anew.
  package var section: String?
  package var carriageway: String?
  package var category: String?
  package var name: String?
  /// The plate's own writing: `015K+200`.
  package var plate: String?

  package init(
    road: String, mileage: Mileage, section: String? = nil, carriageway: String? = nil,
    category: String? = nil, name: String? = nil, plate: String? = nil
  ) {
    self.road = road
    self.mileage = mileage
    self.section = section
    self.carriageway = carriageway
    self.category = category
    self.name = name
    self.plate = plate
  }
}
