import Navigation
import Testing

@Suite struct NearbyCurvatureTests {
  /// Steps within the series, to its end, and out of it; back and forth; and to a pole.
  @Test func isThatOfEachPlace() {
    var nearby = NearbyCurvature()
    for start in [-1.5707, -0.8, 0, 0.6, 1.2, 1.5707] {
      var point = GeodeticPosition(latitude: start, longitude: 0.3, height: 400)
      for step in [0, 1e-9, 9e-6, -1.8e-5, 3e-5, 1e-3, -1e-2, 9e-6, 1e-6] {
        point.latitude = max(-.pi / 2, min(.pi / 2, point.latitude + step))
        point.height += 1e6 * step
        let plain = Curvature(at: point)
        for fast in [nearby.value(at: point), nearby.at(point)] {
          #expect(abs(fast.metresPerLatitude - plain.metresPerLatitude) < 1e-8)
          // A double's rounding of a cosine of 1 is 1.1e-16, and the Earth's radius 6.4e6 m.
          #expect(abs(fast.metresPerLongitude - plain.metresPerLongitude) < 4e-9)
        }
      }
    }
  }

  @Test func whatIsNoLatitudeIsTakenAsSuch() {
    var nearby = NearbyCurvature()
    #expect(nearby.at(GeodeticPosition(latitude: .nan, longitude: 0, height: 0)).metresPerLatitude.isNaN)
    let origin = GeodeticPosition(latitude: 0.8, longitude: 0, height: 0)
    #expect(nearby.at(origin).metresPerLatitude == Curvature(at: origin).metresPerLatitude)
  }
}
