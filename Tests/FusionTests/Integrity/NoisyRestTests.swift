import Fusion
import Simulation
import Testing

/// A noisy IMU whose gyroscope has a bias of 10 °/s, in a car that stands, and then turns and turns.
@Suite struct NoisyRestTests {
  private static func ride(seed: UInt64) -> Ride {
    var scenario = Scenario.town
    scenario.name = "hall"
    scenario.imu = Simulation.IMUModel(part: .mpu6050)
    scenario.receiver.rate = 5
    scenario.wheel = WheelModel()
    var random = RandomSource(seed: seed, stream: "hall")
    scenario.road = [RoadElement(.stop(seconds: 10), speed: 3.3)]
    for _ in 0..<12 {
      scenario.road.append(RoadElement(.straight(length: 12 + 28 * random.uniform()), speed: 3.3))
      let angle = (random.uniform() < 0.5 ? -1 : 1) * (0.9 + random.uniform())
      scenario.road.append(RoadElement(.turn(angle: angle, radius: 6.5), speed: 3.3))
    }
    return Ride(scenario, seed: seed)
  }

  /// Its bias was taken for turns that the fixes do not make, although it had shown while the car stood.
  @Test(arguments: [UInt64](1...6)) func theIMUIsNotTakenForBroken(seed: UInt64) {
    var distrusted = 0
    _ = Self.ride(seed: seed).played { engine, sample in
      if case .gnss = sample, !engine.isInertialTrusted { distrusted += 1 }
    }
    #expect(distrusted == 0, "at \(distrusted) fixes")
  }
}
