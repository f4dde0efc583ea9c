/// Makes events of transitions: numbers them and tells the direction of travel. Their ids are their
/// numbers, until a store gives them ones that are unique for ever.
package struct EventRecorder: Sendable {
  /// A direction is told over at most this time and mileage.
  static let travelTime: Int64 = 10 * 60_000
  static let travelMicrometres: UInt64 = 5_000_000_000

  private struct Passed {
    var fence: String
    var mileage: Mileage
    var time: Timestamp
    var timeline: Int
    var travel: Travel?
  }

  private struct Stretch: Hashable {
    var road: String
    var section: String?
  }

  package private(set) var lastSequence: Int64
  private var passed: [Stretch: Passed] = [:]
  private var travelOfHeld: [String: Travel] = [:]

  /// Begins with the number after `lastSequence`.
  package init(lastSequence: Int64 = 0) { self.lastSequence = lastSequence }

  /// The events of a fix's transitions. `fences` is the set that their numbers belong to; times of
  /// different timelines are not compared.
  package mutating func record(
    _ transitions: [Transition], fix: UsableFix, fences: FenceSet, timeline: Int
  ) -> [Event] {
    transitions.map { transition in
      lastSequence += 1
      let fence = fences[transition.fence]
      return Event(
        id: "\(lastSequence)", sequence: lastSequence, kind: transition.kind,
        cause: transition.cause, time: transition.time, timeSource: fix.timeSource,
        interpolated: transition.interpolated,
        fence: fence, travel: travel(through: fence, transition, timeline: timeline), fix: fix,
        distance: transition.distance, inside: transition.inside, gap: transition.gap)
    }
  }

  /// From the previous milepost entered on the same road and section; an exit tells what its enter
  /// told.
  private mutating func travel(
    through fence: Geofence, _ transition: Transition, timeline: Int
  ) -> Travel? {
    guard transition.kind == .enter else { return travelOfHeld.removeValue(forKey: fence.id) }
    guard let milepost = fence.milepost else { return nil }
    let stretch = Stretch(road: milepost.road, section: milepost.section)
    var now = Passed(
      fence: fence.id, mileage: milepost.mileage, time: transition.time, timeline: timeline)
    if let before = passed[stretch] { now.travel = travel(from: before, to: now) }
    passed[stretch] = now
    travelOfHeld[fence.id] = now.travel
    return now.travel
  }

  private func travel(from before: Passed, to now: Passed) -> Travel? {
    guard before.timeline == now.timeline, before.fence != now.fence,
      (0...Self.travelTime).contains(now.time.since(before.time)),
      now.mileage.micrometres(since: before.mileage).magnitude <= Self.travelMicrometres
    else { return nil }
    if now.mileage.micrometres == before.mileage.micrometres { return before.travel }
    return now.mileage > before.mileage ? .increasing : .decreasing
  }
}

extension EventRecorder {
  /// An event of an earlier run, as far as the direction of travel goes by it.
  package struct Earlier: Sendable {
    package var kind: Transition.Kind
    package var fence: String
    package var time: Timestamp
    package var travel: Travel?

    package init(kind: Transition.Kind, fence: String, time: Timestamp, travel: Travel?) {
      self.kind = kind
      self.fence = fence
      self.time = time
      self.travel = travel
    }
  }

  /// Takes up the direction of travel where an earlier run left it. `events` are its newest, in
  /// order; a time before the one ahead of it begins a new timeline.
  package mutating func resume(after events: [Earlier], fences: FenceSet, timeline: Int) {
    guard !events.isEmpty else { return }
    let numbers = fences.numbers(of: Set(events.lazy.map(\.fence)))
    var last: Timestamp?
    for event in events {
      if let before = last, event.time < before { passed = [:] }
      last = event.time
      switch event.kind {
      case .exit: travelOfHeld[event.fence] = nil
      case .enter:
        travelOfHeld[event.fence] = event.travel
        guard let milepost = numbers[event.fence].flatMap({ fences[$0].milepost }) else { continue }
        passed[Stretch(road: milepost.road, section: milepost.section)] = Passed(
          fence: event.fence, mileage: milepost.mileage, time: event.time, timeline: timeline,
          travel: event.travel)
      }
    }
  }
}
