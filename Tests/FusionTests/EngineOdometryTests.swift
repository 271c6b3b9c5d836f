import Fusion
import LinearAlgebra
import Navigation
import Simulation
import Testing

/// A car that reports its own speed and yaw rate, with and without an IMU.
@Suite struct EngineOdometryTests {
  /// With the IMU askew, so that it cannot pass for the car itself.
  private static let ride: Ride = {
    var scenario = Scenario.town
    scenario.imu.vehicleFromIMU = Quaternion(roll: 0.3, pitch: -0.4, yaw: 2)
    return Ride(scenario)
  }()
  private var ride: Ride { Self.ride }

  /// The ride with speed and yaw rate ten times a second from the start, and the IMU where `hasIMU` says.
  private func withYawRate(_ hasIMU: (Double) -> Bool) -> Ride {
    var changed = ride.changed { sample in
      switch sample {
      case .inertial(let s): hasIMU(s.time.seconds) ? sample : nil
      case .wheel: nil
      case .gnss: sample
      }
    }
    for i in 0..<Int(ride.duration * 10) {
      let time = Timestamp(seconds: Double(i) / 10)
      let truth = ride.truth(at: time)
      let speed = (truth.navFromVehicle.inverse * truth.velocityNED).x
      changed.samples.append(
        .wheel(WheelSample(time: time, speed: speed, yawRate: truth.angularRate.z)))
    }
    changed.samples = changed.samples.enumerated().sorted {
      ($0.element.arrival, $0.offset) < ($1.element.arrival, $1.offset)
    }.map(\.element)
    return changed
  }

  private func check(_ ride: Ride, at time: Double, metres: Double, degrees: Double) throws {
    var engine = FusionEngine()
    for sample in ride.samples where sample.arrival.seconds <= time { engine.process(sample) }
    let solution = try #require(engine.solution(at: Timestamp(seconds: time)))
    #expect(solution.isAligned && solution.isSound)
    #expect(engine.recoveries == 0, "it was never wrong on the way")
    #expect(self.ride.positionError(solution) < metres)
    #expect(self.ride.headingError(solution) < degrees)
  }

  @Test func aYawRateBeforeTheFirstInertialSampleDoesNotTakeTheIMUsPlace() throws {
    for start in [0.25, 5] {
      try check(withYawRate { $0 >= start }, at: ride.duration, metres: 25, degrees: 4)
    }
  }

  @Test func withoutAnIMUTheCarsOwnMotionWillDo() throws {
    try check(withYawRate { _ in false }, at: ride.duration, metres: 25, degrees: 6)
  }

  @Test func anIMUThatDiesIsReplacedByTheCarsOwnMotion() throws {
    let dead = withYawRate { $0 < 90 }.withFixes { $0.time.seconds < 92 ? $0 : nil }
    try check(dead, at: 122, metres: 30, degrees: 8)
  }

  @Test func anIMUThatComesBackIsTakenUp() throws {
    let back = withYawRate { $0 < 60 || $0 > 80 }
    try check(back, at: ride.duration, metres: 25, degrees: 4)
  }
}
