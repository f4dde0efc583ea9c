import Glibc
import MarkerImport
import Testing

/// The freeways of Taiwan: `markers/tw-freeway-*` of the shared data; unzip(1) opens the KML.
struct FreewayTests {
  static let files: [[UInt8]] = unzipped()

  static func unzipped() -> [[UInt8]] {
    var template = Array("/tmp/milepost-test-XXXXXX".utf8CString)
    guard access(Shared.data + "/markers/tw-freeway-95016-kml.zip", R_OK) == 0,
      let made = mkdtemp(&template)
    else { return [] }
    let folder = String(cString: made)
    defer { run("rm -r '\(folder)'") }
    // The archive's names are in cp950, so the files get numbers.
    run(
      "cd '\(folder)' && unzip -qq -j '\(Shared.data)/markers/tw-freeway-95016-kml.zip' >&2; "
        + "i=10; for f in *; do mv \"$f\" $i; i=$((i+1)); done")
    return ReplacedFileTests.entries(folder).sorted().compactMap { Shared.bytes(folder + "/" + $0) }
      .filter { !$0.isEmpty }
  }

  static func run(_ command: String) {
    guard let pipe = popen(command, "r") else { return }
    pclose(pipe)
  }

  static let isThere = files.count == 11
  static let absence: Comment =
    "skipped: no tw-freeway-95016-kml.zip in the shared data, or no unzip"

  @Test("10,088 posts on 12 routes, from KML and CSV together", .enabled(if: isThere, absence))
  func posts() throws {
    let tables = ["n2a", "n4"].compactMap { Shared.bytes("markers/tw-freeway-95016-\($0).csv") }
    let imported = Imported(preset: "tw-freeway-posts", Self.files + tables)
    #expect(imported.fault == nil)
    #expect(imported.report.rowsRead == 10_088)
    #expect(imported.report.rejected == 0)
    #expect(imported.report.roads.count == 12)
    #expect(imported.rows.contains { $0.hasPrefix("國道5號,53K+729,") && $0.hasSuffix(",053K+729") })
    #expect(
      imported.rows.contains { $0.hasPrefix("國道2甲,0K+000,25.07348,") && $0.hasSuffix(",000K+0") })
  }

  @Test("the plates of both directions and of elevated sections")
  func plates() {
    let bytes = Shared.bytes("markers/tw-freeway-98447-sample.csv") ?? []
    guard !bytes.isEmpty else {
      print("skipped: no tw-freeway-98447-sample.csv in the shared data")
      return
    }
    let imported = Imported(preset: "tw-freeway-plates", [bytes])
    #expect(imported.fault == nil)
    #expect(imported.report.warnings.isEmpty)
    #expect(
      imported.rows == [
        "國道1號,14K+200,25.06599366,121.6193508,國道,高架路段,北上,,,,014K+200",
        "國道1號,14K+300,25.06588633,121.6183282,國道,高架路段,北上,,,,014K+300",
        "國道1號,14K+400,25.0657822,121.6173622,國道,高架路段,北上,,,,014K+400",
      ])
  }
}
