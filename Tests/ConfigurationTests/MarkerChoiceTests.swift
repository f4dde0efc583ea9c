import Configuration
import Milepost
import Testing

@Suite("Which mileposts the configuration chooses")
struct MarkerChoiceTests {
  private func settings(_ text: String) throws -> Settings {
    try Configuration.settings(from: [.init(name: "m.conf", bytes: Array(text.utf8))])
  }

  @Test("Roads=, Category=, Every=, Radius= and SplitCarriageways= become the marker options")
  func options() throws {
    let options = try settings(
      """
      [Fences]
      Roads=台9 "國道 5"
      Category=省道
      Every=0.5mi
      Radius=80m
      SplitCarriageways=yes
      """
    ).fences.markerOptions
    #expect(options.roads == ["台9", "國道 5"])
    // Half an international mile: 804.672 m.
    #expect(options.filter == MarkerFilter(categories: ["省道"], every: 804_672_000))
    #expect(options.defaultRadius == 80)
    #expect(options.splitCarriageways)
  }

  @Test("an empty Every= is all, one that is no mileage is refused")
  func every() throws {
    #expect(try settings("[Fences]\nEvery=\n").fences.everyMicrometres == 0)
    for bad in ["0", "-1km", "1kg", "km", "99999999999km"] {
      #expect(throws: ConfigurationError.self, "\(bad)") {
        try settings("[Fences]\nEvery=\(bad)\n")
      }
    }
  }
}
