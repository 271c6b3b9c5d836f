import Fusion
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

  private func withYawRate(_ hasIMU: (Double) -> Bool) -> Ride { ride.withYawRate(hasIMU) }

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

  /// Hindsight reaches back over the match of the track that finds the heading, to the first fix; and a lag
  /// knows nothing that comes later, before the match either.
  @Test func theTrackBeforeTheHeadingWasKnownIsSmoothed() throws {
    let ride = withYawRate { _ in false }
    let times = (1...12).map { Timestamp(seconds: Double($0) + 0.03) }
    func smoothed(_ samples: [SensorSample], _ reach: FusionSmoother.Reach) -> [NavigationSolution?] {
      var smoother = FusionSmoother(reaches: [reach])
      var found: [NavigationSolution?] = Array(repeating: nil, count: times.count)
      func take(_: Int, _ track: SmoothedTrack) {
        for (i, time) in times.enumerated() where track.start <= time && time < track.end {
          found[i] = track.solution(at: time)
        }
      }
      for sample in samples { smoother.process(sample, smoothed: take) }
      smoother.finish(smoothed: take)
      return found
    }
    var engine = FusionEngine()
    for sample in ride.samples where sample.arrival <= times[11] { engine.process(sample) }
    #expect(engine.calibration == nil, "the heading is found later")
    for solution in smoothed(ride.samples, .full) {
      let solution = try #require(solution)
      #expect(solution.isSound && solution.isAligned)
      #expect(self.ride.headingError(solution) < 6)
      // Three times the 2.5 m that are believed of the fixes.
      #expect(self.ride.positionError(solution) < 8)
    }
    let cut = ride.samples.filter { $0.arrival <= times[11].advanced(bySeconds: 5) }
    let lag = smoothed(ride.samples, .lag(seconds: 5))
    #expect(lag[11] != nil)
    #expect(smoothed(cut, .lag(seconds: 5))[11] == lag[11])
  }
}
