import Options
import TestSupport
import Testing

@Suite("The version stands in one place")
struct VersionTests {
  private static let package = TestData.package

  @Test("Packaging/version.sh prints the version that the programs have")
  func script() throws {
    let run = try RunningProgram("\(Self.package)/Packaging/version.sh", [])
    #expect(try run.end() == 0)
    #expect(run.lines == [version])
  }

  @Test("the Debian changelog begins with this version and dates released ones by CHANGELOG.md")
  func debianChangelog() throws {
    let folder = try ScratchFolder()
    let released = try folder.write(
      "CHANGELOG.md",
      "# Changelog\n\n## [Unreleased]\n\n- New\n\n## [0.0.9] - 2026-01-31\n\n- Old\n")
    for file in [released, "\(Self.package)/CHANGELOG.md"] {
      let run = try RunningProgram(
        "/usr/bin/awk",
        [
          "-v", "version=\(version)", "-v", "revision=3", "-v", "maintainer=A B <a@example.org>",
          "-v", "date=Mon, 30 Nov 2026 18:00:00 +0000", "-f",
          "\(Self.package)/Packaging/debian/changelog.awk", file,
        ])
      #expect(try run.end() == 0)
      #expect(run.lines.first == "milepostd (\(version)-3) unstable; urgency=medium")
      #expect(run.lines.contains { $0.hasPrefix(" -- A B <a@example.org>  ") })
      guard file == released else { continue }
      #expect(run.lines.contains("milepostd (0.0.9-1) unstable; urgency=medium"))
      #expect(run.lines.contains(" -- A B <a@example.org>  Sat, 31 Jan 2026 00:00:00 +0000"))
    }
  }

  @Test("CHANGELOG.md begins with what is unreleased, or with this version")
  func changelog() throws {
    let text = try readText("\(Self.package)/CHANGELOG.md")
    let first = try #require(text.split(separator: "\n").first { $0.hasPrefix("## [") })
    #expect(first == "## [Unreleased]" || first.hasPrefix("## [\(version)] - "))
  }
}
