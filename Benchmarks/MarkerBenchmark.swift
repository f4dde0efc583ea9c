import MarkerFiles
import Milepost

/// From a marker file's bytes to fences, and from fences to their index.
enum MarkerBenchmark {
  static func run() {
    let bytes = Array(GeneratedMarkers.csv().utf8)
    var set = MarkerSet()
    let reading = Stopwatch.runs(5) {
      var reader = MarkerReader(options: MarkerOptions())
      reader.read(bytes, file: "generated.csv")
      set = reader.finish()
    }
    report("marker file, \(set.fences.count) rows", reading, each: set.rowsRead, unit: "row")
    let building = Stopwatch.runs(5) { _ = FenceSet(set.fences) }
    report("fence index", building, each: set.fences.count, unit: "fence")
  }
}
