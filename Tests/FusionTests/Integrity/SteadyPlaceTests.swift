import Fusion
import Simulation
import Testing

/// Fixes that drift beside a car that stands, and those that come back to it.
@Suite struct SteadyPlaceTests {
  private static let origin = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)

  private static func fix(_ second: Double, at place: Vector3) -> GNSSFix {
    GNSSFix(
      time: Timestamp(seconds: second), position: origin.moved(byNED: place),
      positionSigma: Vector3(1, 1, 2))
  }

  /// A minute of good fixes, 20 s that drift by 1.6 m/s, and the good ones again.
  private static func drifting(_ second: Double) -> Vector3 {
    60..<80 ~= second ? Vector3(0, 1.6 * (second - 60), 0) : .zero
  }

  /// Metres from where the car stands, 2 s after the drift, of an engine whose IMU feels it stand, but for a
  /// push in the midst of the drift.
  private func errorAfterDrift(isPushed: Bool) throws -> Double {
    var engine = FusionEngine()
    var random = RandomSource(seed: 5, stream: "standing")
    for step in 1...(50 * 82) {
      let second = Double(step) / 50
      let noise = Vector3(random.normal(), random.normal(), random.normal())
      let push = isPushed && 68..<72 ~= second ? Vector3(0.8 * random.normal(), 0, 0) : .zero
      engine.process(
        .inertial(
          .init(
            time: Timestamp(seconds: second), angularRate: noise * 5e-4,
            specificForce: Vector3(0, 0, -9.81) + noise * 0.01 + push)))
      if step % 50 == 0 { engine.process(.gnss(Self.fix(second, at: Self.drifting(second)))) }
    }
    let solution = try #require(engine.solution(at: Timestamp(seconds: 82)))
    return solution.position.ned(from: Self.origin).horizontalNorm
  }

  @Test func fixesThatComeBackToAStandingCarAreBelievedAtOnce() throws {
    #expect(try errorAfterDrift(isPushed: false) < 2)
  }

  /// A car that has been moved meanwhile may be elsewhere.
  @Test func aPlaceIsNotKeptThroughAMotion() throws {
    #expect(try errorAfterDrift(isPushed: true) > 20)
  }

  /// Where the car became steady by a wrong fixed solution, which was found out and comes back.
  @Test func aPlaceThatAnotherHasLongWonAgainstIsForgotten() {
    let wrong = Vector3(0, 40, 0)
    var planar = PlanarNavigator(
      fix: Self.fix(0, at: wrong), receiver: Fusion.ReceiverModel(), settings: FusionConfiguration())
    for second in 1...205 {
      planar.propagate(to: Timestamp(seconds: Double(second)), turn: nil, acceleration: 0)
      planar.keepPlace(isSteady: true)
      let isRight = 60..<200 ~= second
      planar.update(Self.fix(Double(second), at: isRight ? .zero : wrong))
    }
    #expect(planar.position.ned(from: Self.origin).horizontalNorm < 3)
  }

  /// A car on an even road is as steady as one that stands, and was elsewhere before.
  @Test func whereAnEvenlyDrivingCarWasTellsNothing() {
    let places = [true, false].map { isSteady in
      var planar = PlanarNavigator(
        fix: Self.fix(0, at: .zero), receiver: Fusion.ReceiverModel(), settings: FusionConfiguration())
      for second in 1...100 {
        planar.propagate(to: Timestamp(seconds: Double(second)), turn: nil, acceleration: nil)
        planar.keepPlace(isSteady: isSteady)
        planar.update(
          Self.fix(Double(second), at: Self.drifting(Double(second)) + Vector3(15 * Double(second), 0, 0)))
      }
      return planar.position.ned(from: Self.origin)
    }
    #expect(places[0] == places[1] && abs(places[0].x - 1500) < 40, "\(places)")
  }
}
