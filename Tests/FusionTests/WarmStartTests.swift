import Fusion
import Simulation
import Testing

/// Starting from what an earlier drive knew, where nothing was moved.
@Suite struct WarmStartTests {
  private let drives = TwoDrives.shared
  private var second: Ride { drives.second }

  @Test func nothingIsSavedBeforeHeadingAndMountingAreKnown() throws {
    var isKnown = false
    var wasSavedEarly = false
    let engine = drives.ride.played { engine, _ in
      if engine.savedState != nil, engine.calibration?.vehicleFromBody == nil { wasSavedEarly = true }
      isKnown = isKnown || engine.savedState != nil
    }
    #expect(isKnown && !wasSavedEarly)
    let saved = try #require(engine.savedState)
    #expect(saved.fault == nil)
  }

  @Test func aCarThatWasLeftAloneIsReadyWithinFiveSeconds() throws {
    let saved = drives.saved
    #expect(saved.isStandingStill)
    var readyAt: Double?
    let engine = second.played(from: saved) { engine, sample in
      guard readyAt == nil, let now = engine.solution(at: sample.time), now.isAligned else { return }
      readyAt = sample.time.seconds
      // Three standard deviations; the position's radius is one of 95 %, doubled.
      #expect(second.headingError(now) < 3 * Angle.degrees(radians: now.headingAccuracy))
      #expect(second.positionError(now) < 2 * now.horizontalAccuracy95)
      #expect(engine.calibration?.vehicleFromBody != nil)
    }
    #expect(try #require(readyAt) - drives.pause.seconds < 5)
    let report = try #require(engine.warmStart)
    #expect(report.stage == .confirmed && report.contradiction == nil)
    #expect(report.usesMounting && report.usesBiases)
    #expect(engine.recoveries == 0)
  }

  /// Four minutes by a receiver whose velocity wanders, as that of one that stands does:
  /// nothing of it tells a heading.
  @Test func aCarThatStandsOnKeepsItsHeading() throws {
    let stand = second.samples.filter { $0.arrival.seconds < drives.pause.seconds + 6 }
    var engine = FusionEngine(savedState: drives.saved)
    for round in 0..<40 {
      for sample in stand {
        engine.process(sample.wandering(bySeconds: Double(round) * 6))
      }
    }
    let report = try #require(engine.warmStart)
    #expect(report.contradiction == nil && report.stage != .watching && report.stage != .cold, "\(report)")
    let now = try #require(engine.solution(at: drives.pause.advanced(bySeconds: 239)))
    let turned = Angle.wrapped(now.heading - drives.ride.truth(at: drives.pause).navFromVehicle.yaw)
    #expect(now.isAligned && abs(turned) < 0.05, "\(turned) rad")
  }

  /// A garage: no fix until long after the car has left.
  @Test func itDrivesOffWithoutFixes() throws {
    let dark = second.withFixes { _ in nil }
    #expect(dark.played(from: nil).solution(at: drives.end) == nil)
    var last = 0.0
    _ = dark.played(from: drives.saved) { engine, sample in
      guard let now = engine.solution(at: sample.time) else { return }
      last = now.horizontalAccuracy
      #expect(now.isSound)
      let seconds = sample.time.seconds - drives.pause.seconds
      // Parked: as good as what was saved, and a metre for the pause.
      if seconds > 2, seconds < 7 {
        #expect(now.mode == .stationary && now.horizontalAccuracy < 6)
        #expect(now.speed < 0.1)
      }
      // Twenty seconds on the way, twice the radius that should hold 95 %.
      if seconds > 9, seconds < 28 {
        #expect(now.mode == .deadReckoning || now.mode == .stationary)
        #expect(dark.positionError(now) < 2 * now.horizontalAccuracy95, "after \(seconds) s")
      }
    }
    #expect(last > 6, "the radius has to grow, it is \(last) m")
  }

