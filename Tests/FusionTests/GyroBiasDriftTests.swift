import CLibrary
import Fusion
import Simulation
import Testing

@Suite struct GyroBiasDriftTests {
  /// The default walk's density, rad²/s³.
  private static let walk = ProcessNoise().gyroBias * ProcessNoise().gyroBias

  /// What is known after `minutes` of a bias, known to 1e-4 rad/s, that a window ends on each 20 s.
  private func learned(minutes: Double = 8, _ bias: (Double) -> Vector3) -> GyroBiasDrift {
    var drift = GyroBiasDrift()
    for time in stride(from: 0, through: minutes * 60, by: 20) where drift.isDue(at: .init(seconds: time)) {
      _ = drift.add(
        bias: bias(time), variance: Vector3(repeating: 1e-8), at: Timestamp(seconds: time), walk: Self.walk)
    }
    return drift
  }

  @Test(arguments: [2e-5, -2e-5, 1e-4]) func aBiasThatGoesOneWayHasARate(rate: Double) {
    var random = RandomSource(seed: 3, stream: "drift")
    let drift = learned {
      Vector3($0 * rate + 5e-5 * random.normal(), 0.02 + 5e-5 * random.normal(), 0)
    }
    #expect(abs(drift.rate.x - rate) < 0.35 * abs(rate), "\(drift.rate)")
    #expect(abs(drift.rate.y) < 0.05 * abs(rate), "\(drift.rate)")
    #expect(drift.rate.z == 0)
    // A third of it, as each axis is told the mean; the density makes 20 s of it.
    #expect(0.5..<1.5 ~= drift.density * 60 / (rate * rate * 400), "\(drift.density)")
  }

  @Test func oneThatGoesBackAndForthHasNone() {
    var random = RandomSource(seed: 4, stream: "drift")
    let noisy = learned(minutes: 60) { _ in
      Vector3(
        1e-3 * random.normal(), 1e-3 * random.normal(), 1e-3 * random.normal())
    }
    #expect(noisy.rate.norm < 5e-6 && noisy.density < 2e-9, "\(noisy)")
    let leaping = learned { Vector3($0 < 300 ? 0 : 0.02, 0, 0) }
    #expect(leaping.rate == .zero && leaping.density == 0)
  }

  @Test func oneThatIsNotKnownYetHasNone() {
    var drift = GyroBiasDrift()
    for i in 0..<8 {
      // What is not known of it, and with it the bias, shrinks to four fifths in each window.
      let left = 0.01 * pow(0.8, Double(i))
      _ = drift.add(
        bias: Vector3(0.01 - left, 0, 0), variance: Vector3(left * left, 1e-8, 1e-8),
        at: Timestamp(seconds: 20 * Double(i)), walk: Self.walk)
    }
    #expect(drift.rate == .zero && drift.density == 0)
  }

  @Test func aPauseBeginsAnew() {
    let drift = learned(minutes: 30) { Vector3($0 * 1e-5, 0, 0) }
    var paused = drift
    #expect(paused.isDue(at: Timestamp(seconds: 1900)))
    let known = paused.add(
      bias: Vector3(0.05, 0, 0), variance: Vector3(repeating: 1e-8), at: Timestamp(seconds: 1900),
      walk: Self.walk)
    #expect(!known && paused.rate == drift.rate)
    #expect(!paused.isDue(at: Timestamp(seconds: 1910)) && paused.isDue(at: Timestamp(seconds: 1920)))
  }

  /// 100 m and more off at the end of a tunnel, within a radius of half that.
  @Test(arguments: [1.0, -1.0]) func aWarmingGyroscopeIsCarriedOnWithoutFixes(sign: Double) throws {
    var scenario = Scenario.town
    scenario.road += scenario.road + scenario.road
    scenario.receiver = Simulation.ReceiverModel(preset: .white)
    scenario.receiver.rate = 4
    scenario.receiver.uniform = .white(horizontal: 1.5, vertical: 3, velocity: 0.1)
    let ride = Ride(scenario, seed: 5)
    let cut = ride.duration - 70
    let warming = ride.changed { sample in
      switch sample {
      case .gnss(let fix): return fix.time.seconds < cut ? sample : nil
      case .inertial(var inertial):
        // By 2 deg/s in all, as a cheap part from cold.
        let warmed = sign * 0.035 * (1 - exp(-inertial.time.seconds / 400))
        inertial.angularRate += Vector3(warmed, -0.7 * warmed, warmed)
        return .inertial(inertial)
      default: return sample
      }
    }
    let engine = warming.played()
    let solution = try #require(engine.solution(at: Timestamp(seconds: ride.duration - 12)))
    let error = ride.positionError(solution)
    #expect(solution.isAligned)
    #expect(error < solution.horizontalAccuracy95, "\(error) m, 95 % \(solution.horizontalAccuracy95) m")
    #expect(error < 70, "\(error) m")
  }
}
