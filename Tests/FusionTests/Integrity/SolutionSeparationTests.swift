import Fusion
import Simulation
import Testing

/// A navigator beside a guard that parts from it.
@Suite struct SolutionSeparationTests {
  /// A car that creeps among fixes without a velocity, exact ones that drift at its own pace: they take the
  /// guard along, and do not turn a navigator that has long moved as it did. (They turned it by 40°.)
  @Test(arguments: [(35.0, 10.0), (42, 12), (60, 14)], [100.0, 160])
  func fixesThatDriftDoNotTurnWhoHasStoodTheTest(drift: (metres: Double, seconds: Double), start: Double) {
    var scenario = Scenario.town
    for i in scenario.road.indices.dropFirst(6) { scenario.road[i].speed = min(scenario.road[i].speed, 2.5) }
    let ride = Ride(scenario, seed: 5).withoutVelocity
    let rate = Vector3(0.6, -0.8, 0) * (drift.metres / drift.seconds)
    let outcome = GuardedRide.outcome(
      ride.withFixes {
        var fix = $0
        let since = min(max(0, fix.time.seconds - start), drift.seconds)
        let antenna = ride.truth(at: fix.time).position(at: scenario.receiver.antenna)
        fix.position = antenna.moved(byNED: rate * since)
        fix.positionSigma = Vector3(0.3, 0.3, 0.5)
        return fix
      })
    #expect(outcome.falseHeading == 0 && outcome.recoveries == 1, "\(outcome)")
  }
}
