import CLibrary
import Location
import Navigation
import TestParts
import Testing

@Suite struct DistanceTests {
  private func geodesic(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
    Coordinate(latitudeDegrees: a.0, longitudeDegrees: a.1).geodesicDistance(
      from: Coordinate(latitudeDegrees: b.0, longitudeDegrees: b.1))
  }

  /// Published lengths on WGS-84: New York to London and a nearly opposite pair by GeographicLib, a quarter
  /// meridian of 10,001,965.729 m.
  @Test func geodesicsHaveTheirPublishedLengths() {
    #expect(abs(geodesic((40.6, -73.8), (51.6, -0.5)) - 5_551_759.400) < 2e-3)
    #expect(abs(geodesic((0, 0), (90, 0)) - 10_001_965.7293) < 1e-3)
    #expect(abs(geodesic((0, 0), (0.5, 179.5)) - 19_936_288.579) < 2e-3)
    #expect(abs(geodesic((0, 0), (0.5, 179.7)) - 19_944_127.421) < 2e-3)
  }

  @Test func oppositePlacesAreHalfAMeridianApart() {
    let half = 20_003_931.4586
    #expect(abs(geodesic((0, 0), (0, 180)) - half) < 2e-3)
    #expect(abs(geodesic((30, 10), (-30, -170)) - half) < 2e-3)
    #expect(abs(geodesic((90, 0), (-90, 55)) - half) < 2e-3)
    #expect(geodesic((48, 11), (48, 11)) == 0)
    #expect(abs(geodesic((0, 0), (0, 1)) - WGS84.semiMajorAxis * .pi / 180) < 1e-6)
  }

  /// The two formulas know nothing of each other; near a metre an ellipsoid is its own tangent plane.
  @Test func geodesicAgreesWithTheTangentPlaneNearBy() {
    var dice = Dice(seed: 7)
    for _ in 0..<2000 {
      let latitude = dice.uniform() * 170 - 85
      let longitude = dice.uniform() * 360 - 180
      let (north, east) = (dice.uniform() * 200 - 100, dice.uniform() * 200 - 100)
      let start = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, height: 0)
      let end = start.moved(byNED: .init(north, east, 0))
      let length = geodesic((latitude, longitude), (end.latitudeDegrees, end.longitudeDegrees))
      #expect(abs(length - (north * north + east * east).squareRoot()) < 0.01)
    }
  }

  /// The sphere is within 0.6 % of the ellipsoid anywhere, also across the date line and over the poles.
  @Test func greatCircleIsNearTheGeodesicEverywhere() {
    var dice = Dice(seed: 11)
    for _ in 0..<2000 {
      func place() -> Coordinate {
        Coordinate(
          latitudeDegrees: asin(dice.uniform() * 2 - 1) * 180 / .pi,
          longitudeDegrees: dice.uniform() * 360 - 180)
      }
      let (a, b) = (place(), place())
      let exact = a.geodesicDistance(from: b)
      #expect(abs(a.distance(from: b) - exact) <= 0.0060 * exact)
      #expect(abs(b.geodesicDistance(from: a) - exact) < 1e-3)
    }
  }

  @Test func placesThatAreNoneAreNotANumberApart() {
    let nowhere = Coordinate(latitudeDegrees: .nan, longitudeDegrees: 0)
    #expect(nowhere.geodesicDistance(from: Made.origin).isNaN)
    #expect(!nowhere.isValid)
  }
}
