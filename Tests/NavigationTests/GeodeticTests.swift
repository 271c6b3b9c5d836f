import CLibrary
import Navigation
import Testing

@Suite struct GeodeticTests {
  /// Examples of GeographicLib's manual page CartConvert(1): 33.3 44.4 6000, alone and from 33 44 20
  /// in axes east, north, up.
  @Test func examplesOfGeographicLibHold() {
    let point = GeodeticPosition(latitudeDegrees: 33.3, longitudeDegrees: 44.4, height: 6000)
    let ecef = WGS84.ecef(point)
    #expect((ecef - Vector3(3_816_209.60, 3_737_108.55, 3_485_109.57)).norm < 0.01)
    let frame = LocalFrame(
      origin: GeodeticPosition(latitudeDegrees: 33, longitudeDegrees: 44, height: 20))
    #expect((frame.ned(point) - Vector3(33_374.29, 37_288.97, -5783.64)).norm < 0.01)
    let back = WGS84.geodetic(ecef: Vector3(3_816_209.60, 3_737_108.55, 3_485_109.57))
    #expect((WGS84.ecef(back) - ecef).norm < 0.01)
  }

  @Test func axesOfTheEarthAreWhereTheyShouldBe() {
    let (a, b) = (WGS84.semiMajorAxis, WGS84.semiMinorAxis)
    func ecef(_ latitude: Double, _ longitude: Double) -> Vector3 {
      WGS84.ecef(GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude, height: 0))
    }
    #expect((ecef(0, 0) - Vector3(a, 0, 0)).norm < 1e-8)
    #expect((ecef(0, 90) - Vector3(0, a, 0)).norm < 1e-8)
    #expect((ecef(0, 180) - Vector3(-a, 0, 0)).norm < 1e-8)
    #expect((ecef(90, 0) - Vector3(0, 0, b)).norm < 1e-8)
    #expect((ecef(-90, 77) - Vector3(0, 0, -b)).norm < 1e-8)
    let north = WGS84.geodetic(ecef: Vector3(0, 0, b + 100))
    #expect(north.latitude == .pi / 2 && north.longitude == 0 && abs(north.height - 100) < 1e-8)
    let centre = WGS84.geodetic(ecef: .zero)
    #expect(centre.latitude == 0 && centre.longitude == 0 && abs(centre.height + a) < 1e-8)
  }

  /// A metre at 10,000 km is known to 2e-9 in `Double`, and an angle there to 4e-9 m: so
  /// much is left for rounding.
  @Test func geodeticAndEarthFixedGoRoundTrip() {
    var worst = (near: 0.0, far: 0.0)
    for height in [-5000.0, -20, 0, 430, 9000, 1e5, 1e6, 1e7] {
      for latitude in stride(from: -90.0, through: 90, by: 2.5) {
        for longitude in [-180, -179.999999, -90, -1e-9, 0, 8.7, 90, 135, 179.999999] {
          let point = GeodeticPosition(
            latitudeDegrees: latitude, longitudeDegrees: longitude, height: height)
          let ecef = WGS84.ecef(point)
          let back = WGS84.geodetic(ecef: ecef)
          let error = max((WGS84.ecef(back) - ecef).norm, abs(back.height - height))
          if height <= 1e5 { worst.near = max(worst.near, error) } else { worst.far = max(worst.far, error) }
          #expect(abs(back.latitude - point.latitude) < 1e-15)
          if abs(latitude) < 90 { #expect(abs(Angle.wrapped(back.longitude - point.longitude)) < 1e-15) }
        }
      }
    }
    #expect(worst.near < 3e-9, "\(worst.near) m")
    #expect(worst.far < 6e-9, "\(worst.far) m")
  }

  @Test func northEastDownIsARotationToTheEarthsAxes() {
    let point = GeodeticPosition(latitudeDegrees: -37, longitudeDegrees: 145, height: 12)
    let m = WGS84.ecefFromNED(latitude: point.latitude, longitude: point.longitude)
    let unit = m * m.transpose - .identity
    #expect(max(unit.x.norm, unit.y.norm, unit.z.norm) < 1e-15)
    #expect(abs(m.determinant - 1) < 1e-15)
    let raised = GeodeticPosition(latitude: point.latitude, longitude: point.longitude, height: 13)
    #expect((WGS84.ecef(raised) - WGS84.ecef(point) + m.z).norm < 1e-8)
    let northward = GeodeticPosition(latitude: point.latitude + 1e-7, longitude: point.longitude, height: 12)
    let step = WGS84.ecef(northward) - WGS84.ecef(point)
    #expect((step / step.norm - m.x).norm < 1e-7)
  }

  @Test func validityIsAboutNumbersAndRanges() {
    func isValid(_ latitude: Double, _ longitude: Double, _ height: Double) -> Bool {
      GeodeticPosition(latitude: latitude, longitude: longitude, height: height).isValid
    }
    #expect(isValid(.pi / 2, -.pi, 0))
    #expect(!isValid(1.6, 0, 0) && !isValid(.nan, 0, 0) && !isValid(.infinity, 0, 0))
    #expect(!isValid(0, .nan, 0) && !isValid(0, .infinity, 0) && !isValid(0, 7, 0))
    #expect(!isValid(0, 0, .nan) && !isValid(0, 0, 1e7) && !isValid(0, 0, -2e4))
  }
}
