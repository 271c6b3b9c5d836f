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
}
