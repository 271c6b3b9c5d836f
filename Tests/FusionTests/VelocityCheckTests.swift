import CLibrary
import Fusion
import Simulation
import Testing

/// Receivers whose velocity is none, in a ride of town streets.
@Suite struct VelocityCheckTests {
  private static let ride: Ride = {
    var scenario = Scenario.town
    scenario.road += scenario.road
    return Ride(scenario, seed: 1003)
  }()

  /// Largest error in metres from a minute after the first velocity was found to be none, and when that was.
  private func outcome(_ change: @escaping (Vector3) -> Vector3) -> (worst: Double, found: Double?) {
    let ride = Self.ride.changed { sample in
      guard case .gnss(var fix) = sample else { return sample }
      fix.velocityNED = fix.velocityNED.map(change)
      return .gnss(fix)
    }
    var engine = FusionEngine()
    var worst = 0.0
    var found: Double?
    for sample in ride.samples {
      engine.process(sample)
      while let verdict = engine.nextVerdict() {
        guard verdict.kind == .gnssVelocity, verdict.outcome == .contradicted else { continue }
        found = found ?? verdict.time.seconds
      }
      if case .gnss = sample, let found, sample.time.seconds > found + 60,
        let solution = engine.solution(at: sample.time)
      {
        worst = max(worst, ride.positionError(solution))
      }
    }
    return (worst, found)
  }

  @Test func aVelocityThatIsOneIsBelieved() { #expect(outcome { $0 }.found == nil) }

  /// Believed, they lead hundreds of metres off.
  @Test(arguments: ["zero", "knots", "km/h", "east before north"])
  func aVelocityThatIsNoneIsLeftOut(_ fault: String) throws {
    let (worst, found) = outcome { v in
      switch fault {
      case "zero": .zero
      case "knots": v * 1.944
      case "km/h": v * 3.6
      default: Vector3(v.y, v.x, v.z)
      }
    }
    #expect(try #require(found) < Self.ride.duration / 2 + 60)
    // What a standstill that was none has spoilt takes some minutes to mend.
    #expect(worst < (fault == "zero" ? 250 : 90), "\(worst) m off")
  }

  /// Some steps tell: neither is the IMU blamed nor the place lost.
  @Test(arguments: ["km/h", "east before north", "course in radians"])
  func theIMUIsNotBlamedForAVelocityThatIsNone(_ fault: String) throws {
    let ride = Self.ride.withFixes { fix in
      var fix = fix
      fix.velocityNED = fix.velocityNED.map { v in
        switch fault {
        case "km/h": return v * 3.6
        case "east before north": return Vector3(v.y, v.x, v.z)
        default:
          let course = Angle.wrapped(atan2(v.y, v.x) - .pi) + .pi
          let said = course * .pi / 180
          return Vector3(v.horizontalNorm * cos(said), v.horizontalNorm * sin(said), v.z)
        }
      }
      return fix
    }
    var found: Double?
    var blamedFor = 0.0, worst = 0.0
    _ = ride.played { engine, sample in
      guard case .gnss(let fix) = sample, let solution = engine.solution(at: fix.time) else { return }
      var engine = engine
      if engine.allVerdicts().contains(where: { $0.kind == .gnssVelocity && $0.outcome == .contradicted }) {
        found = found ?? fix.time.seconds
      }
      if !engine.isInertialTrusted { blamedFor += 1 }
      if let found, fix.time.seconds > found + 5 { worst = max(worst, ride.positionError(solution)) }
    }
    #expect(try #require(found) < (fault == "km/h" ? 22 : 60))
    #expect(blamedFor == 0, "\(blamedFor) fixes")
    #expect(worst < 40, "\(worst) m off")
  }

  /// Multipath, drifts and a velocity that is late by more than a second are no other unit or direction.
  @Test func fixesThatLeapAndDriftConvictNoVelocity() {
    var velocities: [Vector3?] = []
    let late = Self.ride.withFixes { fix in
      var fix = fix
      velocities.append(fix.velocityNED)
      let lag = Int(1.2 * Self.ride.scenario.receiver.rate + 0.5)
      fix.velocityNED = velocities[max(0, velocities.count - 1 - lag)]
      let phase = fix.time.seconds.truncatingRemainder(dividingBy: 60)
      if phase < 20 {
        fix.position = fix.position.moved(byNED: Vector3(3, -4, 0) * phase)
      } else if phase > 50 {
        fix.position = fix.position.moved(byNED: Vector3(40, -30, 0))
      }
      return fix
    }
    var engine = FusionEngine()
    for sample in late.samples {
      engine.process(sample)
      for verdict in engine.allVerdicts() where verdict.kind == .gnssVelocity {
        #expect(verdict.outcome != .contradicted, "at \(verdict.time.seconds) s")
      }
    }
  }
}
