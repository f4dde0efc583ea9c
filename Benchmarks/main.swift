// make bench: speed and memory of the parts and of the programs, medians of several runs.
// Arguments choose among engine, lines, markers, start, latency, replay,
// commits, deliveries, hooks.
let chosen = Set(CommandLine.arguments.dropFirst())

func isChosen(_ name: String) -> Bool { chosen.isEmpty || chosen.contains(name) }

if isChosen("engine") {
  for count in [1_000, 100_000, 1_000_000] { EngineBenchmark.run(fenceCount: count) }
}
if isChosen("lines") { LineBenchmark.run() }
if isChosen("markers") { MarkerBenchmark.run() }
if isChosen("start") { try StartBenchmark.run() }
if isChosen("latency") { try LatencyBenchmark.run() }
if isChosen("replay") { try ReplayBenchmark.run() }
if isChosen("commits") { try CommitBenchmark.run() }
if isChosen("deliveries") { try DeliveryBenchmark.run() }
if isChosen("hooks") { try HookLatencyBenchmark.run() }
