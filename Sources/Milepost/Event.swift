package import Geodesy

/// Which way the mileage runs for the vehicle.
package enum Travel: String, Sendable {
  case increasing
  case decreasing
}

/// A recorded transition: what the journal, hooks, store and replay show.
package struct Event: Sendable {
  /// Unique for ever: the installation's id and the sequence number.
  package var id: String
  package var sequence: Int64
  package var kind: Transition.Kind
  package var cause: Cause
  package var time: Timestamp
  package var timeSource: TimeSource
  package var interpolated: Bool
  package var fence: Geofence
  package var travel: Travel?
  /// The fix that the event came with.
  package var fix: UsableFix
  /// From the fence's centre to the fix, along the ground.
  package var distance: Metres
  /// Milliseconds from the enter to this exit.
  package var inside: Int64?
  /// Milliseconds since the last usable fix before a gap or a restart.
  package var gap: Int64?

  /// m/s as km/h.
  var speedKMH: Double? { fix.speed.map { $0 * 3.6 } }
}

extension Event {
  /// The event as one line of JSON, without its newline. Unknown is absent, never 0.
  package var json: [UInt8] {
    var text = JSONText()
    text.object { text in
      text.member("schema", 1)
      text.member("id", id)
      text.member("sequence", sequence)
      text.member("event", kind.rawValue)
      text.member("cause", cause.rawValue)
      text.member("time", time)
      text.member("time_source", timeSource.rawValue)
      text.member("interpolated", interpolated)
      text.object("fence", writeFence)
      if let milepost = fence.milepost {
        text.object("milepost") { write(milepost, to: &$0) }
      }
      text.object("fix", writeFix)
      text.member("distance_m", distance, places: 1)
      text.member("inside_s", milliseconds: inside)
      text.member("gap_s", milliseconds: gap)
    }
    return text.bytes
  }

  private func writeFence(to text: inout JSONText) {
    text.member("id", fence.id)
    text.member("kind", fence.kind)
    text.member("latitude", fence.centre.latitude, places: 9)
    text.member("longitude", fence.centre.longitude, places: 9)
    text.member("radius_m", fence.radius, places: 3)
  }

  private func write(_ milepost: Milepost, to text: inout JSONText) {
    text.member("road", milepost.road)
    text.member("section", milepost.section)
    text.member("mileage", milepost.mileage.description)
    text.raw("mileage_m", milepost.mileage.metresText)
    text.member("plate", milepost.plate)
    text.member("carriageway", milepost.carriageway)
    text.member("category", milepost.category)
    text.member("name", milepost.name)
    text.member("travel", travel?.rawValue)
  }

  private func writeFix(to text: inout JSONText) {
    text.member("time", fix.time)
    text.member("latitude", fix.coordinate.latitude, places: 9)
    text.member("longitude", fix.coordinate.longitude, places: 9)
    text.member("speed_mps", fix.speed, places: 3)
    text.member("track_deg", fix.track, places: 4)
    text.member("eph_m", fix.horizontalError, places: 3)
  }
}

extension Event {
  /// The names and values that journal entries and hooks' environments share; unknown is absent.
  package var fields: [(name: String, value: String)] {
    let milepost = fence.milepost
    let all: [(String, String?)] = [
      ("MILEPOST_EVENT", kind.rawValue),
      ("MILEPOST_EVENT_ID", id),
      ("MILEPOST_SEQUENCE", String(sequence)),
      ("MILEPOST_CAUSE", cause.rawValue),
      ("MILEPOST_TIME", time.description),
      ("MILEPOST_FENCE", fence.id),
      ("MILEPOST_ROAD", milepost?.road),
      ("MILEPOST_MILEAGE", milepost?.mileage.description),
      ("MILEPOST_MILEAGE_M", milepost?.mileage.metresText),
      ("MILEPOST_TRAVEL", travel?.rawValue),
      ("MILEPOST_LATITUDE", decimalText(fix.coordinate.latitude, places: 9)),
      ("MILEPOST_LONGITUDE", decimalText(fix.coordinate.longitude, places: 9)),
      ("MILEPOST_SPEED_KMH", speedKMH.map { decimalText($0, places: 1) }),
      ("MILEPOST_TRACK", fix.track.map { decimalText($0, places: 4) }),
      ("MILEPOST_INSIDE_S", inside.map { secondsText(milliseconds: $0) }),
      ("MILEPOST_GAP_S", gap.map { secondsText(milliseconds: $0) }),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }

  /// One readable line: `enter 國道5號 15K+200 at 90 km/h`.
  package var message: String {
    let speed = speedKMH.map { " at \(decimalText($0, places: 0)) km/h" } ?? ""
    let reason =
      switch cause {
      case .crossing: ""
      case .initial: " (there at the start)"
      case .gap: " (after a gap\(gap.map { " of \(secondsText(milliseconds: $0)) s" } ?? ""))"
      case .restart: " (while not running)"
      case .removed: " (fence removed)"
      }
    return "\(kind.rawValue) \(fence.placeName)\(speed)\(reason)"
  }
}
