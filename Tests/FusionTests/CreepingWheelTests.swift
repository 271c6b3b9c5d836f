import Fusion
import Simulation
import Testing

/// A wheel sensor that seems to creep, ever faster, while the car stands: its log says a speed only where
/// that has changed, or a filter in the car runs on.
@Suite struct CreepingWheelTests {
  /// 60 s of driving, a stand of 40 s, and away again.
  private static let ride: Ride = {
    var scenario = Ride.short
    scenario.road += [
      RoadElement(.turn(angle: .pi / 2, radius: 15), speed: 8),
      RoadElement(.straight(length: 150), speed: 14),
      RoadElement(.stop(seconds: 40), speed: 14), RoadElement(.straight(length: 200), speed: 14),
    ]
    return Ride(scenario, seed: 2)
  }()

  /// The wheel's scale at the end, where the sensor creeps up to `speed` over a stand.
  private func scale(creepingTo speed: Double) throws -> Double {
    var since: Timestamp?
    let ride = Self.ride.changed { sample in
      guard case .wheel(var wheel) = sample else { return sample }
      guard Self.ride.truth(at: wheel.time).speed < 0.01 else {
        since = nil
        return sample
      }
      since = since ?? wheel.time
      wheel.speed = speed * min(1, wheel.time.seconds(since: since ?? wheel.time) / 40)
      return .wheel(wheel)
    }
    let engine = ride.played { _, _ in }
    return try #require(engine.calibration).odometerScale.value
  }

  @Test(arguments: [0.15, 0.3, 0.6]) func itTeachesNoScale(speed: Double) throws {
    let (creeping, honest) = (try scale(creepingTo: speed), try scale(creepingTo: 0))
    #expect(abs(creeping - honest) < 0.01, "\(creeping) against \(honest)")
  }
}
