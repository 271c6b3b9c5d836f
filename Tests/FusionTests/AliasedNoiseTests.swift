import Fusion
import Simulation
import Testing

@Suite struct AliasedNoiseTests {
  private static let sigma = 0.02
  private static let down = Vector3(0, 0, 1)

  /// Density about down that is learned of white samples, `interval` seconds apart, rad²/s.
  private func density(interval: Double, seconds: Double = 60, sigma: Double = Self.sigma) -> Double {
    var noise = AliasedNoise()
    var random = RandomSource(seed: 5, stream: "alias")
    for i in 0..<Int(seconds / interval) {
      let rate = Vector3(random.normal(), random.normal(), random.normal()) * sigma
      noise.add(
        InertialSample(
          time: Timestamp(seconds: Double(i) * interval), angularRate: rate,
          specificForce: Vector3(0, 0, -9.81)))
    }
    return noise.turning(down: Self.down)
  }

  /// Single samples of variance σ², 0.1 s apart, add up to a variance of σ² · 0.1 s a second.
  @Test func whiteSamplesOfASlowIMUAreARandomWalk() {
    let expected = Self.sigma * Self.sigma * 0.1
    let learned = density(interval: 0.1)
    #expect(learned > 0.5 * expected && learned < 2 * expected, "\(learned) for \(expected) rad²/s")
  }

  @Test func whatFollowsTheShakingAddsNothing() { #expect(density(interval: 0.01) == 0) }

  /// Densities along an axis that are learned of a force at 100 Hz where `isHeard` says so, sample by
  /// sample, (m/s)²/s.
  private func densities(isHeard: (Int) -> Bool = { _ in true }, of force: (Int) -> Vector3) -> [Double] {
    var noise = AliasedNoise()
    return (0..<6000).filter(isHeard).map { i in
      noise.add(
        InertialSample(
          time: Timestamp(seconds: Double(i) * 0.01), angularRate: .zero,
          specificForce: Vector3(0, 0, -9.81) + force(i)))
      return noise.pushing
    }
  }

  /// What is white beyond any sound car's shaking is noise however fast the samples come, but for the part
  /// that a sound one may have: (0.15 m/s/√s)².
  @Test func whatNoCarShakesLikeIsNoise() {
    var random = RandomSource(seed: 7, stream: "alias")
    let expected = 5.0 * 5 * 0.01 - 0.15 * 0.15
    let learned = densities { _ in Vector3(random.normal(), random.normal(), random.normal()) * 5 }.last ?? 0
    #expect(learned > 0.4 * expected && learned < 2 * expected, "\(learned) for \(expected) (m/s)²/s")
  }

  /// At 25 Hz it goes round once in four samples, and the mean of these is none.
  @Test func howeverHardShakingThatIsFollowedAddsNothing() {
    #expect(densities { Vector3(0, 0, 10 * [0.0, 1, 0, -1][$0 % 4]) }.max() == 0)
  }

  /// What the force changes by in a gap is no shaking, wherever in a run of samples it falls.
  @Test func gapsOfAFastIMUAreNoNoise() {
    let learned = densities(isHeard: { $0 % 100 >= 40 }) { Vector3($0 / 100 % 2 == 0 ? 10 : -10, 0, 0) }
    #expect(learned.max() == 0)
  }

  /// A car's body shakes at up to 25 Hz, which 40 Hz do not follow, though they come nearly as fast.
  @Test func samplesAtFortyHertzDoNotFollowABody() {
    let expected = Self.sigma * Self.sigma * 0.025
    let learned = density(interval: 0.0251)
    #expect(learned > 0.5 * expected && learned < 2 * expected, "\(learned) for \(expected) rad²/s")
  }

  /// Of a stream of 100 Hz whose gyroscope, accelerometer or both measure at 25 Hz, and are repeated.
  @Test(arguments: [(true, false), (false, true), (true, true)])
  func whatIsHeldIsAsSlowAsItChanges(isRateHeld: Bool, isForceHeld: Bool) {
    var noise = AliasedNoise()
    var random = RandomSource(seed: 9, stream: "alias")
    var rate = Vector3.zero, force = Vector3.zero
    for i in 0..<6000 {
      let next = Vector3(random.normal(), random.normal(), random.normal()) * Self.sigma
      if i % 4 == 0 || !isRateHeld { rate = next }
      if i % 4 == 0 || !isForceHeld { force = next * 10 }
      noise.add(
        InertialSample(
          time: Timestamp(seconds: Double(i) * 0.01), angularRate: rate,
          specificForce: Vector3(0, 0, -9.81) + force))
    }
    let expected = Self.sigma * Self.sigma * 0.04
    let (turning, pushing) = (noise.turning(down: Self.down) / expected, noise.pushing / expected / 100)
    #expect(isRateHeld ? 0.5..<2 ~= turning : turning == 0, "\(turning) of what it is")
    #expect(isForceHeld ? 0.5..<2 ~= pushing : pushing == 0, "\(pushing) of what it is")
  }

  @Test func aSteadyTurnIsNoNoise() {
    var noise = AliasedNoise()
    for i in 0..<300 {
      noise.add(
        InertialSample(
          time: Timestamp(seconds: Double(i) * 0.1), angularRate: Vector3(0, 0, 0.4),
          specificForce: Vector3(0, 3, -9.81)))
    }
    #expect(noise.turning(down: Self.down) < 1e-20)
  }
}
