import Geodesy

/// x and y of a row, in a system that is one of several.
struct ProjectedPlace {
  var x: Double
  var y: Double
  /// The one that is meant, where nothing else tells, first.
  var systems: ArraySlice<PlaceDecoder.System>

  /// With x for y.
  var exchanged: ProjectedPlace { ProjectedPlace(x: y, y: x, systems: systems) }

  /// The place in each system; nil where it has no such place.
  var candidates: [(name: String, place: Coordinate?)] {
    systems.map { ($0.projection.name, $0.projection.coordinate(x: x, y: y)) }
  }

  private struct Best {
    var system: Projection
    var place: Coordinate?
    var excess: Double
    var isFirst: Bool
  }

  /// In the first system whose area has the place, else in the one whose area is nearest.
  private var best: Best? {
    var best: Best?
    for (index, system) in systems.enumerated() {
      let place = system.projection.coordinate(x: x, y: y)
      let excess = system.projection.excess(of: place)
      guard best == nil || excess < best?.excess ?? 0 else { continue }
      best = Best(system: system.projection, place: place, excess: excess, isFirst: index == 0)
      if excess <= AreaOfUse.slack { break }
    }
    return best
  }

  /// The place, where its area does not tell that it cannot be.
  func place(line: Int, notes: inout PlaceNotes) throws(Rejection) -> Coordinate {
    guard let best else { throw Rejection(reason: "x and y have no system") }
    let exchanged = exchanged.best?.excess ?? .infinity
    guard !AreaOfUse.isExchange(from: best.excess, to: exchanged) else {
      throw Rejection(reason: "x and y are exchanged (exchange --x and --y: x is the easting)")
    }
    let area = best.system.area.map { ", \($0.shortName)" } ?? ""
    guard let place = best.place, best.excess <= AreaOfUse.reach else {
      throw Rejection(
        reason: "x and y are far outside the area of \(best.system.name)\(area) (another --crs?)")
    }
    if best.excess > AreaOfUse.slack {
      notes.outside["\(best.system.name)\(area)", default: []].append(line)
    } else if !best.isFirst {
      notes.otherSystem[best.system.name, default: []].append(line)
    }
    return place
  }
}
