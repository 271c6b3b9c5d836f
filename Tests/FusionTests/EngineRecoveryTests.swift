import Fusion
import Simulation
import Testing

/// Ways in which an engine could be wrong for good.
@Suite struct EngineRecoveryTests {
  /// Three minutes of town streets.
  private static let ride = Ride(.town)
  private var ride: Ride { Self.ride }
  private var end: Timestamp { Timestamp(seconds: ride.duration) }

  @Test func anIMUThatIsTurnedOnTheWayIsFoundOut() throws {
    let turn = Quaternion(rotationVector: Vector3(0, 0, .pi / 2))
    let turned = ride.changed { sample in
      guard case .inertial(var s) = sample, s.time.seconds > 60 else { return sample }
      s.angularRate = turn * s.angularRate
      s.specificForce = turn * s.specificForce
      return .inertial(s)
    }
    let engine = turned.played()
    let solution = try #require(engine.solution(at: end))
    #expect(engine.recoveries >= 1)
    #expect(ride.positionError(solution) < 15)
    #expect(ride.headingError(solution) < 5)
  }

  @Test func aWorldThatIsShiftedIsFollowed() throws {
    for (name, from, metres) in [("first fix", 0.0, 5000.0), ("from 60 s on", 60, 300), ("far", 60, 5000)] {
      let isFirst = from == 0
      let shifted = ride.withFixes { fix in
        var fix = fix
        if isFirst ? fix.time.seconds < 0.5 : fix.time.seconds > from {
          fix.position = fix.position.moved(byNED: Vector3(metres, 0, 0))
        }
        return fix
      }
      let engine = shifted.played()
      var solution = try #require(engine.solution(at: end))
      if !isFirst { solution.position = solution.position.moved(byNED: Vector3(-metres, 0, 0)) }
      #expect(ride.positionError(solution) < 20, "\(name)")
    }
  }

  @Test func theRadiusHoldsBothWhileNobodyKnowsWhoIsRight() {
    let shifted = ride.withFixes { fix in
      var fix = fix
      if fix.time.seconds > 60 { fix.position = fix.position.moved(byNED: Vector3(500, 0, 0)) }
      return fix
    }
    var missed: [Double] = []
    _ = shifted.played { engine, sample in
      guard case .gnss(let fix) = sample, fix.time.seconds > 62, fix.time.seconds < 80,
        let solution = engine.solution(at: sample.time)
      else { return }
      var moved = solution
      moved.position = solution.position.moved(byNED: Vector3(-500, 0, 0))
      if ride.positionError(moved) > solution.horizontalAccuracy95 { missed.append(fix.time.seconds) }
    }
    #expect(missed.isEmpty, "\(missed)")
  }

  @Test func aHeightThatComesLaterIsTaken() throws {
    let expected = try #require(ride.played().solution(at: end))
    let flat = ride.withFixes { fix in
      var fix = fix
      if fix.time.seconds < 5 { fix.position.height = .nan }
      return fix
    }
    var knownEarly = 0
    let engine = flat.played { engine, sample in
      guard sample.time.seconds < 4, let early = engine.solution(at: sample.time) else { return }
      if early.isHeightKnown { knownEarly += 1 }
    }
    #expect(knownEarly == 0)
    let solution = try #require(engine.solution(at: end))
    #expect(abs(solution.position.height - expected.position.height) < 5)
    #expect(solution.verticalAccuracy < 1.5 * expected.verticalAccuracy)
    #expect(solution.position.ned(from: expected.position).horizontalNorm < 2.5)
  }

  @Test func aHeightThatWasWrongIsLeftAndThePlaceStays() throws {
    let expected = try #require(ride.played().solution(at: end))
    let lifted = ride.withFixes { fix in
      var fix = fix
      if fix.time.seconds > 60 { fix.position.height += 300 }
      return fix
    }
    let engine = lifted.played()
    let solution = try #require(engine.solution(at: end))
    #expect(engine.recoveries == 0)
    #expect(abs(solution.position.height - 300 - expected.position.height) < 10)
    #expect(solution.position.ned(from: expected.position).horizontalNorm < 2)
  }

  @Test func nothingHasToRecoverOnAnOrdinaryDrive() {
    #expect(ride.played().recoveries == 0)
  }

  @Test func oneSampleStampedFarAheadIsHeldBack() throws {
    let expected = try #require(ride.played().solution(at: end))
    for extra in [
      SensorSample.inertial(
        InertialSample(
          time: Timestamp(seconds: 1e6), angularRate: .zero, specificForce: Vector3(0, 0, -9.81))),
      .gnss(GNSSFix(time: Timestamp(seconds: 5000), position: ride.truth(at: end).position)),
    ] {
      var changed = ride
      changed.samples.insert(extra, at: ride.samples.count / 2)
      let solution = try #require(changed.played().solution(at: end))
      #expect(solution == expected)
    }
  }

  @Test func aClockThatGoesBackBeginsAnew() throws {
    let stepped = ride.changed { sample in
      guard sample.time.seconds > 40 else { return sample }
      return sample.moved(by: -1000)
    }
    let engine = stepped.played()
    let solution = try #require(engine.solution(at: end.advanced(bySeconds: -1000)))
    #expect(solution.isAligned)
    var there = solution
    there.time = end
    #expect(ride.positionError(there) < 15)
  }

  @Test func aClockThatGoesFarAheadEndsAndGoesOn() throws {
    for leap in [100.0, 1e5, 1.7e9] {
      let stepped = ride.changed { sample in
        sample.time.seconds > 40 ? sample.moved(by: leap) : sample
      }
      var solution = try #require(stepped.played().solution(at: end.advanced(bySeconds: leap)))
      #expect(solution.isAligned && solution.isSound, "\(leap)")
      solution.time = end
      #expect(ride.positionError(solution) < 15, "\(leap)")
    }
  }

  @Test func aReceiverThatConvergesIsBelievedAtItsWord() throws {
    func stating(_ sigma: @escaping (Double) -> Double) -> Ride {
      ride.withFixes { fix in
        var fix = fix
        fix.positionSigma = Vector3(repeating: sigma(fix.time.seconds))
        return fix
      }
    }
    let steady = try #require(stating { _ in 2 }.played().solution(at: end))
    let solution = try #require(stating { $0 < 5 ? 1000 : 2 }.played().solution(at: end))
    #expect(solution.horizontalAccuracy < 1.5 * steady.horizontalAccuracy, "\(steady.horizontalAccuracy) m")
    #expect(ride.positionError(solution) < 10)
  }

  @Test func anIMUThatDiesAtALightDoesNotKeepTheCarThere() throws {
    // The first light of the ride: what stands at 5 s is over by 60 s.
    let dead = ride.changed { sample in
      if case .inertial(let s) = sample, s.time.seconds > 2 { return nil }
      return sample
    }
    let solution = try #require(dead.played().solution(at: end))
    #expect(solution.mode != .stationary)
    #expect(ride.positionError(solution) < 30)
  }
}

extension SensorSample {
  /// The same sample at another time.
  fileprivate func moved(by seconds: Double) -> SensorSample {
    switch self {
    case .inertial(var s):
      s.time = s.time.advanced(bySeconds: seconds)
      return .inertial(s)
    case .wheel(var s):
      s.time = s.time.advanced(bySeconds: seconds)
      return .wheel(s)
    case .pressure(var s):
      s.time = s.time.advanced(bySeconds: seconds)
      return .pressure(s)
    case .gnss(var s):
      s.time = s.time.advanced(bySeconds: seconds)
      s.received = s.received?.advanced(bySeconds: seconds)
      return .gnss(s)
    }
  }
}
