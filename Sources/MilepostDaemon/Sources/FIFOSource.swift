internal import FixFormats
internal import Glibc
package import Milepost
package import SystemdKit

/// Fixes that others write into a FIFO, a line each, in any of the formats.
///
/// An NMEA epoch is complete when the next one begins or when nothing has come for 200 ms. One at a
/// path that is removed or replaced, or cannot be read any more, is opened again within 5 s.
package final class FIFOSource: FixSource {
  package var onFix: ((Fix, Receipt) -> Void)?
  package var onStateChange: ((SourceStateChange) -> Void)?
  package let name: String

  private static let epochEndsAfter: Int64 = 200
  /// A flood must leave timers and signals their turn.
  private static let readsPerTurn = 4
  private static let bufferSize = 65_536

  private let loop: EventLoop
  private let path: String?
  /// Between two looks at whether the FIFO still stands at its path, ms.
  private let lookEvery: Int64
  private var file: FileDescriptor?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
  private var session: FIFOSession
  private var decoder: FixDecoder
  private var framer = LineFramer()
  private var overlong = 0
  private var fixes = 0
  private var input: IOSource?
  private var timer: TimerSource?
  private var armedFor: Int64?
  /// When what waits for more input is handed on.
  private var epochEnd: Int64?
  /// When it is looked whether the FIFO still stands at its path.
  private var lookDue: Int64?

  /// Reads the FIFO at `path`, which ``start()`` opens, or makes where there is none. `maxGap` is
  /// in milliseconds.
  package convenience init(
    loop: EventLoop, path: String, requiresChecksum: Bool = true, maxGap: Int64 = 10_000,
    patience: StateAnnouncer.Patience = .init(), lookEvery: Int64 = 5_000
  ) {
    self.init(
      loop: loop, path: path, file: nil, name: path, requiresChecksum: requiresChecksum,
      maxGap: maxGap, patience: patience, lookEvery: lookEvery)
  }

  /// Reads a FIFO that systemd passed, which it takes over.
  package convenience init(
    loop: EventLoop, passed: ListenDescriptor, requiresChecksum: Bool = true,
    maxGap: Int64 = 10_000, patience: StateAnnouncer.Patience = .init(), lookEvery: Int64 = 5_000
  ) throws(SourceError) {
    let file = try FIFOOpening.adopt(FileDescriptor(owning: passed.rawValue), name: passed.name)
    self.init(
      loop: loop, path: nil, file: file, name: "\(passed.name) (from systemd)",
      requiresChecksum: requiresChecksum, maxGap: maxGap, patience: patience, lookEvery: lookEvery)
  }

  private init(
    loop: EventLoop, path: String?, file: consuming FileDescriptor?, name: String,
    requiresChecksum: Bool, maxGap: Int64, patience: StateAnnouncer.Patience,
    lookEvery: Int64
  ) {
    self.loop = loop
    self.path = path
    self.lookEvery = lookEvery
    self.file = file
    self.name = "FIFO \(name)"
    decoder = FixDecoder(requiresChecksum: requiresChecksum)
    session = FIFOSession(name: "FIFO \(name)", maxGap: maxGap, patience: patience)
  }

  deinit {
    stop()
    buffer.deallocate()
  }

  /// Of the descriptors that systemd passed the one to read: the FIFO named `fixes`, else the only FIFO.
  package static func choose(from passed: [ListenDescriptor]) -> ListenDescriptor? {
    let fifos = passed.filter { (try? $0.isFIFO()) == true }
    return fifos.first { $0.name == "fixes" } ?? (fifos.count == 1 ? fifos.first : nil)
  }

  package var state: SourceState { session.state(at: Clock.bootTimeMS) }

  package var counters: SourceCounters {
    var counters = SourceCounters()
    counters.lines = decoder.counters.lines
    counters.fixes = fixes
    counters.malformed = decoder.counters.malformed
    counters.overlong = overlong
    return counters
  }

  package func start() throws(SourceError) {
    if let path { file = try FIFOOpening.open(path) }
    do throws(SystemError) {
      timer = try loop.addTimer { [weak self] in self?.tick() }
    } catch {
      throw SourceError("\(name): \(error)")
    }
    try listen()
    lookDue = Clock.bootTimeMS + lookEvery
    tick()
  }

  private func listen() throws(SourceError) {
    guard let descriptor = rawDescriptor else { throw SourceError("\(name): already stopped") }
    do throws(SystemError) {
      input = try loop.addIO(descriptor, .readable) { [weak self] _ in
        self?.read()
      }
    } catch {
      throw SourceError("\(name): \(error)")
    }
  }

  /// Ends reading; the FIFO stays where it is.
  package func stop() {
    input?.cancel()
    input = nil
    timer?.cancel()
    timer = nil
    file = nil
    lookDue = nil
  }

  package func setMaxGap(_ maxGap: Int64) {
    announce(session.setMaxGap(maxGap, at: Clock.bootTimeMS))
    armTimer()
  }

  package func noteUsableFix() {
    announce(session.usableFix(at: Clock.bootTimeMS))
    armTimer()
  }

  package func deviceID(named name: String) -> DeviceID { decoder.id(ofDevice: name) }

  package func deviceName(of id: DeviceID) -> String? { decoder.devices.name(of: id) }

  private var rawDescriptor: Int32? {
    switch file {
    case .some(let file): file.rawValue
    case nil: nil
    }
  }
}

