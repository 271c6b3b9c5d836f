import Fusion
import LinearAlgebra
import Navigation
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
        #expect(found[reach][time] == nil, "stretches do not overlap")
        found[reach][time] = track.solution(at: now)
      }
    }
    for sample in samples { smoother.process(sample, smoothed: take) }
    smoother.finish(smoothed: take)
    return found
  }

  private func live(at times: [Double]) -> [Double: NavigationSolution] {
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

  @Test func hindsightHelpsWhereThereAreNoFixes() throws {
    let times = (0..<90).map { 2.05 + Double($0) * 0.5 }
    let found = smoothed(ride.samples, FusionSmoother(reaches: [.lag(seconds: 10), .full]), at: times)
    let causal = live(at: times)
    func worst(_ solutions: [Double: NavigationSolution], _ range: ClosedRange<Double>) -> Double {
      solutions.filter { range.contains($0.key) }.map { ride.positionError($0.value) }.max() ?? .infinity
    }
    for (reach, solutions) in found.prefix(2).enumerated() {
      #expect(solutions.count == times.count)
      for solution in solutions.values { #expect(solution.isSound, "\(reach)") }
    }
    // Half a minute of the full smoother's knowledge reaches over the gap from both sides.
    #expect(worst(found[1], 25...40) < 0.7 * worst(causal, 25...40))
    // A lag of 10 s sees the fixes after the gap from 30 s on.
    #expect(worst(found[0], 31...40) < 0.9 * worst(causal, 31...40))
    // No circle is larger for knowing more, but for what the receiver is learned to be like.
    for time in times where 30...39 ~= time {
      let (lag, full) = (try #require(found[0][time]), try #require(found[1][time]))
      let now = try #require(causal[time])
      #expect(full.horizontalAccuracy <= lag.horizontalAccuracy * 1.001)
      #expect(lag.horizontalAccuracy <= now.horizontalAccuracy * 1.05)
    }
  }

  /// The heading is known from the first stretch on that was smoothed from after the start, mounting and all.
  @Test func headingReachesBackToWhereItWasNotKnown() throws {
    let times = [2.05, 4.05, 6.05]
    let found = smoothed(ride.samples, FusionSmoother(reaches: [.full]), at: times)[0]
    let causal = live(at: times)
    for time in times {
      let solution = try #require(found[time])
      #expect(solution.isAligned)
      #expect(ride.headingError(solution) < 3)
      #expect(try #require(causal[time]).isAligned == false)
    }
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
        case .wheel: return nil
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
      #expect(learned.fixError.value == engine.fixError.value)
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
    // 20 s of looking ahead are worth all but a part of the fixes' lasting error, which is under a metre here.
    #expect(largest < 0.3)
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
