import Drives
import Navigation
import Testing

/// Against egm96_15.gtx of Debian's proj-data, at nodes of the grid of 15'.
struct GeoidTests {
  @Test(arguments: [
    (52.5, 13.5, 39.45), (0, 0, 17.16), (-90, 0, -29.53), (90, 0, 13.61), (43.5, -79.75, -37.11),
    (35.25, 139.75, 35.23), (-33.75, 151.25, 22.89), (5, 78.75, -106.85), (-5.25, 147.25, 72.98),
    (60, 180, 0.44),
    (60, -180, 0.44),
  ])
  func separationIsThatOfTheModel(latitude: Double, longitude: Double, separation: Double) {
    let place = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, height: 100)
    #expect(abs(EGM96.separation(place) - separation) < 0.3, "\(EGM96.separation(place))")
    #expect(place.heightAboveSeaLevel == 100 - EGM96.separation(place))
  }

  /// In the highest mountains the thinned grid is off by up to 2 m.
  @Test func theHimalayaIsWithinItsStatedError() {
    let place = GeodeticPosition(latitudeDegrees: 28.25, longitudeDegrees: 86.75, height: 0)
    #expect(abs(EGM96.separation(place) + 26.96) < 2)
  }

  @Test func itIsContinuousOverTheDateLineAndThePoles() {
    func at(_ latitude: Double, _ longitude: Double) -> Double {
      EGM96.separation(GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, height: 0))
    }
    for latitude in stride(from: -89.9, through: 89.9, by: 7.3) {
      #expect(abs(at(latitude, 179.9999) - at(latitude, -179.9999)) < 0.01)
      #expect(abs(at(latitude, 190) - at(latitude, -170)) < 1e-9)
    }
    for longitude in stride(from: -180.0, to: 180, by: 30) {
      #expect(abs(at(89.999, longitude) - at(90, 0)) < 0.1 && abs(at(-89.999, longitude) - at(-90, 0)) < 0.1)
    }
    #expect(at(.nan, 0).isNaN && at(0, .infinity).isNaN && at(91, 0).isNaN)
  }
}