  @Test func sameSamplesGiveTheSameBitsInAnyOrderOfArrival() throws {
    var random = RandomSource(seed: 5, stream: "delay")
    let expected = try #require(second.delayed { _ in 0 }.played(from: drives.saved).solution(at: drives.end))
    let late = second.delayed { if case .inertial = $0 { 0 } else { random.uniform(in: 0...1) } }
    #expect(late.samples != second.samples)
    #expect(late.played(from: drives.saved).solution(at: drives.end) == expected)
  }

  @Test func itIsNoWorseThanAColdStartAfterwards() throws {
    let cold = try #require(second.played(from: nil).solution(at: drives.end))
    let warm = try #require(second.played(from: drives.saved).solution(at: drives.end))
    // Both end on the same fixes: half a metre for what the receiver's error was taken for on the way.
    #expect(second.positionError(warm) < second.positionError(cold) + 0.5)
    #expect(second.headingError(warm) < second.headingError(cold) + 1)
  }

  @Test func aCrashOnTheWayIsSurvived() throws {
    // Eight seconds of rest and ten of driving.
    let crash = drives.pause.advanced(bySeconds: drives.rest + 10)
    var engine = FusionEngine(savedState: drives.saved)
    for sample in drives.ride.samples where sample.arrival < crash { engine.process(sample) }
    var saved = try #require(engine.savedState)
    #expect(!saved.isStandingStill && saved.velocityNED.horizontalNorm > 5)
    var rest = drives.ride
    rest.samples = rest.samples.filter { $0.time >= crash.advanced(bySeconds: 2) }

    // Two seconds later it goes on as it went, before any fix.
    saved.age = 2
    let dark = rest.withFixes { _ in nil }
    var engineGoingOn = FusionEngine(savedState: saved)
    for sample in dark.samples.prefix(100) { engineGoingOn.process(sample) }
    let now = try #require(engineGoingOn.solution(at: dark.samples[99].time))
    #expect(now.isAligned && rest.positionError(now) < 2 * now.horizontalAccuracy95)
    #expect(rest.headingError(now) < 3 * Angle.degrees(radians: now.headingAccuracy))

    // Nobody knows how long ago: the place is worth nothing, the mounting gives the
    // heading with the first motion.
    saved.age = nil
    #expect(FusionEngine(savedState: saved).solution(at: crash) == nil)
    let from = rest.headingRightFrom(saved: saved) - crash.seconds
    #expect(from < 7, "\(from) s: two of pause, up to one to the first fix")
    #expect(from < rest.headingRightFrom(saved: nil) - crash.seconds)
  }

  @Test func biasesAreBelievedLessAfterALongPause() throws {
    func sigma(age: Double?) throws -> Double {
      var saved = drives.saved
      saved.age = age
      var engine = FusionEngine(savedState: saved)
      for sample in second.samples where sample.time < drives.pause.advanced(bySeconds: 2) {
        engine.process(sample)
      }
      return try #require(engine.calibration).accelBias.sigma.norm
    }
    let (now, later, unknown) = (try sigma(age: 1), try sigma(age: 1800), try sigma(age: nil))
    #expect(now < later && later < unknown)
  }
}

extension SensorSample {
  /// The same so much later; a fix with 5 cm/s of a velocity that turns round in 40 s.
  fileprivate func wandering(bySeconds seconds: Double) -> SensorSample {
    switch self {
    case .inertial(var sample):
      sample.time = sample.time.advanced(bySeconds: seconds)
      return .inertial(sample)
    case .wheel(var sample):
      sample.time = sample.time.advanced(bySeconds: seconds)
      return .wheel(sample)
    case .pressure(var sample):
      sample.time = sample.time.advanced(bySeconds: seconds)
      return .pressure(sample)
    case .gnss(var fix):
      fix.time = fix.time.advanced(bySeconds: seconds)
      fix.received = fix.received?.advanced(bySeconds: seconds)
      let turn = Quaternion(rotationVector: Vector3(0, 0, fix.time.seconds * 2 * .pi / 40))
      fix.velocityNED = fix.velocityNED.map { $0 + turn * Vector3(0.05, 0, 0) }
      return .gnss(fix)
    }
  }
}
