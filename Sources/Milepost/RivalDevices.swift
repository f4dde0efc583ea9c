/// The receivers that give fixes while another is in use, each with the stretch of its own time
/// over which it has done so since the one in use was last heard.
struct RivalDevices: Sendable {
  /// A hostile source cannot grow this.
  static let most = 8

  private struct Rival {
    var device: DeviceID
    var begin: Timestamp
    var latest: Sighting
  }

  private var rivals: [Rival] = []

  mutating func clear() {
    if !rivals.isEmpty { rivals.removeAll(keepingCapacity: true) }
  }

  /// Milliseconds from the first to this fix of `device`; 0 where it begins anew, because it is new
  /// or because `follows` says that it does not fit the one before it.
  mutating func span(
    of device: DeviceID, extendedBy sighting: Sighting, follows: (Sighting) -> Bool
  ) -> Int64 {
    guard let place = rivals.firstIndex(where: { $0.device == device }) else {
      if rivals.count == Self.most { rivals.removeFirst() }
      rivals.append(Rival(device: device, begin: sighting.time, latest: sighting))
      return 0
    }
    let previous = rivals[place].latest
    guard sighting.time != previous.time else { return sighting.time.since(rivals[place].begin) }
    if previous.source != sighting.source || !follows(previous) {
      rivals[place].begin = sighting.time
    }
    rivals[place].latest = sighting
    return sighting.time.since(rivals[place].begin)
  }
}
