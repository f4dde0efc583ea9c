import Milepost

/// All that the daemon counts, in one line for the journal.
struct Counters {
  var source: SourceCounters
  var verdicts: VerdictCounts
  var accepted: UInt64
  var events: Int64
  var hooks: HookCounters

  var text: String {
    "source: \(orNone(source.description)); fixes: \(orNone(verdicts.description))"
      + "; accepted \(accepted); events \(events); hooks: \(orNone(hooks.description))"
  }

  private func orNone(_ text: String) -> String { text.isEmpty ? "nothing" : text }
}

extension HookCounters {
  /// Those that are not 0: `runs 12, delivered 12`.
  var description: String {
    let all = [
      ("runs", runs), ("delivered", delivered), ("failed", failures), ("timed out", timeouts),
      ("given up", givenUp), ("expired", expired), ("dropped", dropped),
      ("interrupted", interrupted),
    ]
    return all.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
