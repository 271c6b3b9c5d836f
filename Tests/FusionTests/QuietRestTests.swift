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

  /// An engine that idles as rough as the road is: only that the car is still from one fifth of a second to
  /// the next tells that it stands, as this one never is while it drives. (Some go too far astray in the
  /// outage to believe it.)
  @Test func aRestAsRoughAsDrivingIsFoundByItsSteadiness() throws {
    let usual = FusionConfiguration().standstill.evenDrivingRate
    var found = 0
    for seed in UInt64(1001)...1004 {
      let ride = Ride(Self.scenario([RoadElement(.stop(seconds: Self.rest), speed: 12)]), seed: seed)
      let rough = Self.outage(Self.roughened(ride, seed: seed), from: ride.duration - Self.rest - 30)
      func atTheEnd(rate: Double) throws -> NavigationSolution {
        var configuration = Self.configuration
        configuration.standstill.evenDrivingRate = rate
        var engine = FusionEngine(configuration: configuration)
        for sample in rough.samples { engine.process(sample) }
        return try #require(engine.solution(at: Timestamp(seconds: ride.duration)))
      }
      #expect(try atTheEnd(rate: 0).mode != .stationary, "found without it")
      let last = try atTheEnd(rate: usual)
      guard last.mode == .stationary else { continue }
      found += 1
      #expect(ride.positionError(last) < last.horizontalAccuracy95)
    }
    #expect(found >= 2)
  }

  /// The same ride with white noise on rate and force, and a body that sways as long as the car moves.
  private static func roughened(_ ride: Ride, seed: UInt64) -> Ride {
    var random = RandomSource(seed: seed, stream: "rough")
    return ride.changed { sample in
      guard case .inertial(var inertial) = sample else { return sample }
      inertial.angularRate += Vector3(random.normal(), random.normal(), random.normal()) * 0.01
      inertial.specificForce += Vector3(random.normal(), random.normal(), random.normal()) * 0.3
      let t = sample.time.seconds
      if ride.truth(at: sample.time).velocityNED.norm > 0.5 {
        inertial.angularRate += Vector3(0.02 * sin(8 * t), 0.015 * sin(7 * t + 1), 0)
        inertial.specificForce.z += 0.5 * sin(9 * t)
      }
      return .inertial(inertial)
    }
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

  /// A garage's floor is smoother than any road, and a car goes on it for longer than it ever went so evenly:
  /// it is shaken more than at the lights all the same.
  @Test(arguments: UInt64(1)...4) func aSmoothFloorIsNoRest(seed: UInt64) throws {
    let slow = #"{"do": "straight", "lengthMetres": 300, "speedKmh": 15}, {"do": "stop", "seconds": 10}]"#
    let text = Self.garage.replacingOccurrences(of: #"{"do": "stop", "seconds": 50}]"#, with: slow)
    let ride = Ride(try Scenario(json: Data(text.utf8)), seed: seed).changed { sample in
      if case .wheel = sample { nil } else { sample }
    }
    let outcome = GuardedRide.outcome(ride, configuration: Self.configuration)
    #expect(outcome.misleading == 0, "for \(outcome.misleading) s")
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
