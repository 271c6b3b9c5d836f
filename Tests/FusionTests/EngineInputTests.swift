import Fusion
import Simulation
import Testing

@Suite struct EngineInputTests {
  private static let ride = Ride(Ride.short)
  private var ride: Ride { Self.ride }
  private var end: Timestamp { Timestamp(seconds: ride.duration) }

  private func fix(_ change: (inout GNSSFix) -> Void) -> SensorSample {
    let time = Timestamp(seconds: 25.003)
    var fix = GNSSFix(time: time, position: ride.truth(at: time).position)
    change(&fix)
    return .gnss(fix)
  }

  private var refused: [(String, SensorSample)] {
    let time = Timestamp(seconds: 25.003)
    return [
      ("latitude NaN", fix { $0.position.latitude = .nan }),
      ("latitude 91°", fix { $0.position.latitude = 1.6 }),
      ("longitude infinite", fix { $0.position.longitude = .infinity }),
      ("longitude 10 rad", fix { $0.position.longitude = 10 }),
      ("height infinite", fix { $0.position.height = .infinity }),
      ("height 20,000 km", fix { $0.position.height = 2e7 }),
      ("sigma NaN", fix { $0.positionSigma = Vector3(1, .nan, 1) }),
      ("sigma negative", fix { $0.positionSigma = Vector3(1, -1, 1) }),
      ("sigma infinite", fix { $0.positionSigma = Vector3(1, 1, .infinity) }),
      ("sigma 1e200", fix { $0.positionSigma = Vector3(repeating: 1e200) }),
      ("speed sigma NaN", fix { $0.speedSigma = .nan }),
      ("speed sigma infinite", fix { $0.speedSigma = .infinity }),
      ("speed sigma negative", fix { $0.speedSigma = -3 }),
      ("speed sigma 1e200", fix { $0.speedSigma = 1e200 }),
      ("velocity NaN", fix { $0.velocityNED = Vector3(.nan, 0, 0) }),
      ("velocity of a rocket", fix { $0.velocityNED = Vector3(7000, 0, 0) }),
      ("wheel NaN", .wheel(WheelSample(time: time, speed: .nan))),
      ("wheel 1000 m/s", .wheel(WheelSample(time: time, speed: 1000))),
      ("yaw rate infinite", .wheel(WheelSample(time: time, speed: 5, yawRate: .infinity))),
    ]
  }

  /// The ride with one more sample at its place in time.
  private func ride(with extra: SensorSample) -> Ride {
    var ride = ride
    let place = ride.samples.firstIndex { $0.arrival > extra.time } ?? ride.samples.count
    ride.samples.insert(extra, at: place)
    return ride
  }

  @Test func whatIsNoNumberIsRefusedAndChangesNothing() throws {
    let expected = try #require(ride.played().solution(at: end))
    for (name, sample) in refused {
      var verdicts: [MeasurementVerdict] = []
      var engine = FusionEngine()
      for each in ride(with: sample).samples {
        engine.process(each)
        verdicts += engine.allVerdicts().filter { $0.time == sample.time }
      }
      #expect(verdicts.map(\.outcome) == [.nonFinite], "\(name)")
      #expect(engine.solution(at: end) == expected, "\(name)")
    }
  }

  @Test func inertialSamplesThatAreNoNumbersChangeNothing() throws {
    let expected = try #require(ride.played().solution(at: end))
    let time = Timestamp(seconds: 25.003)
    for (rate, force) in [
      (Vector3(.nan, 0, 0), Vector3(0, 0, -9.8)), (.zero, Vector3(0, .infinity, 0)),
      (Vector3(1e4, 0, 0), Vector3(0, 0, -9.8)), (.zero, Vector3(0, 0, -1e9)),
    ] {
      let bad = ride(with: .inertial(InertialSample(time: time, angularRate: rate, specificForce: force)))
      #expect(bad.played().solution(at: end) == expected)
    }
  }

  /// What passes for numbers but makes no sense may cost accuracy, never soundness.
  @Test func absurdNumbersLeaveTheSolutionSound() throws {
    let absurd: [(String, SensorSample)] = [
      ("down infinite", fix { $0.velocityNED = Vector3(1, 1, .infinity) }),
      ("sigma zero", fix { $0.positionSigma = .zero }),
      ("sigma tiny", fix { $0.positionSigma = Vector3(repeating: 1e-200) }),
      ("sigma 1e6", fix { $0.positionSigma = Vector3(repeating: 1e6) }),
      (
        "other side of the Earth",
        fix {
          $0.position.longitude -= 3; $0.position.latitude *= -1
        }
      ),
      ("9000 km high", fix { $0.position.height = 9e6 }),
      (
        "rate of a drill",
        .inertial(
          InertialSample(
            time: Timestamp(seconds: 25.003), angularRate: Vector3(90, 0, 0),
            specificForce: Vector3(900, 0, 0)))
      ),
    ]
    for (name, sample) in absurd {
      let engine = ride(with: sample).played()
      let solution = try #require(engine.solution(at: end))
      let gnssPositionBias = try #require(engine.calibration?.gnssPositionBias.sigma)
      #expect(solution.isSound, "\(name)")
      // A filter that has gone deaf to fixes would have lost their error.
      #expect(gnssPositionBias.norm > 0.1 && gnssPositionBias.norm < 10, "\(name): \(gnssPositionBias)")
      #expect(solution.horizontalAccuracy < 10, "\(name): \(solution.horizontalAccuracy) m")
      #expect(ride.positionError(solution) < 15, "\(name): \(ride.positionError(solution)) m")
    }
  }

