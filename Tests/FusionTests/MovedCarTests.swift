import Fusion
import Simulation
import Testing

/// Saved states that do not fit the car they are used in: each must be found out, and
/// cost a few seconds at most.
@Suite struct MovedCarTests {
  private let drives = TwoDrives.shared
  private var second: Ride { drives.second }
  /// What a wrong saved state may cost over a cold start, s.
  private static let patience = 3.0

  private func changed(_ change: (inout SavedState) -> Void) -> SavedState {
    var saved = drives.saved
    change(&saved)
    return saved
  }

  /// Plays the second drive and checks that it ends as a cold start does.
  private func contradiction(
    _ ride: Ride, from saved: SavedState, _ what: String
  ) throws -> WarmStartReport.Contradiction? {
    let engine = ride.played(from: saved)
    let solution = try #require(engine.solution(at: drives.end))
    let cold = try #require(ride.played(from: nil).solution(at: drives.end))
    #expect(ride.positionError(solution) < ride.positionError(cold) + 2, "\(what)")
    #expect(ride.headingError(solution) < ride.headingError(cold) + 2, "\(what)")
    let lost = ride.headingRightFrom(saved: saved) - ride.headingRightFrom(saved: nil)
    #expect(lost < Self.patience, "\(what): \(lost) s later than a cold start")
    return try #require(engine.warmStart).contradiction
  }

  @Test func anIMUThatWasTurnedIsFoundOutByGravity() throws {
    let turned = second.withIMU(turned: Quaternion(rotationVector: Vector3(.pi / 2, 0, 0)))
    guard case .imuTurned(let angle)? = try contradiction(turned, from: drives.saved, "90°") else {
      Issue.record("not found out")
      return
    }
    #expect(angle > 1)
  }

  /// Ten degrees might be another slope: the biases stay, the mounting waits for motion to be seen.
  @Test(arguments: [Vector3(0.175, 0, 0), Vector3(0, 0.175, 0), Vector3(0, -0.175, 0)])
  func anIMUThatWasTurnedALittleGetsItsMountingAnew(by rotation: Vector3) throws {
    let turned = second.withIMU(turned: Quaternion(rotationVector: rotation))
    guard case .tilted(let angle)? = try contradiction(turned, from: drives.saved, "\(rotation)") else {
      Issue.record("not found out")
      return
    }
    #expect(abs(angle - 0.175) < 0.03)
    let mounting = try #require(turned.played(from: drives.saved).calibration?.vehicleFromBody)
    let truth = turned.scenario.imu.vehicleFromIMU * Quaternion(rotationVector: rotation).inverse
    #expect((mounting * truth.inverse).rotationVector.norm < 0.07)
  }

