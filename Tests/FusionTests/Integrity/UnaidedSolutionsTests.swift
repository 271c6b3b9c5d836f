import CLibrary
import Fusion
import Simulation
import Testing

/// What the navigator would be had it believed no fix for a while.
@Suite struct UnaidedSolutionsTests {
  private static let ride = Ride(.town, seed: 5)

  /// The ride with fixes that drift away from some time on, with the velocity that goes with it, and
  /// are right again at once.
  private func drifting(_ metres: Double, for seconds: Double, from start: Double = 90) -> Ride {
    Self.ride.withFixes {
      var fix = $0
      let since = fix.time.seconds - start
      guard (0..<seconds).contains(since) else { return fix }
      let rate = Vector3(0.6, -0.8, 0) * (metres / seconds)
      fix.position = fix.position.moved(byNED: rate * since)
      fix.velocityNED = fix.velocityNED.map { $0 + rate }
      return fix
    }
  }

  private static let drifts = [(40.0, 15.0), (70.0, 15.0), (100.0, 15.0), (60.0, 28.0), (100.0, 28.0)]

  @Test(arguments: drifts) func afterADriftFixesThatComeBackAreBelieved(metres: Double, seconds: Double) {
    var after = 0.0
    let outcome = GuardedRide.outcome(drifting(metres, for: seconds)) { solution, error in
      // Four seconds of right fixes.
      if solution.time.seconds > 94 + seconds { after = max(after, error) }
    }
    #expect(outcome.impossible == 0 && outcome.lost < 0.5, "\(outcome)")
    #expect(after < 15, "\(after) m")
  }

  /// One has begun so shortly before the drift that it still knows where it is: with one every 25 s, as there
  /// were once, none has.
  @Test func oneIsYoungEnough() {
    let outcome = GuardedRide.outcome(drifting(45, for: 25, from: 144))
    #expect(outcome.lost < 0.5, "\(outcome)")
  }

  /// Without them a drift of some kind is not come back from at once: the test above can fail.
  @Test func withoutThemTheNavigatorStaysAstray() {
    var configuration = FusionConfiguration()
    configuration.disabled = FusionModelSet([.unaidedSolutions])
    var lost = 0.0
    for (metres, seconds) in Self.drifts {
      lost += GuardedRide.outcome(drifting(metres, for: seconds), configuration: configuration).lost
    }
    #expect(lost > 5, "\(lost) s")
  }

  /// A drive on which nothing is wrong is the same to the bit.
  @Test func theyChangeNothingWhereNothingIsWrong() throws {
    var configuration = FusionConfiguration()
    configuration.disabled = FusionModelSet([.unaidedSolutions])
    var with = FusionEngine()
    var without = FusionEngine(configuration: configuration)
    for sample in Self.ride.samples {
      with.process(sample)
      without.process(sample)
    }
    let end = try #require(Self.ride.samples.last).time
    let (a, b) = (try #require(with.solution(at: end)), try #require(without.solution(at: end)))
    #expect(a.position.latitude == b.position.latitude && a.position.longitude == b.position.longitude)
    #expect(a.velocityNED == b.velocityNED)
  }

  /// An accelerometer that is off for a while throws all unaided solutions off. The receiver's velocity shows
  /// that it is they, and the 95 % radius does not reach where they went.
  @Test func oneThatRunsAwayIsNoPlace() {
    let shaken = Self.ride.changed { sample in
      guard case .inertial(var s) = sample, (90..<110).contains(s.time.seconds) else { return sample }
      s.specificForce += Vector3(0.8, 0.4, 0)
      return .inertial(s)
    }
    var largest = 0.0
    let outcome = GuardedRide.outcome(shaken) { solution, _ in
      if solution.time.seconds > 100 { largest = max(largest, solution.horizontalAccuracy95) }
    }
    #expect(outcome.lost == 0 && outcome.impossible == 0)
    #expect(largest < 200, "\(largest) m")
  }

  /// An IMU that takes what is unaided far astray again and again says nothing against good fixes: after a
  /// while the 95 % radius no longer reaches there.
  @Test func whatIsCommonOnACarIsNoAnomaly() {
    let wandering = Self.ride.changed { sample in
      guard case .inertial(var s) = sample else { return sample }
      let phase = s.time.seconds * 2 * .pi / 45
      s.specificForce += Vector3(0.5 * sin(phase), 0.4 * cos(phase), 0)
      return .inertial(s)
    }
    var large = 0.0, all = 0.0
    let outcome = GuardedRide.outcome(wandering) { solution, _ in
      guard solution.time.seconds > 150 else { return }
      all += 1
      if solution.horizontalAccuracy95 > 20 * solution.horizontalAccuracy { large += 1 }
    }
    #expect(outcome.lost == 0 && outcome.impossible == 0)
    #expect(large / all < 0.05, "\(large / all)")
  }
}
