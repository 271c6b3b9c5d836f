import Fusion
import Simulation
import Testing

@Suite struct EngineMountingTests {
  /// All 24 rotations that take axes to axes.
  private static var orientations: [Matrix3] {
    let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].flatMap { [$0, -$0] }
    return axes.flatMap { x in
      axes.filter { $0.dot(x) == 0 }.map { y in Matrix3(columns: x, y, x.cross(y)) }
    }
  }

  /// Roll and pitch come from the accelerometer, whose bias of 20 mg (one σ) tilts by 1.15°
  /// until driving has shown it.
  private static let tiltBound = 4.0

  @Test func anyOrientationIsFoundWithoutARitual() throws {
    let ride = Ride(Ride.short)
    let end = Timestamp(seconds: ride.duration)
    #expect(Self.orientations.count == 24 && ride.duration > 33)
    for turn in Self.orientations {
      let mounted = ride.changed { sample in
        guard case .inertial(let s) = sample else { return sample }
        return .inertial(
          InertialSample(
            time: s.time, angularRate: turn * s.angularRate, specificForce: turn * s.specificForce))
      }
      let engine = mounted.played()
      let solution = try #require(engine.solution(at: end))
      #expect(solution.isSound && solution.isAligned, "\(turn)")
      #expect(ride.headingError(solution) < 3, "\(turn): heading off by \(ride.headingError(solution))°")
      #expect(ride.tiltError(solution) < Self.tiltBound, "\(turn): tilt off by \(ride.tiltError(solution))°")
      #expect(ride.positionError(solution) < 10, "\(turn): \(ride.positionError(solution)) m")
      let mounting = try #require(engine.calibration?.vehicleFromBody)
      let error = (mounting * Quaternion(matrix: turn)).rotationVector.norm
      #expect(Angle.degrees(radians: error) < 4, "\(turn): mounting off by \(Angle.degrees(radians: error))°")
    }
  }

  @Test func anAskewOrientationIsFoundToo() throws {
    var scenario = Ride.short
    scenario.imu.vehicleFromIMU = Quaternion(roll: 2.8, pitch: -0.4, yaw: 1.9)
    for seed in 1...3 {
      let ride = Ride(scenario, seed: UInt64(seed))
      let solution = try #require(ride.played().solution(at: Timestamp(seconds: ride.duration)))
      #expect(ride.headingError(solution) < 3, "seed \(seed): heading off by \(ride.headingError(solution))°")
      #expect(
        ride.tiltError(solution) < Self.tiltBound, "seed \(seed): tilt off by \(ride.tiltError(solution))°")
    }
  }

  /// Nobody takes a car in tow that drives: the IMU has been turned in it, and ninety seconds later
  /// its mounting is known anew.
  @Test func anIMUThatIsTurnedUnderWayGetsItsMountingAnew() throws {
    var scenario = Ride.short
    scenario.road = [RoadElement(.stop(seconds: 3), speed: 14)]
    for side in [1.0, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1] {
      scenario.road += [
        RoadElement(.straight(length: 200), speed: 14),
        RoadElement(.turn(angle: side * .pi / 2, radius: 25), speed: 9),
      ]
    }
    let down = scenario.imu.vehicleFromIMU.inverse * Vector3(0, 0, 1)
    let turn = Quaternion(rotationVector: down * 0.5)
    let turnedAt = 110.0
    let ride = Ride(scenario).changed { sample in
      guard case .inertial(let s) = sample, s.time.seconds > turnedAt else { return sample }
      return .inertial(
        InertialSample(
          time: s.time, angularRate: turn * s.angularRate, specificForce: turn * s.specificForce))
    }
    #expect(ride.duration > turnedAt + 90)
    let truth = scenario.imu.vehicleFromIMU * turn.inverse
    let known = ride.changed { $0.time.seconds < turnedAt + 90 ? $0 : nil }.played()
    let mounting = try #require(known.calibration?.vehicleFromBody)
    let error = (mounting * truth.inverse).rotationVector.norm
    #expect(Angle.degrees(radians: error) < 5, "mounting off by \(Angle.degrees(radians: error))°")
  }

  /// Out of the parking space backward: slowly, and faster than the mounting waits for.
  @Test func reverseFirstEndsWithTheNoseInFront() throws {
    for (speed, length) in [(1.5, 10.0), (4, 40)] {
      var scenario = Ride.short
      scenario.road.insert(
        contentsOf: [
          RoadElement(.stop(seconds: 3), speed: 2),
          RoadElement(.reverse(length: length, angle: 0.6), speed: speed),
          RoadElement(.stop(seconds: 2), speed: 2),
        ], at: 0)
      let ride = Ride(scenario)
      let solution = try #require(ride.played().solution(at: Timestamp(seconds: ride.duration)))
      #expect(solution.isSound)
      #expect(
        ride.headingError(solution) < 3,
        "reverse at \(speed) m/s: heading off by \(ride.headingError(solution))°")
    }
  }

  /// Backward later on, the nose keeps its direction and the course turns round.
  @Test func reverseKeepsTheHeadingAndFlipsTheCourse() throws {
    var scenario = Ride.short
    scenario.road += [
      RoadElement(.stop(seconds: 3), speed: 14), RoadElement(.reverse(length: 12, angle: 0), speed: 2),
    ]
    let ride = Ride(scenario)
    var seen = 0
    _ = ride.played { engine, sample in
      let truth = ride.duration - sample.time.seconds < 6 ? ride.truth(at: sample.time) : nil
      guard let truth, truth.speed < -1.5, case .inertial = sample, seen < 50,
        let solution = engine.solution(at: sample.time)
      else { return }
      seen += 1
      #expect(ride.headingError(solution) < 4)
      let course = Angle.wrapped(solution.course - truth.navFromVehicle.yaw)
      #expect(abs(abs(course) - .pi) < 0.2)
    }
    #expect(seen == 50)
  }
}
