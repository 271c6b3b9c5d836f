import Fusion
import Simulation
import Testing

@Suite struct FusionSmootherTests {
  /// With wheel speeds, and 15 s without a fix in the middle.
  private static let ride: Ride = {
    var scenario = Ride.short
    scenario.wheel = WheelModel()
    return Ride(scenario).withFixes { 25...40 ~= $0.time.seconds ? nil : $0 }
  }()
  private var ride: Ride { Self.ride }

  /// Solutions of every reach at each of `times`.
  private func smoothed(
    _ samples: [SensorSample], _ smoother: FusionSmoother, at times: [Double]
  ) -> [[Double: NavigationSolution]] {
    var smoother = smoother
    var found: [[Double: NavigationSolution]] = [[:], [:], [:]]
    func take(_ reach: Int, _ track: SmoothedTrack) {
      for time in times {
        let now = Timestamp(seconds: time)
        guard track.start <= now, now < track.end else { continue }
        guard let solution = track.solution(at: now) else { continue }
        #expect(found[reach][time] == nil, "stretches do not overlap")
        found[reach][time] = solution
      }
    }
    for sample in samples { smoother.process(sample, smoothed: take) }
    smoother.finish(smoothed: take)
    return found
  }

  private func live(_ ride: Ride, at times: [Double]) -> [Double: NavigationSolution] {
    var engine = FusionEngine()
    var found: [Double: NavigationSolution] = [:]
    var next = 0
    for sample in ride.samples {
      while next < times.count, times[next] < sample.arrival.seconds {
        found[times[next]] = engine.solution(at: Timestamp(seconds: times[next]))
        next += 1
      }
      engine.process(sample)
    }
    return found
  }

  /// Two minutes, with 25 s without a fix once all is learned.
  private static func gapRide(seed: UInt64) -> Ride {
    var scenario = Ride.short
    let block = scenario.road
    scenario.road += block + block
    return Ride(scenario, seed: seed).withFixes { 90...115 ~= $0.time.seconds ? nil : $0 }
  }

  /// Squares of the errors in the gap, but for what all fixes of the drive have in common, which hindsight
  /// does not take away, summed over several drives: one may be lucky.
  @Test func hindsightHelpsWhereThereAreNoFixes() throws {
    let times = (0..<50).map { 90.25 + Double($0) * 0.5 }
    var (causal, lag, full) = (0.0, 0.0, 0.0)
    for seed in 1...4 as ClosedRange<UInt64> {
      let ride = Self.gapRide(seed: seed)
      let found = smoothed(ride.samples, FusionSmoother(reaches: [.lag(seconds: 15), .full]), at: times)
      let now = live(ride, at: times)
      let offsets = found[1].values.map(ride.positionOffset)
      let common = offsets.reduce(.zero, +) / Double(offsets.count)
      for time in times {
        let (a, b, c) = (
          try #require(now[time]), try #require(found[0][time]), try #require(found[1][time])
        )
        #expect(b.isSound && c.isSound)
        // No circle is larger for knowing more; the causal one is of the newest sample, up to 10 ms before.
        #expect(c.horizontalAccuracy <= b.horizontalAccuracy * 1.001)
        #expect(b.horizontalAccuracy <= a.horizontalAccuracy * 1.01)
        func square(_ solution: NavigationSolution) -> Double {
          let error = (ride.positionOffset(solution) - common).horizontalNorm
          return error * error
        }
        causal += square(a)
        lag += square(b)
        full += square(c)
      }
    }
    // The fixes after the gap bound the drift in it from both sides, for the lag in its second half only.
    #expect(full < 0.85 * causal, "\(full) \(causal)")
    #expect(lag < 0.97 * causal, "\(lag) \(causal)")
    #expect(full < lag)
  }

  /// The heading, mounting and all, reaches back to where it was not known yet.
  @Test func headingReachesBackToTheStart() throws {
    let times = [1.05, 3.05, 6.05]
    let found = smoothed(ride.samples, FusionSmoother(reaches: [.full]), at: times)[0]
    let causal = live(ride, at: times)
    for time in times {
      let solution = try #require(found[time])
      #expect(solution.isAligned)
      #expect(ride.headingError(solution) < 3)
    }
    #expect(try #require(causal[1.05]).isAligned == false)
  }

