import Fusion
import Simulation
import Testing

/// Fixes of a receiver that states no velocity drift, and are right again at once. A navigator that has stood
/// its test goes on by rate and force, and is not given up for what moves away from it.
@Suite struct DriftingFixesTests {
  private static let ride: Ride = {
    var scenario = Scenario.town
    scenario.road += scenario.road
    return Ride(scenario, seed: 17).withFixes {
      var fix = $0
      fix.velocityNED = nil
      return fix
    }
  }()

  private func drifting(_ velocity: Vector3, from start: Double, for seconds: Double) -> Ride {
    Self.ride.withFixes {
      var fix = $0
      let since = fix.time.seconds - start
      if (0..<seconds).contains(since) { fix.position = fix.position.moved(byNED: velocity * since) }
      return fix
    }
  }

  private func outcome(_ ride: Ride) -> (outcome: GuardedRide.Outcome, isTrusted: Bool) {
    var engine = FusionEngine()
    var isTrusted = true
    for sample in ride.samples {
      engine.process(sample)
      isTrusted = isTrusted && engine.isInertialTrusted
    }
    return (GuardedRide.outcome(ride), isTrusted)
  }

  /// From when on the car stands for longest in the second half, s.
  private func stop() -> (start: Double, length: Double) {
    var (best, start) = ((start: 0.0, length: 0.0), Double?.none)
    for i in 2000..<Int(Self.ride.duration * 10) - 300 {
      let t = Double(i) / 10
      let stands = Self.ride.truth(at: Timestamp(seconds: t)).velocityNED.norm < 0.01
      if stands { start = start ?? t } else { start = nil }
      if let start, t - start > best.length { best = (start, t - start) }
    }
    return best
  }

  @Test(arguments: [2.5, 4, 6]) func whatDriftsWhileTheCarStandsTakesItNowhere(speed: Double) {
    let (start, length) = stop()
    #expect(length > 15, "\(length) s")
    let (outcome, isTrusted) = outcome(drifting(Vector3(-0.8, 0.6, 0) * speed, from: start + 1, for: length))
    #expect(isTrusted)
    #expect(outcome.lost == 0 && outcome.worst < 40, "\(outcome)")
  }

  /// Nor does it take the car along: the guard follows, but the fixes were seen to leave a place that was
  /// borne out for as long as counts.
  @Test(arguments: [2.5, 4, 6]) func whatDriftsWhileTheCarDrivesBreaksNoIMU(speed: Double) {
    for (start, isHeld) in [(200.0, false), (230, true), (260, true)] {
      let (outcome, isTrusted) = outcome(drifting(Vector3(0.8, 0.6, 0) * speed, from: start, for: 24))
      #expect(isTrusted, "from \(start) s")
      #expect(outcome.lost == 0, "from \(start) s: \(outcome)")
      guard isHeld else { continue }
      #expect(outcome.recoveries == 0 && outcome.worst < 30, "from \(start) s: \(outcome)")
    }
  }
}
