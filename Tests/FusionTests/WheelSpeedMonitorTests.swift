import CLibrary
import Fusion
import Simulation
import Testing

@Suite struct WheelSpeedMonitorTests {
  private func sample(_ time: Double, _ speed: Double) -> WheelSample {
    WheelSample(time: Timestamp(seconds: time), speed: speed)
  }

  @Test func aReadingThatStaysWhileTheCarBrakesIsNotTrusted() {
    var watch = WheelSpeedMonitor()
    var seconds = 0.0
    while watch.isTrusted, seconds < 5 {
      watch.add(sample(seconds, 10), acceleration: -2)
      seconds += 0.05
    }
    #expect(!watch.isTrusted && seconds < 1)
  }

  @Test func aCarThatStandsOrCruisesIsTrusted() {
    for speed in [0, 20.0] {
      var watch = WheelSpeedMonitor()
      // A tilt that is wrong by 0.5° for ten minutes.
      for step in 0..<12_000 { watch.add(sample(Double(step) * 0.05, speed), acceleration: 0.09) }
      #expect(watch.isTrusted)
    }
  }

  /// Whole m/s of a car that gathers speed, with a tilt of 1.7° and a receiver that is fast by 0.8 m/s.
  @Test func whatACoarseSensorHidesIsNotHeldAgainstIt() {
    var watch = WheelSpeedMonitor()
    for step in 0..<600 {
      let time = Double(step) * 0.05
      watch.add(
        sample(time, (3.95 + 0.5 * time).rounded(.down)), acceleration: 0.8, resolution: 1)
      #expect(watch.isTrusted, "at \(time) s")
    }
    for step in 600..<800 {
      watch.add(sample(Double(step) * 0.05, 18), acceleration: 0, resolution: 1)
      watch.compare(speed: 23, sigma: 0.1, elapsed: 0.05)
    }
    #expect(!watch.isTrusted, "2 m/s beyond what it hides")
    watch = WheelSpeedMonitor()
    for step in 0..<100 {
      watch.add(sample(Double(step) * 0.05, 3), acceleration: 0, resolution: 1)
      watch.compare(speed: 4.75, sigma: 0.05, elapsed: 0.05)
    }
    #expect(watch.isTrusted)
    // It brakes, and they stay.
    for step in 100..<130 { watch.add(sample(Double(step) * 0.05, 3), acceleration: -2, resolution: 1) }
    #expect(!watch.isTrusted)
  }

  /// Zero is zero to the last digit, as of a sensor that counts in km/h, and a tilt of 2.5° seems to brake.
  @Test func aCarThatHasStoppedDoesNotBrake() {
    var watch = WheelSpeedMonitor()
    for step in 0..<400 {
      let time = Double(step) * 0.05
      watch.add(sample(time, max(0, 10 - 2 * time)), acceleration: time < 5 ? -2 : -0.43)
    }
    #expect(watch.isTrusted)
    // It drives off, and the wheels do not tell.
    for step in 400..<440 { watch.add(sample(Double(step) * 0.05, 0), acceleration: 1.5) }
    #expect(!watch.isTrusted)
  }

