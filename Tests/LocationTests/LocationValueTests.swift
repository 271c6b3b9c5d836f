import Foundation
import Location
import Navigation
import Testing

@Suite struct LocationValueTests {
  private func solution(
    velocity: Vector3, yaw: Double = 0, mode: NavigationMode = .aided, sigma: Double = 2
  ) -> NavigationSolution {
    NavigationSolution(
      time: Made.time(0), mode: mode,
      position: GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500),
      velocityNED: velocity,
      navFromVehicle: Quaternion(rotationVector: Vector3(0, 0, yaw)), angularRate: .zero,
      positionCovariance: Matrix3(diagonal: Vector3(sigma * sigma, sigma * sigma, 9)),
      velocityCovariance: Matrix3(diagonal: Vector3(0.01, 0.01, 0.01)),
      attitudeCovariance: Matrix3(diagonal: Vector3(1e-4, 1e-4, 1e-4)))
  }

  @Test func locationAccuracyIsThe68PercentRadius() {
    let location = Location(solution(velocity: Vector3(10, 0, 0)), utc: nil, sources: [.gnss])
    // Circular normal distribution: 1.50959 standard deviations.
    #expect(abs(location.horizontalAccuracy - 2 * 1.50959 * NavigationSolution.core) < 1e-3)
    #expect(location.verticalAccuracy == 3)
    #expect(location.speedAccuracy > 0 && location.isValid)
  }

  @Test func locationHasAFloorOnlyWhereThereIsOne() throws {
    var inside = solution(velocity: Vector3(2, 0, 0))
    inside.floor = -2
    let location = Location(inside, utc: nil, sources: [.gnss])
    #expect(location.floor == Floor(level: -2))
    #expect(Location(json: location.json) == location)
    let coded = try JSONDecoder().decode(Location.self, from: JSONEncoder().encode(location))
    #expect(coded.floor?.level == -2)
    let outside = Location(solution(velocity: .zero), utc: nil, sources: [.gnss])
    #expect(outside.floor == nil)
    #expect(Location(json: outside.json)?.floor == nil)
    #expect(ReducedAccuracy.coarse(location).floor == nil, "it would tell the building")
  }

  @Test func locationNegativeAccuracyMeansNotValid() {
    var bad = solution(velocity: .zero)
    bad.position.latitude = .nan
    let nowhere = Location(bad, utc: nil, sources: [])
    #expect(!nowhere.isValid)
    #expect(nowhere.horizontalAccuracy < 0 && nowhere.verticalAccuracy < 0 && nowhere.speedAccuracy < 0)
    // At rest there is no direction of motion; before alignment there is none of the car.
    #expect(Location(solution(velocity: .zero), utc: nil, sources: []).courseAccuracyDegrees < 0)
    let aligning = solution(velocity: Vector3(10, 0, 0), mode: .aligning)
    #expect(Location(aligning, utc: nil, sources: []).headingAccuracyDegrees < 0)
  }

  @Test func locationSpeedIsNegativeInReverseOnlyInSignedSpeed() {
    let back = Location(solution(velocity: Vector3(-3, 0, 0)), utc: nil, sources: [])
    #expect(back.speed == 3 && back.signedSpeed == -3)
    #expect(back.courseDegrees == 180 && back.headingDegrees == 0)
    let forward = Location(solution(velocity: Vector3(3, 0, 0)), utc: nil, sources: [])
    #expect(forward.signedSpeed == 3 && forward.courseDegrees == 0)
  }

  @Test func locationCarriesBothTimestampsAndItsSources() {
    let utc = Timestamp(seconds: 1_700_000_000)
    let location = Location(
      solution(velocity: .zero, mode: .deadReckoning), utc: utc, sources: [.inertial, .wheel])
    #expect(location.timestamp == Made.time(0) && location.utc == utc)
    #expect(location.sources == [.inertial, .wheel] && location.mode == .deadReckoning)
  }

  @Test func locationAltitudeAboveTheSeaNeedsTheGeoid() {
    let unknown = Location(solution(velocity: .zero), utc: nil, sources: [])
    #expect(unknown.altitude == nil && unknown.ellipsoidalAltitude == 500)
    let known = Location(solution(velocity: .zero), utc: nil, sources: [], geoidHeight: 46)
    #expect(known.altitude == 454)
  }

  @Test func locationDescriptionIsForPeople() {
    let text = Location(solution(velocity: Vector3(10, 0, 0)), utc: nil, sources: []).description
    #expect(text.contains("48") && text.contains("11") && text.contains("m/s"))
  }

  @Test func regionsThatCannotBeMonitoredSayWhy() {
    func flaw(_ id: String, _ radius: Double, _ c: Coordinate = Made.origin) -> String? {
      Region(identifier: id, center: c, radius: radius).flaw
    }
    #expect(flaw("home", 100) == nil)
    #expect(flaw("", 100) != nil)
    #expect(flaw(String(repeating: "x", count: 129), 100) != nil)
    for radius in [0, -5, 9.9, 2e6, .nan, .infinity] { #expect(flaw("home", radius) != nil) }
    #expect(flaw("home", 100, Coordinate(latitudeDegrees: 91, longitudeDegrees: 0)) != nil)
    #expect(flaw("home", 100, Coordinate(latitudeDegrees: 0, longitudeDegrees: .nan)) != nil)
  }
}
