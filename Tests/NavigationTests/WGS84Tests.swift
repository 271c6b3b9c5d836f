// Published values: NGA.STND.0036, "Department of Defense World Geodetic System 1984", version 1.0.0
// (2014), tables 3.1 (defining), 3.5 (derived geometric) and 3.6 (derived physical constants), to
// the digits printed there.
import CLibrary
import Navigation
import Testing

@Suite struct WGS84Tests {
  private let latitudes = stride(from: -90.0, through: 90, by: 7.5).map { $0 * .pi / 180 }

  @Test func definingConstantsAreThePublishedOnes() {
    #expect(WGS84.semiMajorAxis == 6_378_137)
    #expect(abs(1 / WGS84.flattening - 298.257223563) < 1e-12)
    #expect(WGS84.gravitationalConstant == 3.986004418e14)
    #expect(WGS84.earthRate == 7.292115e-5)
  }

  @Test func derivedConstantsAreThePublishedOnes() {
    #expect(abs(WGS84.semiMinorAxis - 6_356_752.3142) < 5e-5)
    #expect(abs(WGS84.eccentricitySquared - 6.694379990141e-3) < 5e-16)
    // Polar radius of curvature.
    #expect(abs(WGS84.meridianRadius(sineLatitude: 1) - 6_399_593.6258) < 5e-5)
  }

  @Test func normalGravityAtEquatorAndPolesIsThePublishedOne() {
    #expect(abs(WGS84.gravity(sineLatitude: 0, height: 0) - 9.7803253359) < 5e-11)
    #expect(abs(WGS84.gravity(sineLatitude: 1, height: 0) - 9.8321849379) < 1e-10)
    #expect(WGS84.gravity(sineLatitude: -1, height: 0) == WGS84.gravity(sineLatitude: 1, height: 0))
  }

  @Test func radiiHoldTheirClosedFormsAtEquatorAndPole() {
    let (a, b) = (WGS84.semiMajorAxis, WGS84.semiMinorAxis)
    #expect(abs(WGS84.meridianRadius(sineLatitude: 0) - b * b / a) < 1e-8)
    #expect(WGS84.transverseRadius(sineLatitude: 0) == a)
    #expect(abs(WGS84.meridianRadius(sineLatitude: 1) - a * a / b) < 1e-8)
    #expect(abs(WGS84.transverseRadius(sineLatitude: 1) - a * a / b) < 1e-8)
  }

  /// R_N = R_E³ (1 − e²) / a²: both radii by one relation.
  @Test func radiiAreTiedToEachOther() {
    for latitude in latitudes {
      let s = sin(latitude)
      let r = WGS84.transverseRadius(sineLatitude: s) / WGS84.semiMajorAxis
      let meridian = r * r * r * (1 - WGS84.eccentricitySquared) * WGS84.semiMajorAxis
      #expect(abs(WGS84.meridianRadius(sineLatitude: s) / meridian - 1) < 1e-14)
    }
  }

  /// The radii are what `ecef` moves by: central differences along the meridian and the parallel.
  @Test func radiiAreTheSpeedOfAPointOnTheEllipsoid() {
    let h = 1e-5
    for latitude in latitudes where abs(latitude) < 1.55 {
      func point(_ north: Double, _ east: Double) -> Vector3 {
        WGS84.ecef(GeodeticPosition(latitude: latitude + north, longitude: 0.3 + east, height: 400))
      }
      let s = sin(latitude)
      let north = (point(h, 0) - point(-h, 0)).norm / (2 * h)
      let east = (point(0, h) - point(0, -h)).norm / (2 * h)
      #expect(abs(north / (WGS84.meridianRadius(sineLatitude: s) + 400) - 1) < 1e-9)
      #expect(abs(east / ((WGS84.transverseRadius(sineLatitude: s) + 400) * cos(latitude)) - 1) < 1e-9)
      let curvature = Curvature(at: GeodeticPosition(latitude: latitude, longitude: 0.3, height: 400))
      #expect(abs(curvature.metresPerLatitude / north - 1) < 1e-9)
      #expect(abs(curvature.metresPerLongitude / east - 1) < 1e-9)
    }
  }

  /// Bruns' formula for a level surface: dγ/dh = −γ (1/R_N + 1/R_E) − 2 ω².
  @Test func gravityFallsWithHeightByBruns() {
    for latitude in latitudes {
      let s = sin(latitude)
      let slope =
        (WGS84.gravity(sineLatitude: s, height: 10) - WGS84.gravity(sineLatitude: s, height: -10)) / 20
      let curvature = 1 / WGS84.meridianRadius(sineLatitude: s) + 1 / WGS84.transverseRadius(sineLatitude: s)
      let bruns =
        -WGS84.gravity(sineLatitude: s, height: 0) * curvature - 2 * WGS84.earthRate * WGS84.earthRate
      // The expansion drops terms of second order in the flattening.
      #expect(abs(slope / bruns - 1) < 1e-4)
    }
  }

  @Test func scalesAtAPoleDivideNothingByZero() {
    let pole = GeodeticPosition(latitude: .pi / 2, longitude: 0, height: 0)
    #expect(Curvature(at: pole).metresPerLongitude == 1)
    #expect(pole.moved(byNED: Vector3(0, 1, 0)).longitude.isFinite)
  }
}
