import CLibrary
import Fusion
import Simulation
import Testing

@Suite struct OdometerScaleMonitorTests {
  /// What is found in `seconds` at 1 Hz of wheels that read `wheels` at `speed`.
  private func found(
    _ seconds: Int, speed: Double, wheels: Double, sigma: Double = 0.1, scaleSigma: Double = 0.002,
    acceleration: Double = 0
  ) -> Double? {
    var monitor = OdometerScaleMonitor()
    for _ in 0..<seconds {
      let off = monitor.add(
        speed: speed, sigma: sigma, wheels: wheels, scaleSigma: scaleSigma, acceleration: acceleration,
        elapsed: 1)
      if let off { return off }
    }
    return nil
  }

  @Test func aScaleThatHasChangedIsFound() throws {
    let off = try #require(found(20, speed: 15, wheels: 16.5))
    #expect(0.05..<0.1 ~= off)
    #expect(try #require(found(20, speed: 15, wheels: 13.5)) < -0.05)
  }

  @Test func whatMayBeChanceIsNot() {
    #expect(found(600, speed: 15, wheels: 15.2) == nil, "slip")
    #expect(found(600, speed: 15, wheels: 16.5, scaleSigma: 0.03) == nil, "not learned yet")
    #expect(found(600, speed: 15, wheels: 16.5, sigma: 1) == nil, "a poor receiver")
    #expect(found(600, speed: 3, wheels: 3.4) == nil, "slow")
    #expect(found(600, speed: 15, wheels: 16.5, acceleration: 2) == nil, "the fixes' speed is late")
    #expect(found(5, speed: 15, wheels: 16.5) == nil, "a moment")
  }

  /// 18 m off with good fixes all the time, as the scale was known to a few parts in ten thousand.
  @Test func aTyreThatIsChangedIsLearned() throws {
    let ride = Ride.wheeled(sigma: 1.5, rate: 4, seed: 5)
    let half = ride.duration / 2
    let changed = ride.changed { sample in
      guard case .wheel(var wheel) = sample, wheel.time.seconds > half else { return sample }
      wheel.speed *= 1.1
      return .wheel(wheel)
    }
    var errors: [Double] = []
    let engine = changed.played { engine, sample in
      guard case .gnss = sample, sample.time.seconds > half else { return }
      if let solution = engine.solution(at: sample.time) { errors.append(ride.positionError(solution)) }
    }
    errors.sort()
    let p95 = errors[errors.count * 95 / 100]
    #expect(p95 < 6, "P95 \(p95) m, largest \(errors.last ?? 0)")
    let scale = try #require(engine.calibration).odometerScale
    #expect(abs(scale.value - 0.1) < 0.02, "\(scale)")
  }
}