  /// At once, or as a filter fades that gets no more pulses.
  @Test(arguments: [0.01, 0.5, 1, 2]) func wheelsThatFallUnfeltAreFoundOut(time: Double) {
    var watch = WheelSpeedMonitor()
    for step in 0..<600 {
      let now = Double(step) * 0.05
      let speed = now < 5 ? 14 + 0.01 * now : 14 * exp((5 - now) / time)
      watch.add(sample(now, speed < 0.05 ? 0 : speed), acceleration: 0.01)
      if now < 5 { #expect(watch.isTrusted) }
      if now > 6.2 { #expect(!watch.isTrusted, "at \(now) s") }
    }
  }

  /// The IMU feels the brakes a second before wheels that are late, and not at all in a gap.
  @Test func wheelsThatAreLateHaveNotFallen() {
    var watch = WheelSpeedMonitor()
    for step in 0..<2000 {
      let time = Double(step) * 0.05
      let late = time - 1
      watch.add(sample(time, 10 + 6 * sin(0.5 * late)), acceleration: 3 * cos(0.5 * time))
      #expect(watch.isTrusted, "at \(time) s")
    }
    for step in 2000..<2060 {
      watch.add(sample(Double(step) * 0.05, 16 - 0.2 * Double(step - 2000)), acceleration: 0, isFelt: false)
    }
    #expect(watch.isTrusted)
  }

  /// A phone's speed comes 1.2 s late: in hard braking it is 6 m/s from that of the wheels.
  @Test func aSpeedThatComesLateDoesNotContradict() {
    var watch = WheelSpeedMonitor()
    func speed(_ time: Double) -> Double { max(0, 20 - 5 * max(0, time - 5)) }
    for step in 0...200 {
      let time = Double(step) * 0.1
      watch.add(sample(time, speed(time)), acceleration: time > 5 && time < 9 ? -5 : 0)
      watch.compare(speed: speed(time - 1.2), sigma: 0.2, elapsed: 0.1)
      #expect(watch.isTrusted, "at \(time) s")
    }
  }

  /// The car gathers 7 m/s in 14 s, and the wheels do not tell.
  @Test func fixesThatContradictForTwoSecondsWin() {
    var watch = WheelSpeedMonitor()
    for step in 0...102 {
      let isPullingAway = 20..<90 ~= step
      watch.add(
        sample(Double(step) * 0.2, 5 + Double(step % 2) * 0.02), acceleration: isPullingAway ? 0.5 : 0)
      if !isPullingAway { watch.compare(speed: step < 20 ? 5 : 12, sigma: 0.2, elapsed: 0.2) }
      if step == 98 { #expect(watch.isTrusted) }
    }
    #expect(!watch.isTrusted)
    // It comes back once it agrees and moves.
    for step in 103...142 {
      watch.add(sample(Double(step) * 0.2, 12 + Double(step % 2) * 0.02), acceleration: 0)
      watch.compare(speed: 12, sigma: 0.2, elapsed: 0.2)
    }
    #expect(watch.isTrusted)
  }

  /// Steps of 2 km/h of a car that goes by a little more, and a little less, for seconds each: a tilt was
  /// held against it once, and then it never came back. One that has stuck does not.
  @Test(arguments: [true, false]) func aCoarseSensorComesBack(isAlive: Bool) {
    var watch = WheelSpeedMonitor()
    for step in 0..<100 {
      watch.add(sample(Double(step) * 0.1, 15), acceleration: -2, resolution: 0.556)
    }
    #expect(!watch.isTrusted)
    for step in 100..<400 {
      let isFaster = isAlive && (step / 30) % 2 == 0
      watch.add(sample(Double(step) * 0.1, isFaster ? 15.556 : 15), acceleration: 0, resolution: 0.556)
      watch.compare(speed: 15.3, sigma: 0.1, elapsed: 0.1)
    }
    #expect(watch.isTrusted == isAlive)
  }

  /// Fixes that begin to drift are faster by what the IMU did not feel either; for a minute that tells.
  @Test func fixesThatContradictWheelsAndIMUDoNotWin() {
    var watch = WheelSpeedMonitor()
    for step in 0...320 {
      watch.add(sample(Double(step) * 0.2, 5 + Double(step % 2) * 0.02), acceleration: 0)
      watch.compare(speed: step < 20 ? 5 : 9, sigma: 0.2, elapsed: 0.2)
      if step == 310 { #expect(watch.isTrusted) }
    }
    #expect(watch.isTrusted)
    for step in 321...340 {
      watch.add(sample(Double(step) * 0.2, 5 + Double(step % 2) * 0.02), acceleration: 0)
      watch.compare(speed: 9, sigma: 0.2, elapsed: 0.2)
    }
    #expect(!watch.isTrusted)
  }

  /// A sensor that goes dead in the middle of a drive: with its last value, or with zero.
  @Test(arguments: [nil, 0.0])
  func aStuckWheelIsNoticedWithinSeconds(value: Double?) throws {
    var scenario = Scenario.town
    scenario.imu = IMUModel(part: .lsm6dso)
    scenario.wheel = WheelModel()
    scenario.road += scenario.road
    var held: Double?
    let ride = Ride(scenario, seed: 1001).changed { sample in
      guard case .wheel(var wheel) = sample, wheel.time.seconds > 155, held != nil || wheel.speed > 8 else {
        return sample
      }
      held = held ?? wheel.speed
      wheel.speed = value ?? held ?? 0
      return .wheel(wheel)
    }
    var worst = 0.0
    var since: Double?
    var first: Double?
    var engine = FusionEngine()
    var last = WheelSample(time: Timestamp(nanoseconds: 0), speed: -1)
    for sample in ride.samples {
      engine.process(sample)
      if case .wheel(let wheel) = sample {
        let truth = ride.truth(at: wheel.time)
        if wheel.time.seconds > 155, since == nil, abs(wheel.speed - truth.speed) > 2 {
          since = wheel.time.seconds
        }
        last = wheel
      }
      while let verdict = engine.nextVerdict() {
        // Its last value shows by itself.
        let isLeftOut = verdict.outcome == .contradicted || verdict.outcome == .extrapolated
        if verdict.kind == .wheelSpeed, isLeftOut, verdict.time.seconds > 150 {
          first = first ?? verdict.time.seconds
        }
      }
      guard sample.time.seconds > 155, case .inertial = sample,
        let solution = engine.solution(at: sample.time)
      else {
        continue
      }
      worst = max(worst, ride.positionError(solution))
    }
    #expect(last.speed == value ?? held)
    let start = try #require(since)
    let noticed = try #require(first)
    #expect(noticed - start < 4, "noticed after \(noticed - start) s")
    // Fixes of urban streets: as good as without a wheel.
    #expect(worst < 25, "\(worst) m off")
  }
}
