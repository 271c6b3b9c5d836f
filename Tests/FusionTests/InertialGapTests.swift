import Fusion
import Simulation
import Testing

/// An IMU whose samples are missing for about a second now and then.
@Suite struct InertialGapTests {
  private static let ride = Ride(.town, seed: 3)

  /// The ride without the IMU for `seconds`, every ten from 60 s on, and the worst of what it was then.
  private func gaps(
    _ seconds: Double, bridge: Double
  ) -> (accuracy: Double, heading: Double, falseHeading: Double, worst: Double) {
    let ride = Self.ride.changed { sample in
      guard case .inertial(let inertial) = sample, inertial.time.seconds > 60 else { return sample }
      return inertial.time.seconds.truncatingRemainder(dividingBy: 10) < seconds ? nil : sample
    }
    var configuration = FusionConfiguration()
    configuration.gaps.longestBridge = bridge
    var (accuracy, heading) = (0.0, 0.0)
    let outcome = GuardedRide.outcome(ride, configuration: configuration, from: 61) { solution, _ in
      // With the first sample after it a gap is bridged.
      let since = solution.time.seconds.truncatingRemainder(dividingBy: 10)
      guard solution.isAligned, (seconds + 0.1..<seconds + 0.4).contains(since) else { return }
      accuracy = max(accuracy, Angle.degrees(radians: solution.headingAccuracy))
      heading = max(heading, ride.headingError(solution))
    }
    return (accuracy, heading, outcome.falseHeading, outcome.worst)
  }

  @Test(arguments: [0.5, 1.0, 1.4]) func theHeadingIsCarriedOver(seconds: Double) {
    let bridged = gaps(seconds, bridge: FusionConfiguration().gaps.longestBridge)
    #expect(bridged.accuracy < 15 && bridged.heading < 3 * bridged.accuracy, "\(bridged)")
    #expect(bridged.falseHeading < 1 && bridged.worst < 25, "\(bridged)")
    let coasted = gaps(seconds, bridge: 0)
    #expect(bridged.accuracy < coasted.accuracy, "\(bridged) against \(coasted)")
  }
}
