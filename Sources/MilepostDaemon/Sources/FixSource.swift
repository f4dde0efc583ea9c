package import Milepost

/// Where fixes come from: gpsd or a FIFO.
///
/// It tells what it decodes by ``onFix`` and does not judge: the owner asks the gate, and says
/// ``noteUsableFix()`` where a fix is usable. Callbacks are made on the loop; ``stop()`` may be called from
/// within them.
package protocol FixSource: AnyObject {
  var onFix: ((Fix, Receipt) -> Void)? { get set }
  /// Lasting changes only.
  var onStateChange: ((SourceStateChange) -> Void)? { get set }
  /// The state this moment, for the status line: it may flicker.
  var state: SourceState { get }
  var counters: SourceCounters { get }
  /// In one word or two: `gpsd 127.0.0.1:2947`, `FIFO /run/milepostd/fixes`.
  var name: String { get }

  func start() throws(SourceError)
  func stop()
  /// A fix is stale after so many milliseconds.
  func setMaxGap(_ maxGap: Int64)
  /// The last fix was usable: this resets the backoff and makes the state ``SourceState/fix``.
  func noteUsableFix()
  /// The number that fixes of this receiver carry, also before the first one comes.
  func deviceID(named name: String) -> DeviceID
  func deviceName(of id: DeviceID) -> String?
}

/// What a source has taken in since it was made.
package struct SourceCounters: Equatable, Sendable {
  /// Complete lines, also those that are nothing; without the over-long.
  package var lines = 0
  /// Fixes told to the owner.
  package var fixes = 0
  /// Lines that are no valid report, sentence or row.
  package var malformed = 0
  /// Lines dropped because of their length.
  package var overlong = 0
  /// Connections made to gpsd.
  package var connections = 0
  /// Attempts to connect that failed, and connections that ended.
  package var failures = 0

  package init() {}

  /// Those that are not 0: `lines 812, fixes 270`.
  package var description: String {
    let all: [(String, Int)] = [
      ("lines", lines), ("fixes", fixes), ("malformed", malformed), ("overlong", overlong),
      ("connections", connections), ("failures", failures),
    ]
    return all.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

/// Why a source cannot start: one line that says what to mend.
package struct SourceError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
