package import Geodesy

/// Places by number, in the order in which they came, to find the first one near another.
///
/// A few are looked through one after another. More are found by cubes a little wider than the reach:
/// what is near lies in the cube of the place asked for or in one of the 26 round it.
package struct PlaceList {
  private struct Place {
    var point: ECEF
    var number: Int
    /// The place added before to the same cube, by its index; -1 for none.
    var previous: Int32 = -1
  }

  private struct Cube: Hashable {
    var x: Int32
    var y: Int32
    var z: Int32
  }

  /// Wider than ``FenceMerger/reach``, so that no rounding puts a near place beyond the next cube.
  private static let side: Metres = FenceMerger.reach + 1
  /// So many places are looked through.
  private static let fewest = 16

  private var places: [Place] = []
  /// The index of the place added last to each cube; empty for few places.
  private var cubes: [Cube: Int32] = [:]

  package init() {}

  package var count: Int { places.count }

  /// In the order in which they came.
  package var numbers: [Int] { places.map(\.number) }

  package mutating func append(_ number: Int, at point: ECEF) {
    places.append(Place(point: point, number: number))
    if places.count == Self.fewest + 1 {
      for index in places.indices { putIntoCube(index) }
    } else if places.count > Self.fewest {
      putIntoCube(places.count - 1)
    }
  }

  /// The number of the first place within ``FenceMerger/reach`` of `point`.
  package func first(near point: ECEF) -> Int? {
    guard places.count > Self.fewest else {
      return places.first { $0.point.distance(to: point) <= FenceMerger.reach }?.number
    }
    var first = Int32.max
    let middle = Self.cube(of: point)
    for x in middle.x - 1...middle.x + 1 {
      for y in middle.y - 1...middle.y + 1 {
        for z in middle.z - 1...middle.z + 1 {
          first = min(first, firstIndex(in: Cube(x: x, y: y, z: z), near: point))
        }
      }
    }
    return first == .max ? nil : places[Int(first)].number
  }

  /// `Int32.max` for none.
  private func firstIndex(in cube: Cube, near point: ECEF) -> Int32 {
    var first = Int32.max
    var index = cubes[cube] ?? -1
    while index >= 0 {
      let place = places[Int(index)]
      if place.point.distance(to: point) <= FenceMerger.reach { first = index }
      index = place.previous
    }
    return first
  }

  private mutating func putIntoCube(_ index: Int) {
    let number = Int32(clamping: index)
    let before = cubes.updateValue(number, forKey: Self.cube(of: places[index].point))
    places[index].previous = before ?? -1
  }

  /// The Earth is 130,000 cubes wide.
  private static func cube(of point: ECEF) -> Cube {
    func number(_ value: Metres) -> Int32 { Int32((value / side).rounded(.down)) }
    return Cube(x: number(point.x), y: number(point.y), z: number(point.z))
  }
}
