import CLibrary
import Fusion
import Simulation
import Testing

/// Axes that show one value for ever, in a ride of town streets with stops.
@Suite struct FrozenAxisTests {
  private static let ride: Ride = {
    var scenario = Scenario.town
    scenario.imu = IMUModel(part: .lsm6dso)
    return Ride(scenario, seed: 1002)
  }()
  private static let broken = 60.0

  /// When the engine first left the IMU out, and whether it used it at the end.
  private func outcome(_ samples: [SensorSample]) -> (leftOutAt: Double?, isTrustedAtEnd: Bool) {
    var engine = FusionEngine()
    var leftOutAt: Double?
    for sample in samples {
      engine.process(sample)
      if !engine.isInertialTrusted { leftOutAt = leftOutAt ?? sample.time.seconds }
    }
    return (leftOutAt, engine.isInertialTrusted)
  }

  /// The ride with its IMU's samples changed.
  private func changed(_ change: @escaping (inout InertialSample) -> Void) -> [SensorSample] {
    Self.ride.changed { sample in
      guard case .inertial(var inertial) = sample else { return sample }
      change(&inertial)
      return .inertial(inertial)
    }.samples
  }

  /// The ride in which some axes, gyroscope before accelerometer, keep their values for a time.
  private func frozen(
    _ axes: [Int], from start: Double = broken, to end: Double = .infinity, as value: Double? = nil
  ) -> [SensorSample] {
    var kept: InertialSample?
    return changed { sample in
      guard start..<end ~= sample.time.seconds else { return }
      let last = kept ?? sample
      kept = last
      for axis in axes {
        if axis < 3 {
          sample.angularRate.lanes[axis] = value ?? last.angularRate.lanes[axis]
        } else {
          sample.specificForce.lanes[axis - 3] = value ?? last.specificForce.lanes[axis - 3]
        }
      }
    }
  }

  @Test(arguments: 0..<6) func anAxisThatDiesIsFoundInSixSeconds(_ axis: Int) throws {
    let found = try #require(outcome(frozen([axis])).leftOutAt)
    #expect((5...7.1).contains(found - Self.broken))
    let dead = try #require(outcome(frozen([axis], from: 0, as: 0)).leftOutAt)
    // A level car's dead vertical axis measures nothing at all, and such samples are none.
    #expect(dead < 15)
  }

  /// A sensor at rest may show one value: it is found once the car drives.
  @Test(arguments: [[0, 1, 2], [3, 4, 5], [0, 1, 2, 3, 4, 5]]) func aSensorThatDiesIsFound(_ axes: [Int])
    throws
  {
    let found = try #require(outcome(frozen(axes)).leftOutAt)
    #expect(found - Self.broken < 30)
  }

  @Test func anAxisThatComesBackIsUsedAgain() {
    let (leftOutAt, isTrusted) = outcome(frozen([4], to: Self.broken + 20))
    #expect(leftOutAt != nil && isTrusted)
  }

  /// Where each value comes twice, as of a log that is faster than its sensor.
  @Test func repeatedSamplesHideNothing() throws {
    func repeated(_ samples: [SensorSample]) -> [SensorSample] {
      var last: InertialSample?
      return samples.map { sample in
        guard case .inertial(var inertial) = sample else { return sample }
        if let before = last {
          (inertial.angularRate, inertial.specificForce) = (before.angularRate, before.specificForce)
          last = nil
        } else {
          last = inertial
        }
        return .inertial(inertial)
      }
    }
    #expect(outcome(repeated(Self.ride.samples)).leftOutAt == nil)
    let found = try #require(outcome(repeated(frozen([0]))).leftOutAt)
    #expect(found - Self.broken < 8)
  }

  /// Steps so coarse that the noise hides in them at rest: 0.5 °/s and 0.3 m/s².
  @Test func aCoarseSensorIsSound() {
    func rounded(_ v: Vector3, to step: Double) -> Vector3 {
      Vector3(lanes: (v.lanes / step).rounded(.toNearestOrEven) * step)
    }
    let coarse = changed {
      $0.angularRate = rounded($0.angularRate, to: 0.009)
      $0.specificForce = rounded($0.specificForce, to: 0.3)
    }
    #expect(outcome(coarse).leftOutAt == nil)
  }

  /// A flat world without noise: at rest, away on a straight, and a minute later round a bend; five axes
  /// never move but for the start, or the bend.
  @Test func aDriveMadeUpWithoutNoiseIsBelieved() {
    var samples: [SensorSample] = []
    var (north, east, speed, heading) = (0.0, 0.0, 0.0, 0.5)
    for i in 0..<15_000 {
      let t = Double(i) / 100
      let acceleration = (10..<20).contains(t) ? 3 * (1 - abs(t - 15) / 5) : 0
      let rate = (80..<85).contains(t) ? 0.3 : 0
      let time = Timestamp(seconds: t)
      samples.append(
        .inertial(
          InertialSample(
            time: time, angularRate: Vector3(0, 0, rate),
            specificForce: Vector3(acceleration, speed * rate, -9.81))))
      if i % 100 == 0 {
        let position = GeodeticPosition(
          latitude: 0.8 + north / 6.38e6, longitude: 0.2 + east / 6.38e6 / cos(0.8), height: 400)
        let velocity = Vector3(speed * cos(heading), speed * sin(heading), 0)
        samples.append(
          .gnss(
            GNSSFix(
              time: time, position: position, positionSigma: Vector3(2, 2, 3), velocityNED: velocity)))
      }
      heading += rate / 100
      speed += acceleration / 100
      north += speed * cos(heading) / 100
      east += speed * sin(heading) / 100
    }
    #expect(outcome(samples).leftOutAt == nil)
  }
}
