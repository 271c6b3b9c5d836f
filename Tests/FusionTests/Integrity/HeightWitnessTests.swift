import Fusion
import Simulation
import Testing

/// A wrong solution of a receiver errs in height as well, and no road climbs as it does.
@Suite struct HeightWitnessTests {
  private static let ride = Ride(.town, seed: 5)

  /// What comes of fixes of a receiver that is sure of itself, and states no velocity, where they go astray
  /// by `metres` and up by `climb` within six seconds, and stay there for 30 s.
  private func outcome(
    _ metres: Double, climb: Double = 30, disabled: [FusionModel] = []
  ) -> GuardedRide.Outcome {
    var configuration = FusionConfiguration()
    configuration.disabled = FusionModelSet(disabled)
    let ride = Self.ride.withFixes {
      var fix = $0
      fix.velocityNED = nil
      fix.positionSigma = Vector3(0.4, 0.4, 0.8)
      let since = fix.time.seconds - 90
      let share = (0..<36).contains(since) ? min(1, since / 6) : 0
      fix.position = Self.ride.truth(at: fix.time).position.moved(
        byNED: Vector3(0.6 * metres, -0.8 * metres, -climb) * share)
      return fix
    }
    return GuardedRide.outcome(ride, configuration: configuration)
  }

  private static let faults = [9.0, 12, 16, 20]

  @Test(arguments: faults) func whatClimbsAsNoRoadDoesIsNoCertainPlace(metres: Double) {
    let outcome = outcome(metres)
    #expect(outcome.misleading < 2, "\(outcome)")
  }

  /// A place that lies this far off is not taken: without the witness it is.
  @Test(arguments: [20.0, 22]) func whatClimbsAsNoRoadDoesIsNotFollowed(metres: Double) {
    let without = outcome(metres, disabled: [.heightWitness]).worst
    let with = outcome(metres).worst
    #expect(with < 0.65 * metres && without > 0.9 * metres, "\(with) m, without \(without) m")
  }

  @Test(arguments: [(0.0, 4.0), (6.0, 0.0), (8.0, 2.0), (-25.0, 37.0)])
  func heightsThatMayBeSayNothing(distance: Double, variance: Double) {
    #expect(HeightWitness.variance(distance: distance, variance: variance, levelShare: 1) == 0)
  }

  @Test func farHeightsTellOfTheirOwnSize() {
    let variance = HeightWitness.variance(distance: -30, variance: 1, levelShare: 0.25)
    #expect((10.0...15.0).contains(variance.squareRoot()))
  }
}
