import Foundation
import Fusion
import Simulation
import Testing

/// A car that stops in a tunnel: nothing but its quiet tells that it does.
@Suite struct QuietRestTests {
  private static let rest = 25.0

  /// Some minutes with a stop by which rest is known, a minute to go without fixes, and the end.
  private static func scenario(_ end: [RoadElement]) -> Scenario {
    var scenario = Scenario.town
    scenario.name = "quiet"
    func part(_ manoeuvre: Manoeuvre, _ speed: Double) -> RoadElement {
      RoadElement(manoeuvre, speed: speed, environment: .open)
    }
    scenario.road = [
      part(.stop(seconds: 5), 10), part(.straight(length: 400), 14), part(.turn(angle: 1.5, radius: 15), 8),
      part(.straight(length: 500), 14), part(.stop(seconds: 15), 12), part(.straight(length: 500), 14),
      part(.turn(angle: -1.5, radius: 15), 8), part(.straight(length: 700), 14),
      part(.turn(angle: 1.5, radius: 15), 8), part(.straight(length: 500), 14),
    ]
    scenario.road += end
    return scenario
  }

  private static var configuration: FusionConfiguration {
    var configuration = FusionConfiguration()
    configuration.disabled = FusionModelSet([.wheelVibration])
    return configuration
  }

  /// The same ride without wheels, and without fixes from `cut` seconds on.
  private static func outage(_ ride: Ride, from cut: Double) -> Ride {
    ride.changed { sample in
      switch sample {
      case .gnss(let fix): fix.time.seconds < cut ? sample : nil
      case .wheel: nil
      default: sample
      }
    }
  }

  @Test(arguments: UInt64(1001)...1004) func aStopInAnOutageIsFound(seed: UInt64) throws {
    let end = RoadElement(.stop(seconds: Self.rest), speed: 12)
    let ride = Ride(Self.scenario([end]), seed: seed)
    let stop = ride.duration - Self.rest
    let outage = Self.outage(ride, from: stop - 60)
    var engine = FusionEngine(configuration: Self.configuration)
    var before: NavigationSolution?
    for sample in outage.samples where sample.time.seconds < stop + 12 {
      engine.process(sample)
      if before == nil, sample.time.seconds > stop - 2 { before = engine.solution(at: sample.time) }
    }
    let last = try #require(engine.solution(at: Timestamp(seconds: stop + 12)))
    // By then nobody could have said that it is slow.
    let sigma = try #require(before).speedAccuracy
    #expect(sigma > 0.5, "±\(sigma) m/s")
    #expect(last.mode == .stationary && last.speedAccuracy < 0.5, "\(last.mode) ±\(last.speedAccuracy) m/s")
  }

  /// A car that creeps on in a garage is as quiet as one at rest: nobody can tell, and the radius says so.
  @Test(arguments: UInt64(1001)...1004) func aCreepIsInsideTheRadius(seed: UInt64) {
    var creep = RoadElement(.straight(length: 60), speed: 0.4)
    creep.acceleration = 0.1
    let ride = Ride(Self.scenario([creep, RoadElement(.stop(seconds: 10), speed: 12)]), seed: seed)
    let outcome = GuardedRide.outcome(
      Self.outage(ride, from: ride.duration - 160 - 60), configuration: Self.configuration)
    #expect(outcome.misleading == 0, "for \(outcome.misleading) s")
  }

  /// In a garage whose reflections have led it astray, with a speed of which nothing is known, a car may seem
  /// to go backward for seconds: it is not towed.
  @Test(arguments: UInt64(1)...4) func whoMayBeGoingForwardIsNotTowed(seed: UInt64) throws {
    let ride = Ride(try Scenario(json: Data(Self.garage.utf8)), seed: seed)
    var engine = FusionEngine(configuration: Self.configuration)
    for sample in ride.samples {
      if case .wheel = sample { continue }
      engine.process(sample)
    }
    let last = try #require(engine.solution(at: Timestamp(seconds: ride.duration)))
    #expect(last.mode == .stationary && last.speedAccuracy < 1, "\(last.mode) ±\(last.speedAccuracy) m/s")
    #expect(ride.positionError(last) < last.horizontalAccuracy95)
  }

  private static let garage = """
    {"name": "garage", "imu": {"part": "LSM6DSO", "mountingDegrees": [0, 12, -90]}, "receiver": {"preset": "module"},
     "start": {"latitudeDegrees": 47.5, "longitudeDegrees": 8.7, "heightMetres": 430, "headingDegrees": 40},
     "road": [{"do": "stop", "seconds": 15, "environment": "suburban"},
       {"do": "repeat", "times": 4, "road": [
         {"do": "straight", "lengthMetres": 300, "speedKmh": 50}, {"do": "turn", "angleDegrees": 90, "radiusMetres": 12},
         {"do": "straight", "lengthMetres": 120, "speedKmh": 30}, {"do": "stop", "seconds": 12},
         {"do": "turn", "angleDegrees": -90, "radiusMetres": 12}]},
       {"do": "straight", "lengthMetres": 500, "speedKmh": 40, "environment": "garage"}, {"do": "stop", "seconds": 50}]}
    """
}
