import CSQLite
@testable import EventStore
import Glibc
import Milepost
import TestSupport
import Testing

/// A store and its model, driven by the same dice.
private final class Trial {
  let home = Home(disk: "model")
  var model = StoreModel()
  var dice: SeededRandom
  var now: Int64 = 0
  var second: Int64 = 0
  var boots = 1
  var cuts = 0
  var outages = 0
  private var store: EventStore?
  private let hookNames = ["h1", "h2", "h3", "h4"]

  init(seed: UInt64) throws {
    dice = SeededRandom(seed: seed)
    home.settings.keepNewest = 20
    store = try home.open()
    model.sync()
  }

  func step() throws {
    now += Int64.random(in: 0...30_000, using: &dice)
    second += Int64.random(in: 0...100, using: &dice)
    let wasInMemory = store?.isInMemory == true
    switch Int.random(in: 0..<100, using: &dice) {
    case 0..<45: commit()
    case 45..<58: sendToJournal()
    case 58..<78: deliver()
    case 78..<84: store?.service(now: now)
    case 84..<86: changeHooks()
    case 86..<89: prune()
    case 89..<95: changeWeather()
    default: try end()
    }
    if store?.isInMemory == true, !wasInMemory { outages += 1 }
    if store?.isStored == true { model.sync() }
    try check()
  }

  private func commit() {
    let events = (0..<Int.random(in: 1...3, using: &dice)).map { _ in
      event(
        "f\(Int.random(in: 0..<50, using: &dice))", chance(50) ? .enter : .exit, at: second,
        cause: chance(10) ? .initial : .crossing)
    }
    let held = (0..<Int.random(in: 0...3, using: &dice)).map {
      (id: "held\($0)", since: chance(30) ? nil : at(second))
    }
    let fix = FixTime(time: at(second), source: chance(50) ? .fix : .system)
    _ = store?.takeNotices()
    let told = store?.commit(events, held: held, lastFix: fix, now: now) { $0.cause != .initial }
    #expect(told?.map(\.fenceID) == events.map(\.fence.id))
    // What was in memory may have been stored before these events failed to be.
    for case .storedAgain in store?.takeNotices() ?? [] { model.sync() }
    model.tell(told ?? [])
    model.current.held = Dictionary(uniqueKeysWithValues: held.map { ($0.id, $0.since) })
    model.current.lastFix = fix
  }

  private func sendToJournal() {
    let page = store?.eventsToJournal(limit: Int.random(in: 1...20, using: &dice), now: now) ?? []
    model.sendToJournal(page, now: now)
    if let last = page.last { store?.advanceJournaled(through: last.row, now: now) }
  }

  private func deliver() {
    guard let hook = model.current.hooks.keys.sorted().randomElement(using: &dice),
      let next = store?.nextDelivery(hook: hook, now: now)
    else { return }
    if chance(25) {
      let attempts = next.attempts + 1
      store?.deliveryEnded(
        hook: hook, event: next.event.row, .failed(attempts: attempts, nextDelayMS: 1_000),
        now: now)
      model.current.hooks[hook]?.attempts = attempts
      model.current.hooks[hook]?.notBefore = now + 1_000
    } else {
      store?.deliveryEnded(hook: hook, event: next.event.row, .succeeded, now: now)
      model.current.hooks[hook] = StoreModel.Hook(done: next.event.row)
    }
  }

