import CLibrary
import Fusion
import Simulation
import Testing

/// An IMU that is turned in the car on the way, which its gyroscope measures, and one that breaks.
@Suite struct KnockedTests {
  private static let ride: Ride = {
    var scenario = Ride.short
    scenario.road = [RoadElement(.stop(seconds: 3), speed: 14)]
    for side in [1.0, -1, 1, -1, 1, -1] {
      scenario.road += [
        RoadElement(.straight(length: 200), speed: 14),
        RoadElement(.turn(angle: side * .pi / 2, radius: 25), speed: 9),
      ]
    }
    scenario.road += [
      RoadElement(.stop(seconds: 10), speed: 14), RoadElement(.straight(length: 150), speed: 14),
    ]
    return Ride(scenario)
  }()

  /// The ride with its IMU turned by `turn`, in the IMU's axes, in half a second from `start` on.
  private static func knocked(by turn: Vector3, at start: Double) -> Ride {
    ride.changed { sample in
      guard case .inertial(let s) = sample, s.time.seconds >= start else { return sample }
      let done = min(1, (s.time.seconds - start) / 0.5)
      let rotation = Quaternion(rotationVector: turn * done)
      let own = done < 1 ? turn * -2 : .zero
      return .inertial(
        InertialSample(
          time: s.time, angularRate: rotation * s.angularRate + own, specificForce: rotation * s.specificForce
        ))
    }
  }

  /// Largest error in degrees of a heading that is claimed from `time` on.
  private static func largestHeadingError(_ ride: Ride, from time: Double) -> Double {
    var worst = 0.0
    _ = ride.played { engine, sample in
      guard case .gnss = sample, sample.time.seconds >= time, let solution = engine.solution(at: sample.time)
      else { return }
      if solution.isAligned { worst = max(worst, ride.headingError(solution)) }
    }
    return worst
  }

  /// About the vertical, and aslant; on the straight, in a bend, and while the car stands.
  @Test(arguments: [Vector3(0, 0, 0.6), Vector3(0, 0, -1.2), Vector3(0.5, 0.4, 0.6)], [70.0, 79, 130])
  func theHeadingOutlastsAKnock(turn: Vector3, at start: Double) throws {
    let knocked = Self.knocked(by: turn, at: start)
    #expect(knocked.duration > start + 10)
    let error = Self.largestHeadingError(knocked, from: start)
    #expect(error < 18, "\(error)° off after a knock at \(start) s")
    let engine = knocked.played()
    let end = try #require(engine.solution(at: Timestamp(seconds: knocked.duration)))
    #expect(knocked.headingError(end) < 3 && knocked.positionError(end) < 6)
    let mounting = try #require(engine.calibration?.vehicleFromBody)
    let truth = knocked.scenario.imu.vehicleFromIMU * Quaternion(rotationVector: turn).inverse
    let off = Angle.degrees(radians: (mounting * truth.inverse).rotationVector.norm)
    #expect(off < 5, "mounting off by \(off)°")
  }

  /// Its gyroscope measures ten times too much from then on: the next bend tells.
  @Test func aGyroscopeThatMeasuresTenTimesTooMuchIsLeftOut() throws {
    let start = 70.0
    let broken = Self.ride.changed { sample in
      guard case .inertial(let s) = sample, s.time.seconds >= start else { return sample }
      return .inertial(
        InertialSample(time: s.time, angularRate: s.angularRate * 10, specificForce: s.specificForce))
    }
    var worst = 0.0
    _ = broken.played { engine, sample in
      guard case .gnss = sample, sample.time.seconds >= start, let solution = engine.solution(at: sample.time)
      else { return }
      worst = max(worst, broken.positionError(solution))
    }
    #expect(worst < 15, "\(worst) m off")
  }
}