  /// Whatever arrives more than the lag after a time changes no bit of the solution at that time.
  @Test(arguments: [12.03, 20.5, 27.0, 38.21])
  func fixedLagKnowsNothingThatArrivesLater(time: Double) throws {
    let lag = 5.0
    let smoother = FusionSmoother(reaches: [.lag(seconds: lag)])
    func poisoned(from start: Double) -> [SensorSample] {
      ride.samples.compactMap { sample in
        guard sample.arrival > Timestamp(seconds: start) else { return sample }
        switch sample {
        case .inertial(var s):
          s.specificForce += Vector3(3, -2, 1)
          s.angularRate += Vector3(0.2, 0.3, -0.4)
          return .inertial(s)
        case .gnss(var fix):
          fix.position = fix.position.moved(byNED: Vector3(80, -50, 20))
          return .gnss(fix)
        case .wheel, .pressure: return nil
        }
      }
    }
    let expected = try #require(smoothed(ride.samples, smoother, at: [time])[0][time])
    let later = try #require(smoothed(poisoned(from: time + lag), smoother, at: [time])[0][time])
    #expect(later == expected)
    // Control: it does know what arrives a second and more before that.
    let earlier = try #require(
      smoothed(poisoned(from: time + lag - 1.3), smoother, at: [time])[0][time])
    #expect(earlier != expected)
  }

  /// It takes the very steps of the live engine, whatever the order of arrival.
  @Test func whatIsLearnedIsWhatTheEngineLearns() throws {
    var random = RandomSource(seed: 4, stream: "delay")
    let late = ride.delayed { if case .inertial = $0 { 0 } else { random.uniform(in: 0...0.8) } }
    let engine = try #require(ride.played().calibration)
    for samples in [ride.samples, late.samples] {
      var smoother = FusionSmoother(reaches: [.full])
      for sample in samples { smoother.process(sample) { _, _ in } }
      smoother.finish { _, _ in }
      let learned = try #require(smoother.calibration)
      #expect(learned.gyroBias.value == engine.gyroBias.value)
      #expect(learned.accelBias.sigma == engine.accelBias.sigma)
      #expect(learned.gnssPositionBias.value == engine.gnssPositionBias.value)
      #expect(learned.vehicleFromBody == engine.vehicleFromBody)
      #expect(learned.velocityScale == engine.velocityScale)
    }
  }

  /// A long drive is swept in stretches that reach well over their ends: where they meet nothing shows.
  @Test func stretchesOfALongDriveAgreeWithTheWhole() throws {
    let times = (0..<45).map { 2.05 + Double($0) }
    let found = smoothed(
      ride.samples,
      FusionSmoother(plans: [.init(length: 1000, ahead: 1000), .init(length: 12, ahead: 32)]), at: times)
    var largest = 0.0
    for time in times {
      let (whole, pieces) = (try #require(found[0][time]), try #require(found[1][time]))
      largest = max(largest, pieces.position.ned(from: whole.position).horizontalNorm)
    }
    // What 20 s of looking ahead leave open is a part of the fixes' lasting error, whose
    // standard deviation is 2.2 m.
    #expect(largest < 0.7)
    #expect(largest > 0, "the second was swept in pieces")
  }

  /// After a clock that went back the stretches go on in its time.
  @Test func clockThatGoesBackBeginsAnew() throws {
    let back = ride.changed { sample in
      let shift = -1000.0
      switch sample {
      case .inertial(var s):
        s.time = s.time.advanced(bySeconds: shift)
        return .inertial(s)
      case .gnss(var fix):
        fix.time = fix.time.advanced(bySeconds: shift)
        fix.received = fix.received?.advanced(bySeconds: shift)
        return .gnss(fix)
      case .wheel(var s):
        s.time = s.time.advanced(bySeconds: shift)
        return .wheel(s)
      case .pressure(var s):
        s.time = s.time.advanced(bySeconds: shift)
        return .pressure(s)
      }
    }
    let found = smoothed(
      ride.samples + back.samples, FusionSmoother(reaches: [.lag(seconds: 5), .full]),
      at: [20, -980, -960])
    for reach in 0..<2 {
      #expect(ride.positionError(try #require(found[reach][20])) < 5)
      for time in [-980.0, -960] {
        var solution = try #require(found[reach][time])
        solution.time = solution.time.advanced(bySeconds: 1000)
        #expect(ride.positionError(solution) < 5)
      }
    }
  }
}
