import Fusion
import Simulation
import Testing

@Suite struct TiltNoiseTests {
  private static let density = 4e-6

  /// What is learned of gyroscope axes whose tilt walks with `factor` times the default
  /// density, as a factor of it.
  private func learned(factor: Double, speed: Double = 15, interval: Double = 0.5, minutes: Double = 20)
    -> Double
  {
    var noise = TiltNoise()
    var random = RandomSource(seed: 8, stream: "tilt")
    var corrected = Vector3.zero
    for i in 0..<Int(minutes * 60 / interval) {
      let step = (factor * Self.density * interval).squareRoot()
      corrected += Vector3(random.normal(), random.normal(), random.normal()) * step
      _ = noise.add(
        Timestamp(seconds: Double(i) * interval), corrected: corrected, variance: 0, density: Self.density,
        speed: speed)
    }
    let base = ProcessNoise()
    var result = base
    noise.apply(to: &result, base: base)
    // What is learned is of the horizontal axes alone.
    let vertical = result.gyroHorizontal * result.gyroVerticalRatio
    #expect(abs(vertical - base.gyroHorizontal * base.gyroVerticalRatio) < 1e-12)
    let scale = result.gyroHorizontal / base.gyroHorizontal
    #expect(abs(result.gyroHorizontalPerSpeed / base.gyroHorizontalPerSpeed - scale) < 1e-12)
    return scale * scale
  }

  @Test(arguments: [0.2, 0.5, 1.0, 2.5]) func theDensityOfAWalkIsLearned(factor: Double) {
    let found = learned(factor: factor)
    #expect(found > 0.6 * factor && found < 1.6 * factor, "\(found) for \(factor)")
  }

  @Test func itIsBounded() {
    #expect(abs(learned(factor: 0) - 0.1) < 1e-9)
    #expect(abs(learned(factor: 400) - 4) < 1e-9)
  }

  /// At rest, and where fixes are far apart, nothing is learned: the default stays.
  @Test func nothingIsLearnedWithoutDriving() {
    let start = learned(factor: 1, minutes: 0.1)
    #expect(learned(factor: 20, speed: 0.2) == start)
    #expect(learned(factor: 20, interval: 3) == start)
  }
}
