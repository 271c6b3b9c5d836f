import Fusion
import Simulation
import Testing

/// The model of a barometer, its bias and the test of its innovations, without an engine.
@Suite struct BarometricHeightTests {
  private let settings = BarometerConfiguration()

  @Test func standardAtmosphereIsThatOfTheTables() {
    // ISO 2533, table 1: 1000 m 898.746 hPa, 5000 m 540.199 hPa, −500 m 1074.78 hPa.
    #expect(abs(StandardAtmosphere.pressure(altitude: 1000) - 89_874.6) < 3)
    #expect(abs(StandardAtmosphere.pressure(altitude: 5000) - 54_019.9) < 10)
    #expect(abs(StandardAtmosphere.pressure(altitude: -500) - 107_478) < 5)
    for height in [-400.0, 0, 8, 430, 4800] {
      let pressure = StandardAtmosphere.pressure(altitude: height)
      #expect(abs(StandardAtmosphere.altitude(pressure: pressure) - height) < 1e-9 * 1e4)
    }
    // A hectopascal at sea level is 8.3 m.
    #expect(abs(StandardAtmosphere.altitude(pressure: 101_225) - 8.33) < 0.02)
  }

  private func started(height: Double = 40, variance: Double = 9, fixVariance: Double = 16) -> BarometricBias
  {
    BarometricBias(
      height: height, variance: variance, shared: 0, gnssPositionBias: 0, fixVariance: fixVariance,
      altitude: 140,
      speed: 0, settings: settings)
  }

  @Test func biasBeginsAsWhatTheHeightSays() {
    let bias = started()
    #expect(bias.bias == 100 && bias.coefficient == 0 && abs(bias.heightVariance - 9) < 1e-12)
    #expect(bias.offset(speed: 0) == 100)
  }

  /// Height, bias, fixes and their lasting error as the model has them: the errors of the bias
  /// are as large as it says.
  @Test func biasIsAsWellKnownAsItSays() {
    var random = RandomSource(seed: 3, stream: "bias")
    var (squares, count, outside) = (0.0, 0.0, 0.0)
    for _ in 0..<300 {
      let error = 3 * random.normal()
      var bias = started(height: error)
      // The height that the filter keeps is off by what the bias is.
      var height = error
      var lasting = 4 * random.normal()
      for step in 1...600 {
        bias.advance(1, height: 0, settings: settings)
        // The weather moves the barometer, and the height with it.
        height += settings.weather * random.normal()
        let fade = 0.97
        lasting = fade * lasting + 4 * (1 - fade * fade).squareRoot() * random.normal()
        let distance = height + lasting + 1.5 * random.normal()
        height += bias.take(
          distance: distance, fade: fade, white: 2.25, lasting: 16, degreesOfFreedom: 1e9, settings: unrobust)
        guard step % 150 == 0 else { continue }
        let ratio = height * height / bias.heightVariance
        squares += ratio
        count += 1
        if ratio > 4 { outside += 1 }
      }
    }
    // 1200 samples, of which those of a run hang together.
    #expect(abs(squares / count - 1) < 0.15, "\(squares / count)")
    #expect(outside / count < 0.07)
  }

  private var unrobust: BarometerConfiguration {
    var settings = settings
    settings.lastingDegreesOfFreedom = 1e9
    return settings
  }

  @Test func fixesThatStayFarOffMoveTheBiasLittle() {
    var (robust, plain) = (0.0, 0.0)
    for (isRobust, settings) in [(true, settings), (false, unrobust)] {
      var bias = started(variance: 1)
      for _ in 0..<300 {
        let moved = isRobust ? robust : plain
        let move = bias.take(
          distance: 20 + moved, fade: 0.995, white: 2, lasting: 16, degreesOfFreedom: 4, settings: settings)
        if isRobust { robust += move } else { plain += move }
      }
    }
    #expect(abs(robust) < 0.7 * abs(plain) && abs(robust) < 1.5, "\(robust) against \(plain)")
  }

  @Test func coefficientIsLearnedFromChangesOfSpeed() {
    var bias = started(variance: 0.01)
    let truth = 0.06
    // Follows the barometer by a tenth at each half second, as a filter does that knows
    // its vertical speed well.
    var height = 0.0
    for step in 0..<1200 {
      let speed = 10 + 10 * (Double(step) * 0.5 / 60 * 2 * .pi).sign0
      let measured = -truth * BarometricHeight.dynamicHeight(speed: speed)
      let excess = measured + bias.coefficient * BarometricHeight.dynamicHeight(speed: speed) - height
      height += 0.1 * excess
      height += bias.learn(innovation: excess, variance: 0.09, gain: 0.1, weight: 1, speed: speed)
    }
    #expect(abs(bias.coefficient - truth) < 0.012, "\(bias.coefficient)")
  }

