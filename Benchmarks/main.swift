// make bench: speed and memory of the parts, medians of five runs.
let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
for count in arguments.isEmpty ? [100_000, 1_000_000] : arguments where count > 0 {
  EngineBenchmark.run(fenceCount: count)
}
