import CLibrary
import Fusion
import Simulation
import Testing

/// A course that a slow receiver holds.
@Suite struct HeldCourseTests {
  /// Times at which the direction of a velocity, by speed and course, is told to be an earlier one.
  private func held(rate: Double, seconds: Double, _ motion: (Double) -> (speed: Double, course: Double))
    -> [Double]
  {
    var check = HeldCourse()
    return (0..<Int(seconds * rate)).compactMap { i in
      let time = Double(i) / rate
      let (speed, course) = motion(time)
      // As a file has it, in mm/s.
      let velocity = Vector3(
        (speed * cos(course) * 1000).rounded() / 1000, (speed * sin(course) * 1000).rounded() / 1000, .nan)
      let fix = GNSSFix(
        time: Timestamp(seconds: time), position: GeodeticPosition(latitude: 1, longitude: 1, height: 0),
        velocityNED: velocity)
      return check.add(fix) ? time : nil
    }
  }

  /// Stops after 20 s, and drives off after 40 s, in a turn.
  private func stop(_ time: Double) -> (speed: Double, course: Double) {
    (max(0, abs(time - 30) - 10), time * 0.1)
  }

  @Test(arguments: [1.0, 5, 10]) func aCourseThatStaysIsHeldWhileTheCarIsSlow(rate: Double) {
    let times = held(rate: rate, seconds: 60) { time in
      let (speed, course) = stop(time)
      return speed > 3 ? (speed, course) : (speed, stop(17).course)
    }
    #expect(times.allSatisfy { abs($0 - 30) > 10.19 && abs($0 - 30) < 13.01 })
    // From the second on, and all of those of the start.
    #expect(times.contains { 17.4...19 ~= $0 })
    #expect(times.filter { 40.2..<43 ~= $0 }.count >= Int(2.7 * rate), "\(times)")
  }

  @Test(arguments: [1.0, 5, 10]) func oneThatIsMeasuredIsNot(rate: Double) {
    #expect(held(rate: rate, seconds: 60, stop).isEmpty)
    // Straight on, by a receiver whose velocity has an error of 0.03 m/s.
    var noise = RandomSource(seed: 7, stream: "course")
    let times = held(rate: rate, seconds: 300) { time in
      let speed = 2 + sin(time * 0.3)
      return (speed, 0.5 + noise.normal() * 0.03 / speed)
    }
    #expect(Double(times.count) < 0.01 * 300 * rate, "\(times.count)")
  }

  @Test func aFastCarMayGoStraight() {
    #expect(held(rate: 5, seconds: 60) { (6 + $0, 0.5) }.isEmpty)
  }

  /// A receiver that holds its course below 3 m/s: a sound IMU was blamed, and good fixes left by 170 m.
  @Test(arguments: [1, 2, 3] as [UInt64]) func theNavigatorStaysWhereItsFixesAre(seed: UInt64) {
    var scenario = Scenario.town
    scenario.road = [
      RoadElement(.stop(seconds: 20), speed: 17), RoadElement(.straight(length: 350), speed: 17),
      RoadElement(.turn(angle: -.pi / 2, radius: 16), speed: 8),
      RoadElement(.straight(length: 280), speed: 17), RoadElement(.stop(seconds: 20), speed: 17),
      RoadElement(.turn(angle: .pi / 2, radius: 14), speed: 8),
      RoadElement(.straight(length: 200), speed: 17), RoadElement(.stop(seconds: 10), speed: 17),
    ]
    scenario.receiver.rate = 5
    scenario.receiver.courseFreezeSpeed = 3
    let ride = Ride(scenario, seed: seed)
    var (largest, isTrusted) = (0.0, true)
    _ = ride.played { engine, sample in
      guard case .gnss = sample else { return }
      isTrusted = isTrusted && engine.isInertialTrusted
      if let solution = engine.solution(at: sample.time) {
        largest = max(largest, ride.positionError(solution))
      }
    }
    #expect(isTrusted && largest < 20, "\(largest) m")
  }
}