  /// Gravity does not see it, the fixes do (or the biases, which turn with the IMU).
  @Test func anIMUThatWasTurnedAboutTheVerticalIsFoundOutByMotion() throws {
    let down = drives.saved.navFromBody.inverse * Vector3(0, 0, 1)
    for angle in [Double.pi / 2, .pi, 0.5] {
      let turned = second.withIMU(turned: Quaternion(rotationVector: down * angle))
      let found = try contradiction(turned, from: drives.saved, "\(angle) rad")
      #expect(found != nil, "\(angle) rad")
      if angle < 1 { #expect(found == .headingContradicted, "found \(String(describing: found))") }
      let mounting = try #require(turned.played(from: drives.saved).calibration?.vehicleFromBody)
      let truth = turned.scenario.imu.vehicleFromIMU * Quaternion(rotationVector: down * -angle)
      #expect((mounting * truth.inverse).rotationVector.norm < 0.07, "\(angle) rad")
    }
  }

  @Test func anotherGyroscopeIsFoundOut() throws {
    let other = changed { $0.calibration.gyroBias.value.z += 0.1 }
    guard case .imuChanged(let rate)? = try contradiction(second, from: other, "gyroscope") else {
      Issue.record("not found out")
      return
    }
    #expect(abs(rate - 0.1) < 0.02)
    // Nothing is left of it: a cold start, but for the quarter seconds over which the force was averaged.
    let cold = try #require(second.played(from: nil).solution(at: drives.end))
    let warm = try #require(second.played(from: other).solution(at: drives.end))
    #expect(warm.position.ned(from: cold.position).norm < 0.1)
    #expect(abs(Angle.wrapped(warm.heading - cold.heading)) < 0.002)
  }

  @Test func anotherAccelerometerIsFoundOut() throws {
    for axis in [Vector3(1.5, 0, 0), Vector3(0, 0, 1.5)] {
      let other = changed { $0.calibration.accelBias.value += axis }
      #expect(try contradiction(second, from: other, "\(axis)") != nil)
    }
  }

  @Test func aCarThatWasTakenElsewhereIsFoundThere() throws {
    for metres in [100_000.0, 2000, 200] {
      let far = changed { $0.position = $0.position.moved(byNED: Vector3(metres, 0, 0)) }
      guard case .carMoved(let distance)? = try contradiction(second, from: far, "\(metres) m") else {
        Issue.record("\(metres) m: not found out")
        continue
      }
      #expect(abs(distance / metres - 1) < 0.1)
      // Fixes come while the IMU is looked at: the old place is never said.
      _ = second.played(from: far) { engine, sample in
        guard case .gnss = sample, let now = engine.solution(at: sample.time) else { return }
        #expect(second.positionError(now) < 30, "\(metres) m at \(sample.time.seconds)")
      }
    }
  }

  @Test func aCarThatWasTurnedIsFoundOutByMotion() throws {
    for angle in [Double.pi, .pi / 2, -0.7] {
      let turned = changed {
        $0.navFromBody = Quaternion(rotationVector: Vector3(0, 0, angle)) * $0.navFromBody
      }
      #expect(try contradiction(second, from: turned, "\(angle) rad") == .headingContradicted)
      let report = try #require(second.played(from: turned).warmStart)
      // The IMU sits where it sat.
      #expect(report.usesMounting && report.usesBiases, "\(angle) rad")
    }
  }

  @Test func aCarThatDrivesAlreadyIsNotHeldWhereItWasLeft() throws {
    var late = second
    let start = drives.pause.advanced(bySeconds: drives.rest + 12)
    late.samples = second.samples.filter { $0.time >= start }
    let engine = late.played(from: drives.saved) { engine, sample in
      guard case .gnss = sample, let now = engine.solution(at: sample.time) else { return }
      #expect(late.positionError(now) < 30 || sample.time < start.advanced(bySeconds: 3))
    }
    #expect(late.headingError(try #require(engine.solution(at: drives.end))) < 5)
  }

  /// A value that nobody can have learned: the engine says so and is a cold one, to the last bit.
  @Test func anImpossibleStateIsAColdStart() throws {
    let cold = second.played(from: nil).solution(at: drives.end)
    let faults: [(SavedState.Fault, (inout SavedState) -> Void)] = [
      (.nonFinite, { $0.position.latitude = .nan }),
      (.nonFinite, { $0.calibration.leverArm.value.y = .infinity }),
      (.outOfRange(.position), { $0.position.latitude = 2 }),
      (.outOfRange(.positionCovariance), { $0.positionCovariance.x.x = -1 }),
      (.outOfRange(.velocity), { $0.velocityNED.x = 1000 }),
      (.outOfRange(.age), { $0.age = -1 }),
      (.outOfRange(.attitude), { $0.navFromBody = Quaternion(w: 0, x: 0, y: 0, z: 0) }),
      (.outOfRange(.mounting), { $0.calibration.vehicleFromBody = nil }),
      (.outOfRange(.gyroBias), { $0.calibration.gyroBias.value.x = 5 }),
      (.outOfRange(.accelBias), { $0.calibration.accelBias.value.x = 50 }),
      (.outOfRange(.odometerScale), { $0.calibration.odometerScale.value = -0.5 }),
      (.outOfRange(.leverArm), { $0.calibration.leverArm.value.x = 100 }),
      (.outOfRange(.delay), { $0.calibration.velocityDelay.value = 10 }),
      (.outOfRange(.receiverNoise), { $0.calibration.velocityScale = 0 }),
      (.outOfRange(.sigma), { $0.calibration.gyroBias.sigma.x = -1 }),
      (.outOfRange(.sigma), { $0.headingSigma = 1e9 }),
    ]
    for (fault, spoil) in faults {
      let saved = changed(spoil)
      #expect(saved.fault == fault)
      let engine = FusionEngine(savedState: saved)
      #expect(engine.warmStart?.contradiction == .unusable(fault) && engine.warmStart?.stage == .cold)
    }
    let spoilt = changed { $0.calibration.gyroBias.value.x = 5 }
    #expect(second.played(from: spoilt).solution(at: drives.end) == cold)
  }
}
