import Fusion
import Simulation
import Testing

/// Engines whose covariance follows the IMU in steps of more than a sample.
@Suite struct CovarianceIntervalTests {
  /// Also between two steps, and without fixes from 35 s on, they state what the exact engine does, but for
  /// what grows in a step (0.9 and 2.1 % were measured), and put the car in the same place.
  @Test(arguments: [(0.05, 0.015), (0.2, 0.03)])
  func theAccuracyIsNoOlderThanAStep(interval: Double, tolerance: Double) throws {
    let ride = Ride(Ride.short).withFixes { $0.time.seconds < 35 ? $0 : nil }
    var settings = FusionConfiguration()
    var exact = FusionEngine(configuration: settings)
    settings.covarianceInterval = interval
    var coarse = FusionEngine(configuration: settings)
    var (worst, apart, compared) = (0.0, 0.0, 0)
    for sample in ride.samples {
      exact.process(sample)
      coarse.process(sample)
      guard sample.kind == .inertial, sample.time.seconds > 20 else { continue }
      let one = try #require(exact.solution(at: sample.time))
      let other = try #require(coarse.solution(at: sample.time))
      worst = max(worst, abs(other.horizontalAccuracy / one.horizontalAccuracy - 1))
      apart = max(apart, other.position.ned(from: one.position).horizontalNorm / one.horizontalAccuracy)
      compared += 1
    }
    #expect(compared > 3000)
    #expect(worst > 0 && worst < tolerance, "the interval is used, and costs no more: \(worst)")
    #expect(apart < 0.02, "\(apart)")
  }
}
