import Fusion
import Simulation
import Testing

@Suite struct StillnessDetectorTests {
  /// Feeds seconds of samples at 100 Hz, with white noise of these sizes.
  private func feed(
    _ detector: inout StillnessDetector, from start: Double, seconds: Double, rate: Vector3 = .zero,
    force: (Double) -> Vector3 = { _ in Vector3(0, 0, -9.8) }, noise: Double = 0,
    random: inout RandomSource
  ) -> Int {
    var bins = 0
    for i in 0..<Int(seconds * 100) {
      let t = start + Double(i) / 100
      let sample = InertialSample(
        time: Timestamp(seconds: t), angularRate: rate + Vector3(normal: &random) * (noise * 0.1),
        specificForce: force(t) + Vector3(normal: &random) * noise)
      if detector.process(sample) { bins += 1 }
    }
    return bins
  }

  private func random() -> RandomSource { RandomSource(seed: 1, stream: "still") }

  @Test func quietIsSeenAfterTwoBins() {
    var (detector, random) = (StillnessDetector(), random())
    #expect(feed(&detector, from: 0, seconds: 0.2, random: &random) == 0)
    #expect(detector.steadyFor == 0)
    // A bin closes a fifth of a second after the one before: 15 in three seconds.
    let bins = feed(&detector, from: 0.2, seconds: 2.81, rate: .zero, random: &random)
    #expect(bins == 15)
    #expect(abs(detector.steadyFor - 2.8) < 1e-9)
    #expect((detector.meanForce - Vector3(0, 0, -9.8)).norm < 1e-12)
  }

  @Test func aRoughEngineIsStill() {
    var (detector, random) = (StillnessDetector(), random())
    _ = feed(&detector, from: 0, seconds: 10, noise: 0.4, random: &random)
    #expect(detector.steadyFor > 5)
    // Means of 25 samples: 0.04 / √25.
    #expect(abs(detector.rateError / 0.008 - 1) < 0.5)
    #expect(detector.meanRate.norm < 0.05)
  }

  @Test func pullingAwayEndsItAtOnce() {
    var (detector, random) = (StillnessDetector(), random())
    _ = feed(&detector, from: 0, seconds: 5, noise: 0.05, random: &random)
    #expect(detector.steadyFor > 4)
    _ = feed(
      &detector, from: 5, seconds: 0.6, force: { _ in Vector3(0.3, 0, -9.8) }, noise: 0.05, random: &random)
    #expect(detector.steadyFor < 0.5)
  }

  @Test func turningEndsItAtOnce() {
    var (detector, random) = (StillnessDetector(), random())
    _ = feed(&detector, from: 0, seconds: 5, random: &random)
    _ = feed(&detector, from: 5, seconds: 0.6, rate: Vector3(0, 0, 0.05), random: &random)
    #expect(detector.steadyFor < 0.5)
  }

  @Test func aGapBeginsAnew() {
    var (detector, random) = (StillnessDetector(), random())
    _ = feed(&detector, from: 0, seconds: 5, random: &random)
    _ = feed(&detector, from: 8, seconds: 0.1, random: &random)
    #expect(detector.steadyFor == 0 && detector.steadyMeans == nil)
  }

  @Test func timeThatGoesBackBeginsAnew() {
    var (detector, random) = (StillnessDetector(), random())
    _ = feed(&detector, from: 100, seconds: 5, random: &random)
    _ = feed(&detector, from: 3, seconds: 0.1, random: &random)
    #expect(detector.steadyFor == 0)
  }

  @Test func meansFollowTheWholeSteadyTime() throws {
    var (detector, random) = (StillnessDetector(), random())
    _ = feed(
      &detector, from: 0, seconds: 10, rate: Vector3(0.001, -0.002, 0.003), noise: 0.02, random: &random)
    let means = try #require(detector.steadyMeans)
    #expect((means.rate - Vector3(0.001, -0.002, 0.003)).norm < 5e-4)
    #expect((means.force - Vector3(0, 0, -9.8)).norm < 5e-3)
  }
}
