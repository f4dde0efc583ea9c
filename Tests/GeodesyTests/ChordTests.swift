import CProj
import Geodesy
import TestSupport
import Testing

/// How far a fence's decision may be off, by its radius: DESIGN's measured bounds, doubled.
private struct Row: CustomTestStringConvertible {
  var radius: Metres
  var tolerance: Metres

  var testDescription: String { "radius \(radius) m" }
}

@Suite("A radius as a chord")
struct ChordTests {
  @Test(
    "the chord of a radius is the chord of the exact geodesic",
    arguments: [
      Row(radius: 10, tolerance: 8e-9), Row(radius: 100, tolerance: 8e-9),
      Row(radius: 1_000, tolerance: 24e-9), Row(radius: 10_000, tolerance: 24e-6),
      Row(radius: 100_000, tolerance: 24e-3),
    ])
  fileprivate func chordAgainstGeodesic(row: Row) {
    var random = SeededRandom.fresh(for: "chordAgainstGeodesic")
    var worst: (error: Metres, where: Coordinate) = (0, Coordinate(latitude: 0, longitude: 0))
    for _ in 0..<3_000 {
      let centre = Coordinate(
        latitude: .random(in: -90...90, using: &random),
        longitude: .random(in: -180...180, using: &random))
      let rim = Geodesic.destination(
        from: centre, azimuth: .random(in: 0...360, using: &random), distance: row.radius)
      let error = abs(ECEF(centre).distance(to: ECEF(rim)) - WGS84.chord(arc: row.radius))
      if error > worst.error { worst = (error, centre) }
    }
    #expect(worst.error <= row.tolerance, "at \(worst.where)")
  }

  @Test("the arc of a chord is the radius again", arguments: [1.0, 40, 1_000, 100_000])
  func arcInvertsChord(radius: Metres) {
    #expect(abs(WGS84.arc(chord: WGS84.chord(arc: radius)) - radius) < 1e-6)
  }
}

@Suite("Earth-centred points")
struct ECEFTests {
  @Test("a coordinate becomes the point that PROJ gives (EPSG:4979 to EPSG:4978)")
  func againstPROJ() throws {
    let context = proj_context_create()
    defer { proj_context_destroy(context) }
    let conversion = try #require(
      proj_create(context, "+proj=pipeline +step +proj=cart +ellps=WGS84"))
    defer { proj_destroy(conversion) }
    var random = SeededRandom.fresh(for: "againstPROJ")
    for _ in 0..<10_000 {
      let place = Coordinate(
        latitude: .random(in: -90...90, using: &random),
        longitude: .random(in: -180...180, using: &random))
      let expected = proj_trans(
        conversion, PJ_FWD,
        proj_coord(place.longitude * .pi / 180, place.latitude * .pi / 180, 0, 0)
      ).xyz
      let distance = ECEF(place).distance(
        to: ECEF(x: expected.x, y: expected.y, z: expected.z))
      #expect(distance < 5e-9, "\(place)")
    }
  }

  @Test("the equator, the poles and the antimeridian, by hand")
  func corners() {
    let b = 6_356_752.314245
    #expect(ECEF(Coordinate(latitude: 0, longitude: 0)).distance(to: point(6_378_137, 0, 0)) == 0)
    #expect(
      ECEF(Coordinate(latitude: 90, longitude: 17)).distance(to: point(0, 0, b)) < 1e-6)
    #expect(
      ECEF(Coordinate(latitude: -90, longitude: 0)).distance(to: point(0, 0, -b)) < 1e-6)
    #expect(
      ECEF(Coordinate(latitude: 10, longitude: 180))
        .distance(to: ECEF(Coordinate(latitude: 10, longitude: -180))) < 5e-9)
  }

  private func point(_ x: Double, _ y: Double, _ z: Double) -> ECEF { ECEF(x: x, y: y, z: z) }
}
