import Fusion
import Simulation
import Testing

/// A car that stops in a tunnel: nothing but its quiet tells that it does.
@Suite struct QuietRestTests {
  private static let rest = 25.0

  /// Some minutes with a stop by which rest is known, a minute without fixes, and a stop there at the end.
  private static var scenario: Scenario {
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
      part(.stop(seconds: rest), 12),
    ]
    return scenario
  }

  @Test(arguments: UInt64(1001)...1004) func aStopInAnOutageIsFound(seed: UInt64) throws {
    let ride = Ride(Self.scenario, seed: seed)
    let stop = ride.duration - Self.rest
    let outage = ride.changed { sample in
      switch sample {
      case .gnss(let fix): fix.time.seconds < stop - 60 ? sample : nil
      case .wheel: nil
      default: sample
      }
    }
    var configuration = FusionConfiguration()
    configuration.disabled = FusionModelSet([.wheelVibration])
    var engine = FusionEngine(configuration: configuration)
    var before: NavigationSolution?
    for sample in outage.samples where sample.time.seconds < stop + 12 {
      engine.process(sample)
      if before == nil, sample.time.seconds > stop - 2 { before = engine.solution(at: sample.time) }
    }
    let last = try #require(engine.solution(at: Timestamp(seconds: stop + 12)))
    // By then nobody could have said that it is slow.
    let sigma = try #require(before).speedAccuracy
    #expect(sigma > 0.5, "±\(sigma) m/s")
    #expect(last.mode == .stationary && last.speedAccuracy < 0.1, "\(last.mode) ±\(last.speedAccuracy) m/s")
  }
}