  @Test func aSlammedDoorIsAnOutlierAndAnOpenedWindowAStep() {
    var test = BarometricStep()
    func take(_ innovations: [Double]) -> [BarometricStep.Finding] {
      innovations.map { test.test($0, variance: 0.1, elapsed: 0.5, settings: settings) }
    }
    #expect(take([0.1, -0.3, 0.2]) == [.same, .same, .same])
    #expect(take([12, 3, 0.1]) == [.outlier, .outlier, .same])
    let window = take([2.5, 3.0, 3.1, 2.9, 3.0, 3.0])
    #expect(window.prefix(4).allSatisfy { $0 == .outlier })
    guard case .stepped(let size) = window[4] else {
      Issue.record("\(window)")
      return
    }
    #expect(abs(size - 2.9) < 0.01 && window[5] == .outlier)
    // Garbage agrees with nothing for long.
    let garbage = take((0..<200).map { Double(($0 * 7919) % 400) - 200 })
    #expect(!garbage.contains { if case .stepped = $0 { true } else { false } })
  }

  @Test func aValueThatNeverChangesIsStuckOnlyWhereTheCarDrives() {
    var watch = BarometerWatch()
    for _ in 0..<600 { watch.add(101_325, elapsed: 0.1, isDriving: false) }
    #expect(!watch.isStuck(settings))
    for _ in 0..<101 { watch.add(101_325, elapsed: 0.1, isDriving: true) }
    #expect(watch.isStuck(settings))
    watch.add(101_326, elapsed: 0.1, isDriving: true)
    #expect(!watch.isStuck(settings))
  }

  @Test func aBiasThatLeapsAboutIsLeftAloneForLongerEachTime() {
    var watch = BarometerWatch()
    func leap(at second: Double) -> Bool {
      let isTooMuch = watch.step(at: Timestamp(seconds: second), settings)
      if isTooMuch { watch.leave(at: Timestamp(seconds: second), settings) }
      return isTooMuch
    }
    #expect([0.0, 10, 20].allSatisfy { !leap(at: $0) } && leap(at: 30))
    #expect(watch.isResting(at: Timestamp(seconds: 89)) && !watch.isResting(at: Timestamp(seconds: 91)))
    #expect([100.0, 110, 120].allSatisfy { !leap(at: $0) } && leap(at: 130))
    #expect(watch.isResting(at: Timestamp(seconds: 249)) && !watch.isResting(at: Timestamp(seconds: 251)))
    // Two windows an hour are none.
    #expect([1000.0, 2000, 3000, 4000, 5000].allSatisfy { !leap(at: $0) })
  }

  @Test func whatMovesTheHeightOfAStandingCarLeaksAndASlopeDoesNot() {
    var watch = BarometerWatch()
    func leaks(_ rate: Double, speed: Double) -> Double? {
      watch = BarometerWatch()
      return (1...1200).first { _ in
        watch.move(rate / 2, way: speed / 2, elapsed: 0.5, settings)
      }.map { Double($0) / 2 }
    }
    #expect(leaks(0.2, speed: 0).map { $0 < 30 } == true)
    #expect(leaks(0.05, speed: 0) == nil && leaks(0.5, speed: 20) == nil)
    #expect(leaks(-1, speed: 20).map { $0 < 30 } == true)
  }

  @Test func fixesThatAreFarOffForLongAreRight() {
    var watch = BarometerWatch()
    func note(_ ratio: Double, _ seconds: ClosedRange<Int>) -> Int? {
      seconds.first { watch.note(fix: ratio * ratio, at: Timestamp(seconds: Double($0)), settings) }
    }
    #expect(note(3, 0...200) == nil && note(5, 201...215) == nil && note(3, 216...216) == nil)
    #expect(note(5, 217...300) == 237)
  }

  @Test func floorsAreCountedUnderARoofOnly() {
    var floor = FloorCounter()
    let entered = Timestamp(seconds: 0)
    func take(_ height: Double, _ second: Double, speed: Double = 3, fix: Timestamp? = nil) -> Int? {
      floor.update(
        height: height, at: Timestamp(seconds: second), lastFix: fix ?? entered, speed: speed,
        settings: settings)
      return floor.level
    }
    #expect(take(50, 0) == nil && take(50.5, 5) == nil && take(51, 11) == 0)
    #expect(take(51.9, 14) == 0, "on the ramp it is still the level that it left")
    #expect(take(52.4, 15) == 1 && take(56.1, 30) == 2 && take(54.2, 40) == 2 && take(46.8, 60) == -1)
    #expect(take(46.8, 70, fix: Timestamp(seconds: 70)) == nil, "the sky is back")
    #expect(take(46.8, 75, speed: 20, fix: Timestamp(seconds: 70)) == nil)
    #expect(take(40, 90, fix: Timestamp(seconds: 70)) == nil, "a tunnel is driven through fast")
  }
}

extension Double {
  /// 1 where it is positive, −1 where it is not.
  fileprivate var sign0: Double { self.truncatingRemainder(dividingBy: 2 * .pi) < .pi ? 1 : -1 }
}
