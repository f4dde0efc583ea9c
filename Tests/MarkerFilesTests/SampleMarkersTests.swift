import Geodesy
import MarkerFiles
import Milepost
import Testing

@Suite struct SampleMarkersTests {
  @Test("the bundled mileposts stand every 100 m along a straight road")
  func sample() throws {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let set = MarkerFile.load(["\(root)/Config/markers.d/*.csv"])
    #expect(set.reports.isEmpty && set.fences.count == 31)
    let posts = set.fences.filter { $0.milepost?.road == "A1" }
    #expect(posts.map(\.id).first == "A1/0K+000" && posts.map(\.id).last == "A1/2K+900")
    for (post, next) in zip(posts, posts.dropFirst()) {
      #expect(abs(ECEF(post.centre).distance(to: ECEF(next.centre)) - 100) < 0.02)
    }
    #expect(set.fences.last?.id == "pin/Example rest area")
    #expect(set.fences.last?.radius == 120)
  }
}
