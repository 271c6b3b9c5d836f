import Fusion
import Simulation
import Testing

/// A cheap gyroscope that warms up, in hills.
@Suite struct WarmingHillsTests {
  /// Gradients up to 9 %, and an MPU-6050 with a bias of several degrees a second.
  private static func ride(seed: UInt64) -> Ride {
    var scenario = Scenario.town
    scenario.name = "hills"
    scenario.imu = Simulation.IMUModel(part: .mpu6050)
    scenario.receiver.rate = 1
    var random = RandomSource(seed: seed, stream: "hills")
    scenario.road = [RoadElement(.stop(seconds: 10), speed: 14)]
    for _ in 0..<36 {
      var straight = RoadElement(.straight(length: 150 + 250 * random.uniform()), speed: 16)
      straight.grade = 0.09 * (2 * random.uniform() - 1)
      scenario.road.append(straight)
      let angle = (random.uniform() < 0.5 ? -1 : 1) * (0.4 + 0.9 * random.uniform())
      scenario.road.append(RoadElement(.turn(angle: angle, radius: 40), speed: 11))
    }
    return Ride(scenario, seed: seed)
  }

  /// The guard took its own bias for the better one, and put the navigator wrong.
  @Test(arguments: [UInt64](1...3)) func theHeadingIsKept(seed: UInt64) {
    let ride = Self.ride(seed: seed)
    var (unknown, count) = (0.0, 0.0)
    let engine = ride.played { engine, sample in
      guard case .gnss = sample, sample.time.seconds > 120, let solution = engine.solution(at: sample.time)
      else { return }
      count += 1
      if !solution.isAligned { unknown += 1 }
    }
    #expect(engine.recoveries < 2, "\(engine.recoveries)")
    #expect(unknown < 0.02 * count, "\(unknown) of \(count) fixes without heading")
  }
}
