import Fusion
import LinearAlgebra
import Navigation
import Simulation
import Testing

/// Samples that a bus has made, and no car.
@Suite struct InertialSpikesTests {
  private static let ride = Ride.sharp(sigma: 0.3, rate: 2, hasVelocity: true)
  private static let clean = worst(ride)

  /// Largest errors from the sixtieth second on, degrees and metres.
  private static func worst(_ ride: Ride) -> (heading: Double, position: Double) {
    var worst = (heading: 0.0, position: 0.0)
    _ = ride.played { engine, sample in
      guard sample.time.seconds > 60, let solution = engine.solution(at: sample.time) else { return }
      worst.heading = max(worst.heading, ride.headingError(solution))
      worst.position = max(worst.position, ride.positionError(solution))
    }
    return worst
  }

  /// The ride with all bits set in one transfer, or in two of them, every 20 s.
  @Test(arguments: [1, 2]) func aTransferThatFailsTurnsNoCar(_ samples: Int) {
    var (left, next) = (0, 70.0)
    let broken = Self.ride.changed { sample in
      guard case .inertial(var inertial) = sample else { return sample }
      if inertial.time.seconds >= next { (left, next) = (samples, next + 20) }
      guard left > 0 else { return sample }
      left -= 1
      inertial.angularRate = Vector3(repeating: -34.9)
      inertial.specificForce = Vector3(repeating: -157)
      return .inertial(inertial)
    }
    let worst = Self.worst(broken)
    #expect(worst.heading < Self.clean.heading + 0.3, "\(worst), \(Self.clean)")
    #expect(worst.position < Self.clean.position + 0.2, "\(worst), \(Self.clean)")
  }

  private func sample(_ time: Double, rate: Double, force: Double = 0) -> InertialSample {
    InertialSample(
      time: Timestamp(seconds: time), angularRate: Vector3(0, 0, rate),
      specificForce: Vector3(force, 0, -9.8))
  }

  /// A knock turns the IMU for longer than a transfer takes.
  @Test func whatLastsIsBelieved() {
    var spikes = InertialSpikes()
    let rates = [0.1, 0.1, 5, 5.2, 5.3, 5.1].enumerated().map { step, rate in
      spikes.take(sample(Double(step) / 100, rate: rate)).angularRate.z
    }
    #expect(rates == [0.1, 0.1, 0.1, 0.1, 5.3, 5.1])
  }

  /// Looking at what follows a fix changes nothing, and sees what will be made of it.
  @Test func whatFollowsIsSeenAsItWillBeTaken() {
    var spikes = InertialSpikes()
    _ = spikes.take(sample(0, rate: 0.1))
    let spike = sample(0.01, rate: 0.1, force: -150)
    let foreseen = spikes.heeded(spike)
    #expect(foreseen.specificForce.x == 0 && foreseen.time == spike.time)
    #expect(spikes.take(spike) == foreseen)
  }

  /// After a gap a car may do anything, and ten samples a second leave it time to swerve.
  @Test func aGapIsNoLeap() {
    var spikes = InertialSpikes()
    _ = spikes.take(sample(0, rate: 0.1))
    #expect(spikes.take(sample(0.5, rate: 3)).angularRate.z == 3)
    #expect(spikes.take(sample(0.6, rate: 0.9)).angularRate.z == 0.9)
  }
}