// MARK: Input

extension FIFOSource {
  private func read() {
    for _ in 0..<Self.readsPerTurn where input != nil {
      switch readOnce() {
      case .success(nil): return
      case .success(let count?) where count > 0:
        take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        if count < buffer.count { return }
      case .success: return fail("it has ended")
      case .failure(let error): return fail(SystemError.text(of: error.code))
      }
    }
  }

  private func readOnce() -> Result<Int?, SystemError> {
    guard let raw = rawDescriptor else { return .success(nil) }
    do throws(SystemError) {
      return .success(
        try retryingInterrupts("read", on: name) {
          Glibc.read(raw, buffer.baseAddress, buffer.count)
        }
      )
    } catch {
      return error.code == EAGAIN ? .success(nil) : .failure(error)
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    let receipt = Receipt(
      wall: Timestamp(milliseconds: Clock.realTimeMS), boot: Clock.bootTimeMS)
    // Out of `self` while it hands on lines, as their readers may look at or stop this source.
    var framer = self.framer
    self.framer = LineFramer()
    let before = framer.overlong
    var batch: [Fix] = []
    framer.append(bytes) { line in
      guard input != nil else { return }
      decoder.decode(line) { batch.append($0) }
      if !batch.isEmpty { handOn(&batch, receipt) }
    }
    overlong += framer.overlong - before
    self.framer = framer
    epochEnd = receipt.boot + Self.epochEndsAfter
    armTimer()
  }

  private func endEpoch(at now: Int64) {
    epochEnd = nil
    var batch: [Fix] = []
    decoder.finish { batch.append($0) }
    handOn(&batch, Receipt(wall: Timestamp(milliseconds: Clock.realTimeMS), boot: now))
  }

  private func handOn(_ batch: inout [Fix], _ receipt: Receipt) {
    for fix in batch where input != nil {
      fixes += 1
      if fix.mode < 2 { announce(session.withoutFix(at: receipt.boot)) }
      onFix?(fix, receipt)
    }
    batch.removeAll(keepingCapacity: true)
  }

  private func fail(_ reason: String) {
    input?.cancel()
    input = nil
    announce(session.failed(reason, at: Clock.bootTimeMS))
    armTimer()
  }
}

// MARK: Path

extension FIFOSource {
  /// Opens what now stands at the path where that is no more what is read.
  private func look(at now: Int64) {
    lookDue = now + lookEvery
    guard let path else { return lookForName(at: now) }
    if input != nil, stands(at: path) { return }
    // What has been written before it was removed.
    read()
    input?.cancel()
    input = nil
    file = nil
    framer = LineFramer()
    do {
      file = try FIFOOpening.open(path)
      try listen()
      announce(session.reopened(at: now))
    } catch {
      announce(session.failed("\(error)", at: now))
    }
  }

  /// Tells when no one can reach the FIFO of systemd any more, and no one who has it open writes.
  private func lookForName(at now: Int64) {
    guard isRemoved, session.state(at: now) != .fix else { return }
    announce(
      session.failed("it is removed (systemctl restart milepostd makes a new one)", at: now))
  }

  private var isRemoved: Bool {
    switch file {
    case .some(let file): FIFOOpening.isRemoved(file)
    case nil: false
    }
  }

  private func stands(at path: String) -> Bool {
    switch file {
    case .some(let file): FIFOOpening.stands(file, at: path)
    case nil: false
    }
  }
}

// MARK: Time

extension FIFOSource {
  private func tick() {
    armedFor = nil
    let now = Clock.bootTimeMS
    if let epochEnd, now >= epochEnd { endEpoch(at: now) }
    if let lookDue, now >= lookDue { look(at: now) }
    announce(session.tick(at: now))
    armTimer()
  }

  private func announce(_ change: SourceStateChange?) {
    if let change { onStateChange?(change) }
  }

  /// A timer that fires early does no harm: it is set anew only where it would be late.
  private func armTimer() {
    let own = Deadline.earlier(epochEnd, lookDue)
    let due = Deadline.earlier(session.nextDeadline(after: Clock.bootTimeMS), own)
    guard let timer, let next = due else { return }
    if let armedFor, armedFor <= next { return }
    armedFor = next
    // Fails for want of memory only.
    try? timer.arm(atMS: next)
  }
}
