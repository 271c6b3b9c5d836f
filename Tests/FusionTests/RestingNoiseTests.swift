import Fusion
import Simulation
import Testing

@Suite struct RestingNoiseTests {
  private static let usual = ProcessNoise()

  /// What shows beyond the default after bins of a fifth of a second, of which each is a mean rate and a mean
  /// force.
  private func learned(
    seconds: Double, _ bin: (Int) -> (rate: Vector3, force: Vector3), pausedAt pause: Int? = nil
  ) -> ProcessNoise {
    var noise = RestingNoise()
    for i in 0..<Int(seconds * 5) {
      let later = pause.map { i < $0 ? 0.0 : 60 } ?? 0
      let (rate, force) = bin(i)
      noise.add(rate: rate, force: force, at: Timestamp(seconds: Double(i) / 5 + later))
    }
    var result = Self.usual
    noise.apply(to: &result, base: Self.usual)
    return result
  }

  private let down = Vector3(0, 0, -9.8)

  @Test(arguments: [0.03, 0.09, 0.3]) func theDensityOfWhiteNoiseIsFound(root: Double) {
    var random = RandomSource(seed: 4, stream: "rest")
    func walk(_ root: Double) -> Vector3 {
      Vector3(random.normal(), random.normal(), random.normal()) * (root / 0.2.squareRoot())
    }
    let found = learned(seconds: 120) { _ in (walk(root / 30), down + walk(root)) }
    let accel = (found.restingAccel + Self.usual.accel * Self.usual.accel).squareRoot()
    let gyro = (found.restingGyro.x + Self.usual.gyroHorizontal * Self.usual.gyroHorizontal).squareRoot()
    #expect(accel > 0.75 * root && accel < 1.3 * root, "\(accel) for \(root)")
    #expect(gyro > 0.75 * root / 30 && gyro < 1.3 * root / 30, "\(gyro) for \(root / 30)")
    // Less is expected of the vertical axis, so that there is more beyond it.
    #expect(found.restingGyro.z > found.restingGyro.x)
  }

  /// Its swings of some hertz add up to nothing.
  @Test func anIdlingEngineIsNoNoise() {
    let found = learned(seconds: 60) { i in
      let swing = i.isMultiple(of: 2) ? 1.0 : -1
      return (Vector3(0.0015 * swing, 0, 0), down + Vector3(0.05 * swing, 0, 0))
    }
    #expect(found.restingAccel == 0 && found.restingGyro == .zero)
  }

  /// Where the car stands the next time slopes otherwise.
  @Test func anotherStopIsAnotherMean() {
    let found = learned(
      seconds: 60, { i in (.zero, down + Vector3(i < 153 ? 0 : 1, 0, 0)) }, pausedAt: 153)
    #expect(found.restingAccel == 0)
  }

  @Test func aDoorThatClosesSaysLittle() {
    let found = learned(seconds: 60) { i in (.zero, down + Vector3(i == 100 ? 20 : 0, 0, 0)) }
    #expect(found.restingAccel < Self.usual.accel * Self.usual.accel)
  }

  /// Some minutes of a town with a stop in them, and then half a minute without fixes or wheels; `noise` is
  /// added to each sample of the force, m/s².
  private func speedAccuracy(noise: Double, disabled: FusionModelSet = []) throws -> Double {
    var scenario = Scenario.town
    scenario.name = "resting"
    scenario.road = [
      RoadElement(.stop(seconds: 20), speed: 10), RoadElement(.straight(length: 500), speed: 14),
      RoadElement(.turn(angle: 1.5, radius: 15), speed: 8), RoadElement(.straight(length: 400), speed: 14),
      RoadElement(.stop(seconds: 20), speed: 12), RoadElement(.straight(length: 900), speed: 14),
    ]
    var random = RandomSource(seed: 4, stream: "force")
    let ride = Ride(scenario)
    let end = ride.duration - 2
    var configuration = FusionConfiguration()
    configuration.disabled = disabled
    var engine = FusionEngine(configuration: configuration)
    for sample in ride.samples where sample.time.seconds < end {
      switch sample {
      case .inertial(var inertial):
        inertial.specificForce += Vector3(random.normal(), random.normal(), random.normal()) * noise
        engine.process(.inertial(inertial))
      case .gnss(let fix) where fix.time.seconds > end - 30: continue
      case .wheel: continue
      default: engine.process(sample)
      }
    }
    return try #require(engine.solution(at: Timestamp(seconds: end))).speedAccuracy
  }

  @Test func whoIsNoisyAtRestIsBelievedLessInAnOutage() throws {
    let (quiet, noisy) = (try speedAccuracy(noise: 0), try speedAccuracy(noise: 0.9))
    #expect(noisy > 1.5 * quiet, "±\(noisy) m/s after ±\(quiet)")
    // Who goes astray is told so by the rear axle as well.
    let unlearned = try speedAccuracy(noise: 0.9, disabled: FusionModelSet([.learnedNoise, .carriage]))
    #expect(noisy > 1.3 * unlearned, "±\(noisy) m/s after ±\(unlearned)")
  }
}
