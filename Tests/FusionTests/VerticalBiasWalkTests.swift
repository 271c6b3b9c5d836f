import CLibrary
import Fusion
import Simulation
import Testing

@Suite struct VerticalBiasWalkTests {
  /// What is learned of a bias that walks by `walk` along gravity, m/s²/√s, seen by a Kalman filter of its
  /// own that reckons with what was learned so far.
  ///
  /// - Parameters:
  ///   - slope: by which the road climbs and falls, rad, with a bias of 0.5 m/s² ahead.
  ///   - sigma: of the first estimate, m/s².
  private func learned(
    walk: Double, slope: Double = 0, sigma: Double = 0.01, speed: Double = 15, every: Double = 1,
    minutes: Double = 30
  ) -> Double {
    var noise = VerticalBiasWalk()
    var random = RandomSource(seed: 5, stream: "vertical bias")
    var (truth, estimate, variance) = (sigma * random.normal(), 0.0, sigma * sigma)
    for second in 0..<Int(minutes * 60) {
      truth += walk * random.normal()
      variance += noise.walk * noise.walk
      let gain = variance / (variance + 4e-4)
      estimate += gain * (truth + 0.02 * random.normal() - estimate)
      variance *= 1 - gain
      let time = Timestamp(seconds: Double(second) * every)
      guard noise.isDue(at: time) else { continue }
      let tilt = slope * sin(0.02 * Double(second))
      let down = Vector3(sin(tilt), 0, cos(tilt))
      noise.add(
        bias: Vector3(0.5, 0, 0) + Vector3(0, 0, estimate), down: down, variance: variance, speed: speed,
        at: time)
    }
    return noise.walk
  }

  @Test(arguments: [0.001, 0.003, 0.008]) func theWalkIsLearned(walk: Double) {
    let found = learned(walk: walk)
    #expect(found > 0.6 * walk && found < 1.6 * walk, "\(found) for \(walk)")
  }

  @Test func oneThatIsConstantIsHeldForOne() {
    #expect(learned(walk: 0) < 4e-4)
    #expect(learned(walk: 1) == 0.02)
  }

  /// A bias ahead is another's part of gravity on every slope, and one that is not known yet is found out.
  @Test func slopesAndTheStartAreNoWalk() {
    #expect(learned(walk: 0, slope: 0.08) < 4e-4)
    #expect(learned(walk: 0, sigma: 0.3, minutes: 3) < 1e-3)
  }

  /// At rest, and over gaps, nothing is learned.
  @Test func nothingIsLearnedWithoutDriving() {
    #expect(learned(walk: 0.01, speed: 0.5) == 5e-4)
    #expect(learned(walk: 0.01, every: 40) == 5e-4)
  }
}
