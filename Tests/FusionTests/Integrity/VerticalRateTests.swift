import Fusion
import Simulation
import Testing

@Suite struct VerticalRateTests {
  private static let gravity = 9.81

  /// A level IMU's sample, turned into an IMU in this mounting.
  private func sample(
    _ time: Double, rate: Vector3, force: Vector3 = Vector3(0, 0, -gravity), _ imuFromCar: Quaternion
  ) -> InertialSample {
    InertialSample(
      time: Timestamp(seconds: time), angularRate: imuFromCar * rate, specificForce: imuFromCar * force)
  }

  private static let mountings: [Quaternion] = [
    .identity, Quaternion(roll: .pi, pitch: 0, yaw: 0), Quaternion(roll: 0, pitch: .pi / 2, yaw: 0.3),
    Quaternion(roll: -1.2, pitch: 0.7, yaw: 2.5),
  ]

  @Test(arguments: mountings.indices) func theAngleIsThatAboutGravityInAnyMounting(index: Int) throws {
    let mounting = Self.mountings[index]
    var vertical = VerticalRate()
    // To the right at 0.3 rad/s, while the body rolls and pitches.
    for i in 0...1000 {
      let shaken = Vector3(0.2, -0.1, 0.3)
      vertical.add(sample(Double(i) / 100, rate: shaken, mounting))
    }
    let (angle, covered) = vertical.take()
    #expect(abs(angle - 3) < 1e-9 && abs(covered - 10) < 1e-6)
    #expect(vertical.acceleration < 1e-9)
    let down = try #require(vertical.down)
    #expect((mounting.inverse * down - Vector3(0, 0, 1)).norm < 1e-9)
    let (none, nothing) = vertical.take()
    #expect(none == 0 && nothing == 0)
  }

  /// Nobody knows the bias here: who uses the angle takes it off.
  @Test func theBiasStaysInTheAngle() {
    var vertical = VerticalRate()
    for i in 0...2000 { vertical.add(sample(Double(i) / 100, rate: Vector3(0, 0, 0.02), .identity)) }
    #expect(abs(vertical.angle - 0.4) < 1e-9)
  }

  /// A large bias across gravity passes for a turn on every slope, unless it is known.
  @Test func aKnownBiasAcrossGravityFeignsNoTurnOnASlope() {
    let slope = Vector3(0.87, 0, -9.77)
    func turned(_ biasAcross: Vector3) -> (angle: Double, rate: Double) {
      var vertical = VerticalRate()
      vertical.biasAcross = biasAcross
      for i in 0...12000 {
        vertical.add(sample(Double(i) / 100, rate: Vector3(0.2, 0, 0.01), force: slope, .identity))
      }
      vertical.watch(elapsed: 120)
      let rate = vertical.steadyRate
      return (vertical.take().angle / 120, rate)
    }
    let (unknown, known) = (turned(.zero), turned(Vector3(0.2, 0, 0)))
    #expect(abs(unknown.angle - 0.01) > 0.015, "\(unknown)")
    #expect(abs(known.angle - 0.01) < 1e-4 && abs(known.rate - 0.01) < 1e-4, "\(known)")
  }

  @Test func aGapIsNotTurnedOver() {
    var vertical = VerticalRate()
    for i in 0...100 { vertical.add(sample(Double(i) / 100, rate: Vector3(0, 0, 0.1), .identity)) }
    // Two seconds are missing.
    for i in 300...400 { vertical.add(sample(Double(i) / 100, rate: Vector3(0, 0, 0.1), .identity)) }
    #expect(abs(vertical.angle - 0.2) < 1e-9 && abs(vertical.covered - 2) < 1e-6)
    // A sample that repeats a time, or goes back, covers nothing.
    let before = vertical.angle
    vertical.add(sample(4, rate: Vector3(0, 0, 50), .identity))
    vertical.add(sample(3, rate: Vector3(0, 0, 50), .identity))
    #expect(vertical.angle == before)
  }

  /// What a car gathers speed by for some seconds tilts what is taken for gravity by little.
  @Test func anAccelerationCostsAFewPercentOfTheAngle() {
    var vertical = VerticalRate()
    for i in 0..<3000 { vertical.add(sample(Double(i) / 100, rate: .zero, .identity)) }
    _ = vertical.take()
    for i in 3000...3600 {
      vertical.add(
        sample(Double(i) / 100, rate: Vector3(0, 0, 0.25), force: Vector3(2.5, 0, -Self.gravity), .identity))
    }
    #expect(abs(vertical.angle / 1.5 - 1) < 0.02, "\(vertical.angle)")
    #expect(abs(vertical.acceleration - 2.5) < 0.8, "\(vertical.acceleration)")
  }

  @Test func aCarAtRestIsSteadyAndItsRateTheBias() {
    var vertical = VerticalRate()
    var random = RandomSource(seed: 2, stream: "noise")
    var time = 0.0
    func feed(_ seconds: Double, turn: Double) {
      for _ in 0..<Int(seconds * 5) {
        for _ in 0..<20 {
          let noise = Vector3(normal: &random)
          vertical.add(
            sample(
              time, rate: Vector3(0, 0, turn) + noise * 0.001,
              force: Vector3(0, 0, -Self.gravity) + noise * 0.02, .identity))
          time += 0.01
        }
        vertical.watch(elapsed: 0.2)
        _ = vertical.take()
      }
    }
    feed(10, turn: 0.013)
    #expect(vertical.steadyFor > 8)
    #expect(abs(vertical.steadyRate - 0.013) < 0.001)
    feed(0.4, turn: 0.2)
    #expect(vertical.steadyFor == 0 || vertical.steadyFor < 0.5)
  }
}
