import FoundationEssentials
import Milepost
import MilepostDaemon
import TestSupport
import Testing

@Suite("Fields and message ids in the pages")
struct JournalFieldTests {
  /// The string literals of a module that satisfy a condition.
  private static func literals(
    in module: String, where isWanted: (Substring) -> Bool
  ) throws -> Set<String> {
    let root = "\(TestData.package)/Sources/\(module)"
    let files = try FileManager.default.subpathsOfDirectory(atPath: root)
    let texts = try files.filter { $0.hasSuffix(".swift") }.map { try readText("\(root)/\($0)") }
    return Set(texts.flatMap { $0.split(separator: "\"") }.filter(isWanted).map(String.init))
  }

  /// The names that a module writes out: `"MILEPOST_FENCE"`.
  private static func names(in module: String) throws -> Set<String> {
    try literals(in: module) { text in
      text.hasPrefix("MILEPOST_") && text.allSatisfy { $0.isUppercase || $0 == "_" }
    }
  }

  @Test(
    "every field of the journal and of hooks is in milepostd(8) or milepost-hooks(7), and no other")
  func fields() throws {
    let written = try Self.names(in: "Milepost").union(Self.names(in: "MilepostDaemon"))
    #expect(written.count >= 19)
    let journal = try ManualPage("milepostd.8").fields
    let hooks = try ManualPage("milepost-hooks.7").fields
    #expect(journal.union(hooks) == written)
    #expect(journal == written.subtracting(["MILEPOST_ATTEMPT"]))
  }

  @Test("every message id is in milepostd(8) and in the catalog, and no other")
  func messageIDs() throws {
    let ids = try Self.literals(in: "MilepostDaemon") { text in
      text.utf8.count == 32 && text.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
    #expect(ids.isSuperset(of: SourceState.allCases.map(\.messageID)))
    #expect(ids.isSuperset(of: [MessageID.enter, MessageID.exit]))
    let catalog = try readText("\(TestData.package)/systemd/milepostd.catalog")
    let explained = catalog.split(separator: "\n").filter { $0.hasPrefix("-- ") }.map {
      String($0.dropFirst(3))
    }
    #expect(Set(explained) == ids)
    let page = try ManualPage("milepostd.8").section("JOURNAL").lines
    let listed = page.filter { $0.hasPrefix(".It Li ") && $0.utf8.count == 39 }.map {
      String($0.dropFirst(7))
    }
    #expect(Set(listed) == ids)
    #expect(listed.count == ids.count && explained.count == ids.count)
  }
}
