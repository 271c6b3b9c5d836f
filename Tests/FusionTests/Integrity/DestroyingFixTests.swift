import Fusion
import Simulation
import Testing

/// One wrong fix, first of all or first after a gap, once made an engine without velocity of the fixes grow
/// to no numbers.
@Suite struct DestroyingFixTests {
  private let origin = GeodeticPosition(latitudeDegrees: 52.5, longitudeDegrees: 13, height: 80)

  /// A parked car's receiver at 4 Hz, 1.5 m of noise, no velocity; `wrong` tells how far off a fix is, m.
  private func parked(
    seconds: Double, hasIMU: Bool, seed: UInt64, wrong: (Double) -> Double?
  ) -> [SensorSample] {
    var random = RandomSource(seed: seed, stream: "parked")
    var samples: [SensorSample] = []
    for i in 0..<Int(seconds * 100) {
      let time = Timestamp(seconds: Double(i) / 100)
      if hasIMU {
        samples.append(
          .inertial(
            InertialSample(
              time: time, angularRate: Vector3(0.01, -0.02, 0.015) + Vector3(normal: &random) * 0.002,
              specificForce: Vector3(0.4, -0.3, -9.79) + Vector3(normal: &random) * 0.03)))
      }
      guard i % 25 == 0, let off = wrong(time.seconds) else { continue }
      let error = Vector3(normal: &random) * 1.5 + Vector3(0.6 * off, 0.8 * off, 0)
      samples.append(
        .gnss(
          GNSSFix(
            time: time, position: origin.moved(byNED: error), positionSigma: Vector3(1.5, 1.5, 2.5))))
    }
    return samples
  }

  /// Plays samples, and looks at every solution; returns the distances from the place at fixes, and the
  /// impossible ones.
  private func play(_ samples: [SensorSample]) -> (
    distances: [(time: Double, metres: Double)], impossible: Int
  ) {
    var engine = FusionEngine()
    var distances: [(time: Double, metres: Double)] = []
    var impossible = 0
    for sample in samples {
      engine.process(sample)
      for ahead in [0, 0.5] {
        guard let solution = engine.solution(at: sample.time.advanced(bySeconds: ahead)) else { continue }
        if !solution.isSound || solution.velocityNED.norm >= 120 { impossible += 1 }
        guard case .gnss = sample, ahead == 0 else { continue }
        distances.append((sample.time.seconds, solution.position.ned(from: origin).horizontalNorm))
      }
    }
    return (distances, impossible)
  }

  @Test(arguments: [200.0, 500, 5000], [true, false])
  func parkedOneFixAsideAfterAGapIsLeftByTheThirdGoodOne(metres: Double, hasIMU: Bool) {
    for seed in 1...5 as ClosedRange<UInt64> {
      let samples = parked(seconds: 120, hasIMU: hasIMU, seed: seed) { time in
        (40..<55).contains(time) ? nil : (55..<55.2).contains(time) ? metres : 0
      }
      let (distances, impossible) = play(samples)
      #expect(impossible == 0)
      let late = distances.filter { $0.time > 55.7 }.map(\.metres).max() ?? .infinity
      #expect(late < 30, "seed \(seed): \(late) m")
      let last = distances.filter { $0.time > 70 }.map(\.metres).max() ?? .infinity
      #expect(last < 20, "seed \(seed): \(last) m")
    }
  }

  @Test(arguments: [200.0, 5000, 2e6], [true, false])
  func aWrongFirstFixIsLeftByTheThirdGoodOne(metres: Double, hasIMU: Bool) {
    for seed in 1...5 as ClosedRange<UInt64> {
      let samples = parked(seconds: 60, hasIMU: hasIMU, seed: seed) { $0 < 0.1 ? metres : 0 }
      let (distances, impossible) = play(samples)
      #expect(impossible == 0)
      let late = distances.filter { $0.time > 0.7 }.map(\.metres).max() ?? .infinity
      #expect(late < 30, "seed \(seed): \(late) m")
    }
  }

  /// The same on the road.
  @Test(arguments: [30.0, 60, 100, 130], [true, false])
  func drivingOneFixAsideAfterAGapIsLeftByTheThirdGoodOne(gap: Double, hasIMU: Bool) {
    let town = Ride(.town).withoutVelocity
    let ride = (hasIMU ? town : town.changed { if case .gnss = $0 { $0 } else { nil } })
      .withoutFixes(from: gap, to: gap + 10).wrong(from: gap + 10, to: gap + 10.1, by: Vector3(0, 200, 0))
    var late = 0.0
    // At 5 Hz: the third good one is 0.6 s after the wrong one, and arrives 0.15 s later.
    let outcome = GuardedRide.outcome(ride, from: 5) { solution, error in
      if solution.time.seconds > gap + 10.9 { late = max(late, error) }
    }
    #expect(outcome.impossible == 0)
    #expect(late < 30 + 15, "\(late) m")
  }

  /// Garbage in every field that can be one: positions all over the Earth, now and then.
  @Test func fixesAllOverTheEarthLeaveNumbersThatACarCanHave() {
    let town = Ride(.town)
    for hasVelocity in [true, false] {
      var random = RandomSource(seed: 9, stream: "garbage")
      let ride = (hasVelocity ? town : town.withoutVelocity).withFixes { fix in
        guard random.uniform(in: 0...1) < 0.2 else { return fix }
        var fix = fix
        fix.position.latitude = random.uniform(in: -1.57...1.57)
        fix.position.longitude = random.uniform(in: -3.14...3.14)
        fix.position.height = random.uniform(in: -1e4...1e6)
        return fix
      }
      #expect(GuardedRide.outcome(ride).impossible == 0)
    }
  }
}
