import CLibrary
import Fusion
import Simulation
import Testing

@Suite struct IMUIntegrityMonitorTests {
  private static let ride: Ride = {
    var scenario = Scenario.town
    scenario.imu = IMUModel(part: .lsm6dso)
    scenario.road += scenario.road
    return Ride(scenario, seed: 1001)
  }()
  private static let broken = 100.0

  /// The ride with an IMU that breaks on the way.
  private func broken(
    from start: Double = broken, to end: Double = .infinity, _ fault: @escaping (inout InertialSample) -> Void
  )
    -> Ride
  {
    Self.ride.changed { sample in
      guard case .inertial(var inertial) = sample, start..<end ~= inertial.time.seconds else { return sample }
      fault(&inertial)
      return .inertial(inertial)
    }
  }

  /// Largest error in metres once the fault has been there for a minute, and from when
  /// on the IMU was left out.
  private func outcome(_ ride: Ride) -> (worst: Double, leftOutAt: Double?) {
    var worst = 0.0
    var leftOutAt: Double?
    var engine = FusionEngine()
    for sample in ride.samples {
      engine.process(sample)
      if !engine.isInertialTrusted { leftOutAt = leftOutAt ?? sample.time.seconds }
      if case .gnss = sample, sample.time.seconds > Self.broken + 60,
        let solution = engine.solution(at: sample.time)
      {
        worst = max(worst, ride.positionError(solution))
      }
    }
    return (worst, leftOutAt)
  }

  @Test func aSoundIMUIsNeverLeftOut() {
    #expect(outcome(Self.ride).leftOutAt == nil)
  }

  /// What a gyroscope is off by is learned, and no fault.
  @Test(arguments: [-6.0, 6]) func aBiasedGyroscopeIsNotLeftOut(degreesPerSecond: Double) {
    let bias = Angle.radians(degrees: degreesPerSecond)
    let outcome = outcome(broken(from: 0) { $0.angularRate.z += bias })
    #expect(outcome.leftOutAt == nil)
    #expect(outcome.worst < 30, "\(outcome.worst) m")
  }

  @Test func anIMUWithoutGravityIsLeftOutWithinTwoSeconds() throws {
    for factor in [0.1, 3, 10.0] {
      let found = try #require(outcome(broken { $0.specificForce = $0.specificForce * factor }).leftOutAt)
      #expect(found - Self.broken < 2.5)
    }
  }

  /// Fixes of town streets alone lead up to 40 m off; a gyroscope that is believed, 250 m to 3 km.
  @Test(arguments: ["dead", "reversed", "ten times"])
  func aGyroscopeThatTurnsOtherwiseThanTheFixesIsLeftOut(fault: String) throws {
    let ride = broken {
      switch fault {
      case "dead": $0.angularRate = .zero
      case "reversed": $0.angularRate = -$0.angularRate
      default: $0.angularRate = $0.angularRate * 10
      }
    }
    let (worst, leftOutAt) = outcome(ride)
    #expect(leftOutAt != nil)
    #expect(worst < 60, "\(worst) m off")
  }

  @Test func anIMUThatRecoversIsUsedAgain() {
    let ride = broken(from: Self.broken, to: Self.broken + 20) { $0.specificForce = .init(0, 0, -30) }
    let engine = ride.played()
    #expect(engine.isInertialTrusted)
    let end = ride.samples.last { if case .gnss = $0 { true } else { false } }?.time
    let solution = end.flatMap { engine.solution(at: $0) }
    #expect(solution?.isAligned == true)
  }

  /// Straight on at 15 m/s, with a filter that goes 4 m/s otherwise than the fixes in these seconds.
  private func isTrusted(off: [Range<Int>], doubtful: [Range<Int>] = []) -> Bool {
    var check = IMUIntegrityMonitor()
    var position = Scenario.town.start
    var random = RandomSource(seed: 3, stream: "noise")
    for second in 0..<120 {
      for i in 1...20 {
        check.add(
          InertialSample(
            time: Timestamp(seconds: Double(second) + Double(i) / 20),
            angularRate: noise(&random) * 0.002,
            specificForce: Vector3(0, 0, -9.8) + noise(&random) * 0.05))
      }
      position = position.moved(byNED: Vector3(15, 0, 0))
      var fix = GNSSFix(time: Timestamp(seconds: Double(second) + 1), position: position)
      fix.velocityNED = Vector3(15, 0, 0)
      let isOff = off.contains { $0.contains(second) }
      check.add(
        fix, isDoubtful: doubtful.contains { $0.contains(second) },
        velocityNED: Vector3(15, isOff ? 4 : 0, 0), positionSigma: 1)
    }
    return check.isTrusted
  }

  /// Fixes that drift part from a sound filter for as long as they do: that is one contradiction. An IMU that
  /// leads it away each time it has been brought back is broken.
  @Test func onePartingHoweverLongIsNoBrokenIMU() {
    #expect(isTrusted(off: [20..<60]))
    #expect(isTrusted(off: [20..<30, 60..<70]))
    #expect(!isTrusted(off: [20..<30, 50..<60, 80..<90]))
  }

  private func noise(_ random: inout RandomSource) -> Vector3 {
    Vector3(random.normal(), random.normal(), random.normal())
  }

  /// A quarter to the right within 3 s of every 15, at 10 m/s: the receiver's velocity turns when the car has
  /// turned already.
  @Test func aVelocityThatIsKnownToLagContradictsNothing() {
    func yaw(_ time: Double) -> Double {
      let turns = (time / 15).rounded(.down)
      return (turns + min(max(time - 15 * turns - 9, 0), 3) / 3) * .pi / 2
    }
    func velocity(_ time: Double) -> Vector3 { Vector3(10 * cos(yaw(time)), 10 * sin(yaw(time)), 0) }
    func isTrusted(knownLag: Double) -> Bool {
      var check = IMUIntegrityMonitor()
      var position = Scenario.town.start
      var random = RandomSource(seed: 3, stream: "noise")
      for tick in 1...4000 {
        let time = Double(tick) / 20
        let turned = (yaw(time) - yaw(time - 0.05)) * 20
        check.add(
          InertialSample(
            time: Timestamp(seconds: time), angularRate: Vector3(0, 0, turned) + noise(&random) * 0.002,
            specificForce: Vector3(0, 10 * turned, -9.8) + noise(&random) * 0.05))
        position = position.moved(byNED: velocity(time) * 0.05)
        guard tick.isMultiple(of: 20) else { continue }
        var fix = GNSSFix(time: Timestamp(seconds: time), position: position)
        fix.velocityNED = velocity(time - 2.5)
        check.add(fix, velocityNED: velocity(time), positionSigma: 1, lag: knownLag)
      }
      return check.isTrusted
    }
    #expect(isTrusted(knownLag: 2.7))
    #expect(!isTrusted(knownLag: 0))
  }

  @Test func fixesThatAreInDoubtThemselvesContradictNothing() {
    let off = [20..<30, 50..<60, 80..<90]
    #expect(isTrusted(off: off, doubtful: [78..<92]))
    #expect(!isTrusted(off: off, doubtful: [35..<45, 65..<75]))
  }
}
