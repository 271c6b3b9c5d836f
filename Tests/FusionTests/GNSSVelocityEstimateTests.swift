import Fusion
import LinearAlgebra
import Navigation
import Simulation
import Testing

/// Velocity of a receiver that states none.
@Suite struct GNSSVelocityEstimateTests {
  private static let start = GeodeticPosition(latitudeDegrees: 34, longitudeDegrees: 138, height: 40)

  /// What `seconds` of fixes five times a second make of a car that goes at `velocity`, m/s north and east,
  /// with white noise of `noise` m per axis.
  private func motion(_ velocity: Vector3, seconds: Double, noise: Double = 0, seed: UInt64 = 1)
    -> GNSSVelocityEstimate
  {
    var motion = GNSSVelocityEstimate()
    var random = RandomSource(seed: seed, stream: "fix motion")
    for step in 0...Int(5 * seconds) {
      let offset = velocity * (Double(step) / 5) + Vector3(normal: &random) * noise
      motion.add(
        GNSSFix(time: Timestamp(seconds: Double(step) / 5), position: Self.start.moved(byNED: offset)),
        velocitySigma: 0.1, errors: Self.errors(max(noise, 0.1)))
    }
    return motion
  }

  /// White noise of so many metres per axis.
  private static func errors(_ sigma: Double) -> FixErrors {
    FixErrors(white: Vector3(repeating: sigma * sigma), lasting: .zero)
  }

  /// The first seconds after a start or a gap do not say that the car stands.
  @Test(arguments: [0.4, 1, 2, 3, 5, 10, 30])
  func aSpeedIsRightFromTheSecondFix(seconds: Double) {
    let motion = motion(Vector3(12, -9, 0), seconds: seconds)
    #expect(abs(motion.speed - 15) < 0.01, "\(motion.speed) m/s")
  }

  /// Some receivers state a velocity above a few m/s alone: what they said last is not the car's for good.
  @Test func aVelocityThatIsNotStatedAnyMoreGivesWay() {
    var motion = GNSSVelocityEstimate()
    var along = 0.0
    for second in 0..<40 {
      let speed = max(0, min(12, 12 - 3 * Double(second - 20)))
      motion.add(
        GNSSFix(
          time: Timestamp(seconds: Double(second)),
          position: Self.start.moved(byNED: Vector3(along, 0, 0)),
          velocityNED: speed > 3 ? Vector3(speed, 0, 0) : nil),
        velocitySigma: 0.1, errors: Self.errors(1))
      along += speed
    }
    #expect(!motion.isMeasured && motion.speed < 0.5, "\(motion.speed) m/s")
  }

  /// A receiver that states neither height nor velocity has one by its positions.
  @Test func itDoesWithoutHeights() {
    var motion = GNSSVelocityEstimate()
    for second in 0..<10 {
      var place = Self.start.moved(byNED: Vector3(12, -9, 0) * Double(second))
      place.height = .nan
      motion.add(
        GNSSFix(time: Timestamp(seconds: Double(second)), position: place), velocitySigma: 0.1,
        errors: Self.errors(1))
    }
    #expect(abs(motion.speed - 15) < 0.01, "\(motion.speed) m/s")
  }

  /// 500 cars: the errors are as large as stated, at most.
  @Test(arguments: [3.0, 6, 20])
  func whatItIsWrongByIsStated(seconds: Double) {
    let truth = Vector3(3, 4, 0)
    let squares = (UInt64(0)..<500).map { seed in
      let motion = motion(truth, seconds: seconds, noise: 1.5, seed: seed)
      return (motion.velocity - truth).squaredNorm / (2 * motion.sigma * motion.sigma)
    }
    let mean = squares.reduce(0, +) / Double(squares.count)
    #expect((0.25...1.1).contains(mean), "\(mean)")
  }

  /// A car backs out of its place, stops, and drives off: the mean velocity is none then, and it moves.
  @Test func whoComesBackAsFarAsHeWentMoves() {
    let speeds = [(5.0, 0.0), (8, -1.4), (2, 0), (4, 2)]
    for seed in UInt64(0)..<20 {
      var motion = GNSSVelocityEstimate()
      var random = RandomSource(seed: seed, stream: "fix motion")
      var (time, way, slowest) = (0.0, 0.0, Double.infinity)
      for (seconds, speed) in speeds {
        for step in 0..<Int(4 * seconds) {
          time += 0.25
          // It drives off at 1.5 m/s².
          way += (speed == 2 ? 1.5 * Double(step + 1) * 0.25 : speed) * 0.25
          let place = Self.start.moved(byNED: Vector3(way, 0, 0) + Vector3(normal: &random))
          motion.add(
            GNSSFix(time: Timestamp(seconds: time), position: place), velocitySigma: 0.1,
            errors: Self.errors(1))
          guard speed == 2, step >= 12 else { continue }
          slowest = min(slowest, motion.speed)
          #expect(!motion.isAtRest, "seed \(seed), \(time) s: \(motion.speed) m/s")
        }
      }
      #expect(slowest < 1)
    }
  }

  /// A car that stands is hardly ever taken for one that leaves.
  @Test func whoStandsDoesNotLeave() {
    let leaving = (UInt64(0)..<2000).count { motion(.zero, seconds: 10, noise: 1.5, seed: $0).isLeaving }
    #expect(leaving < 2000 / 50, "\(leaving)")
  }
}
