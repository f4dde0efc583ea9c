import Geodesy
package import Milepost

/// The mileposts of all marker files by road, to look one up.
package struct RoadBook: Sendable {
  /// One road of one category.
  package struct Road: Sendable {
    package var name: String
    package var category: String?
    /// By mileage, then section, carriageway and id.
    package var fences: [Geofence]

    /// The notation of most of its mileposts.
    package var notation: Mileage.Notation {
      let miles = fences.reduce(0) { $0 + ($1.milepost?.mileage.notation == .miles ? 1 : 0) }
      return miles * 2 > fences.count ? .miles : .kilometres
    }
  }

  /// In the order of the files.
  package private(set) var roads: [Road] = []
  private var places: [String: [Int]] = [:]

  /// Pins are left out.
  package init(_ fences: some Sequence<Geofence>) {
    var keys: [String: String] = [:]
    var places: [[String?]: Int] = [:]
    for fence in fences {
      guard let milepost = fence.milepost else { continue }
      let key = keys[milepost.road] ?? RoadName.key(milepost.road)
      keys[milepost.road] = key
      let place: Int
      if let known = places[[key, milepost.category]] {
        place = known
      } else {
        place = roads.count
        places[[key, milepost.category]] = place
        self.places[key, default: []].append(place)
        roads.append(Road(name: milepost.road, category: milepost.category, fences: []))
      }
      roads[place].fences.append(fence)
    }
    for place in roads.indices { roads[place].fences.sort(by: Self.precedes) }
  }

  /// The roads of this name, in any of its spellings; more than one where categories share it.
  package func roads(named name: String, category: String? = nil) -> [Road] {
    (places[RoadName.key(name)] ?? []).map { roads[$0] }
      .filter { category == nil || $0.category == category }
  }

  /// The names most like `name`, at most five.
  package func namesLike(_ name: String) -> [String] {
    let key = Array(RoadName.key(name))
    let ranked = places.compactMap { candidate, numbers -> (distance: Int, name: String)? in
      guard let first = numbers.first else { return nil }
      return (Self.distance(key, Array(candidate)), roads[first].name)
    }
    return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(5).map(\.name)
  }

  private static func precedes(_ a: Geofence, _ b: Geofence) -> Bool {
    guard let x = a.milepost, let y = b.milepost else { return false }
    if x.mileage.micrometres != y.mileage.micrometres {
      return x.mileage.micrometres < y.mileage.micrometres
    }
    for (p, q) in [(x.section, y.section), (x.carriageway, y.carriageway), (a.id, b.id)]
    where p != q {
      return (p ?? "").utf8.lexicographicallyPrecedes((q ?? "").utf8)
    }
    return false
  }

  /// Levenshtein's distance.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let substituted = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}

extension RoadBook.Road {
  /// Farther mileposts are not found; this far they are.
  package static let reach: UInt64 = 2_000_000_000

  package enum Tie: String, Sendable { case smaller, larger }

  /// All mileposts of the mileage nearest to `mileage`, or none within ``reach``. One without a
  /// carriageway serves every carriageway.
  package func nearest(to mileage: Mileage, tie: Tie = .smaller, carriageway: String? = nil)
    -> [Geofence]
  {
    let candidates =
      carriageway == nil
      ? fences
      : fences.filter { $0.milepost?.carriageway == nil || $0.milepost?.carriageway == carriageway }
    guard let best = Self.nearest(in: candidates, to: mileage, tie) else { return [] }
    let start = Self.firstIndex(in: candidates, notBelow: best)
    return Array(candidates[start...].prefix { Self.value($0) == best })
  }

  private static func value(_ fence: Geofence) -> Int64 {
    fence.milepost?.mileage.micrometres ?? 0
  }

  /// Binary search in sorted `fences`.
  private static func firstIndex(in fences: [Geofence], notBelow mileage: Int64) -> Int {
    var (low, high) = (0, fences.count)
    while low < high {
      let middle = (low + high) / 2
      if value(fences[middle]) < mileage { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The mileage in sorted `fences` that is nearest.
  private static func nearest(in fences: [Geofence], to mileage: Mileage, _ tie: Tie) -> Int64? {
    let place = firstIndex(in: fences, notBelow: mileage.micrometres)
    func distance(_ value: Int64) -> UInt64 {
      mileage.micrometres(since: Mileage(micrometres: value)).magnitude
    }
    let below = place > 0 ? value(fences[place - 1]) : nil
    let above = place < fences.count ? value(fences[place]) : nil
    var best = below ?? above
    if let below, let above {
      let (down, up) = (distance(below), distance(above))
      best = up < down || up == down && tie == .larger ? above : below
    }
    return best.flatMap { distance($0) <= reach ? $0 : nil }
  }
}