  @Test func anAbsurdFirstFixLeavesTheSolutionSound() throws {
    for sigma in [0, 1e6] {
      var first = GNSSFix(
        time: Timestamp(seconds: 0.001), position: ride.truth(at: Timestamp(nanoseconds: 0)).position,
        positionSigma: Vector3(repeating: sigma))
      first.velocityNED = .zero
      first.speedSigma = sigma
      var changed = ride
      changed.samples.insert(.gnss(first), at: 0)
      let engine = changed.played()
      let solution = try #require(engine.solution(at: end))
      let gnssPositionBias = try #require(engine.calibration?.gnssPositionBias.sigma)
      #expect(solution.isSound, "sigma \(sigma)")
      #expect(
        gnssPositionBias.norm > 0.1 && gnssPositionBias.norm < 10, "sigma \(sigma): \(gnssPositionBias)")
      #expect(solution.horizontalAccuracy < 10, "sigma \(sigma): \(solution.horizontalAccuracy) m")
      #expect(ride.positionError(solution) < 15, "sigma \(sigma): \(ride.positionError(solution)) m")
    }
  }

  @Test func aFirstFixThatIsRefusedDoesNoHarm() throws {
    let expected = try #require(ride.played().solution(at: end))
    for (name, sample) in refused {
      guard case .gnss(var first) = sample else { continue }
      first.time = Timestamp(seconds: 0.001)
      var changed = ride
      changed.samples.insert(.gnss(first), at: 0)
      #expect(changed.played().solution(at: end) == expected, "\(name)")
    }
  }

  @Test func inertialSamplesAloneGiveNoPosition() {
    let alone = ride.changed { if case .inertial = $0 { $0 } else { nil } }
    #expect(alone.played().solution(at: end) == nil)
    #expect(alone.played().calibration == nil)
  }

  @Test func wheelsAloneGiveNoPosition() {
    var engine = FusionEngine()
    for i in 0..<500 {
      engine.process(.wheel(WheelSample(time: Timestamp(seconds: Double(i) / 10), speed: 5, yawRate: 0.1)))
    }
    #expect(engine.solution(at: Timestamp(seconds: 50)) == nil)
  }

  @Test func fixesAloneGiveAPosition() throws {
    let alone = ride.changed { if case .gnss = $0 { $0 } else { nil } }
    let engine = alone.played { engine, sample in
      guard let solution = engine.solution(at: sample.time) else { return }
      #expect(solution.isSound && solution.mode == .aligning)
    }
    let solution = try #require(engine.solution(at: end))
    #expect(ride.positionError(solution) < 12)
    #expect(abs(solution.speed - ride.truth(at: end).velocityNED.horizontalNorm) < 2)
  }

  @Test func fixesWithoutHeightOrVerticalVelocityWillDo() throws {
    let flat = ride.withFixes { fix in
      var fix = fix
      fix.position.height = .nan
      fix.velocityNED?.z = .nan
      return fix
    }
    let solution = try #require(flat.played().solution(at: end))
    #expect(solution.isSound && solution.isAligned)
    #expect(ride.positionError(solution) < 10 && ride.headingError(solution) < 3)
  }

  @Test func fixesWithoutVelocityOrAccuracyWillDo() throws {
    let bare = ride.withFixes { GNSSFix(time: $0.time, position: $0.position) }
    let solution = try #require(bare.played().solution(at: end))
    #expect(solution.isSound)
    #expect(ride.positionError(solution) < 12)
  }

  @Test func aFixLongBeforeTheFirstInertialSampleWillDo() throws {
    let time = Timestamp(seconds: -18)
    let early = GNSSFix(
      time: time, position: ride.truth(at: Timestamp(nanoseconds: 0)).position, velocityNED: .zero)
    var changed = ride
    changed.samples.insert(.gnss(early), at: 0)
    let solution = try #require(changed.played().solution(at: end))
    #expect(solution.isSound && solution.isAligned)
    #expect(ride.positionError(solution) < 10 && ride.headingError(solution) < 3)
  }
}