  private func changeHooks() {
    let names = hookNames.filter { _ in chance(50) }
    let counts = model.current.hooks.mapValues { hook in
      model.current.events.count { $0.row > hook.done && $0.forHooks }
    }
    let dropped = store?.setHooks(names, now: now) ?? []
    for hook in dropped { #expect(counts[hook.hook] == hook.count) }
    let last = model.current.events.last?.row ?? 0
    var hooks = model.current.hooks.filter { names.contains($0.key) }
    for name in names where hooks[name] == nil { hooks[name] = StoreModel.Hook(done: last) }
    model.current.hooks = hooks
  }

  private func prune() {
    let keep = Int64(1_000_000)
    guard store?.prune(keepMS: keep, maxBytes: nil, limit: 15, now: now) == true else { return }
    let left = Set((store?.all ?? []).map(\.row))
    let gone = model.current.events.filter { !left.contains($0.row) }
    let needed = model.current.hooks.values.map(\.done).min() ?? .max
    let newest = model.current.events.suffix(20).first?.row ?? 0
    for event in gone {
      #expect(event.row <= needed)
      #expect(event.row < newest)
      #expect(event.time < at(second).advanced(by: -keep))
    }
    model.current.events.removeAll { !left.contains($0.row) }
    model.durable.events.removeAll { !left.contains($0.row) }
  }

  private func changeWeather() {
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: home.disk?.isFull = true
    case 1:
      home.disk?.fail(
        writes, skip: Int.random(in: 0..<10, using: &dice),
        every: Int.random(in: 1..<30, using: &dice),
        code: chance(50) ? SQLITE_FULL : ioErrorOnWrite, torn: chance(50))
    default: home.disk?.heal()
    }
  }

  /// The run ends in one of three ways, and another begins.
  private func end() throws {
    home.disk?.heal()
    cuts += 1
    switch Int.random(in: 0..<4, using: &dice) {
    case 0:
      let lost = store?.end(held: nil, lastFix: nil, now: now)
      #expect(lost == 0)
      model.sync()
      if chance(50) { newBoot { model.shutDown() } }
    case 1: home.disk?.cutPower(kept: 100)
    default:
      let kept: [Int32] = [0, 0, 50, 99]
      home.disk?.cutPower(
        seed: dice.next(), kept: kept.randomElement(using: &dice) ?? 0)
      newBoot { model.cutPower(now: now) }
    }
    store = nil
    model.crash()
    #expect(home.isSound)
    store = try home.open(now: now)
    #expect(store?.start.held == model.current.held)
    #expect(store?.start.lastFix == model.current.lastFix)
    #expect(store?.isInMemory == false)
  }

  private func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &dice) < percent
  }

  private func newBoot(_ body: () -> Void) {
    body()
    boots += 1
    home.boot = "boot\(boots)"
    now = Int64.random(in: 0..<20_000, using: &dice)
    for name in model.durable.hooks.keys { model.durable.hooks[name]?.notBefore = 0 }
  }

  private func check() throws {
    try #require(model.repeatedIDs == [])
    let all = store?.all ?? []
    try #require(all.map(\.id) == model.current.events.map(\.id))
    let isSame = all == model.current.events
    try #require(isSame)
    for hook in hookNames {
      let isNext = store?.nextDelivery(hook: hook, now: now) == model.next(for: hook)
      try #require(isNext, "\(hook)")
    }
  }

  /// All is told to the journal that is still to be told.
  func finish() {
    home.disk?.heal()
    store?.flush(now: now)
    if store?.isStored == true { model.sync() }
    while let page = store?.eventsToJournal(limit: 50, now: now), let last = page.last {
      model.sendToJournal(page, now: now)
      store?.advanceJournaled(through: last.row, now: now)
    }
    model.shutDown()
    #expect(model.missingInJournal == [])
  }
}

@Suite struct ModelTests {
  /// One seed by MILEPOST_TEST_SEED, else eight for ever and four fresh ones.
  static let seeds: [UInt64] = {
    if let text = getenv("MILEPOST_TEST_SEED"), let seed = UInt64(String(cString: text)) {
      return [seed]
    }
    return Array(1...8) + (0..<4).map { _ in UInt64.random(in: 0 ... .max) }
  }()

  @Test(
    "any mix of commits, faults, crashes and power cuts leaves what a simple model says",
    arguments: seeds)
  func model(_ seed: UInt64) throws {
    let trial = try Trial(seed: seed)
    for _ in 0..<300 { try trial.step() }
    trial.finish()
    print("store model: seed \(seed): \(trial.cuts) ends, \(trial.outages) outages")
    #expect(trial.cuts > 2)
  }
}
