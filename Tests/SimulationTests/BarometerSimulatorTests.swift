import Drives
import Foundation
import Navigation
import Simulation
import Testing

@Suite struct BarometerSimulatorTests {
  /// Height by the barometer less the true one at the IMU, second by second, from its first.
  private func errors(_ scenario: Scenario, seed: UInt64 = 3) -> [(
    time: Double, state: VehicleState, error: Double
  )] {
    let simulator = Simulator(scenario: scenario, seed: seed)
    var track = simulator.track
    var first: Double?
    return simulator.run().samples.compactMap { sample in
      guard case .pressure(let pressure) = sample else { return nil }
      let state = track.state(at: pressure.time)
      let error =
        StandardAtmosphere.altitude(pressure: pressure.pressure)
        - state.position(at: scenario.imu.position).height
      first = first ?? error
      return (pressure.time.seconds, state, error - (first ?? 0))
    }
  }

  private var quiet: BarometerModel {
    var model = BarometerModel()
    (model.noise, model.quantum, model.weather, model.trend, model.wandering) = (0, 0, 0, 0, 0)
    (model.temperature, model.pressureCoefficient, model.gusts, model.piston) = (0, 0, 0, 0)
    return model
  }

  @Test func aBarometerWithoutErrorsGivesTheHeightButForItsOffset() {
    var scenario = Scenario.town
    scenario.barometer = quiet
    let errors = errors(scenario)
    #expect(errors.count > 1500)
    // Nearly: the offset in pascal is another one in metres 10 m higher.
    #expect(errors.allSatisfy { abs($0.error) < 0.05 })
  }

  @Test func anOpenWindowAndATunnelMoveItBySoMuchAsTheSpeedMakes() throws {
    var scenario = Scenario.town
    scenario.road = [
      RoadElement(.stop(seconds: 5), speed: 20), RoadElement(.straight(length: 500), speed: 20),
      RoadElement(.straight(length: 500), speed: 20, environment: .tunnel),
      RoadElement(.straight(length: 500), speed: 20),
    ]
    scenario.driver.speedVariation = 0
    var model = quiet
    model.piston = 0.1
    (model.windowFrom, model.windowTo) = (15, 25)
    scenario.barometer = model
    let errors = errors(scenario)
    func mean(_ range: ClosedRange<Double>, in environment: RadioEnvironment) throws -> (Double, Double) {
      let part = errors.filter { range.contains($0.time) && $0.state.environment == environment }
      try #require(!part.isEmpty)
      let count = Double(part.count)
      return (part.reduce(0) { $0 + $1.error } / count, part.reduce(0) { $0 + $1.state.speed } / count)
    }
    // Δh = −c v²/2g, in thinner air a little more.
    let (open, speed) = try mean(18...24.9, in: .open)
    #expect(abs(open - 0.2 * speed * speed / (2 * 9.80665)) < 0.5, "\(open) m at \(speed) m/s")
    let (before, _) = try mean(0...14, in: .open)
    #expect(abs(before) < 0.05)
    let tunnel = errors.filter { $0.state.environment == .tunnel }
    let last = try #require(tunnel.last)
    #expect(abs(last.error + 0.1 * last.state.speed * last.state.speed / (2 * 9.80665)) < 0.3)
    #expect(abs(tunnel[0].error) < 0.3, "the air takes its time")
  }

  @Test func noiseIsThatOfTheDataSheet() {
    var scenario = Scenario.town
    scenario.road = [RoadElement(.stop(seconds: 300), speed: 10)]
    var model = quiet
    (model.noise, model.quantum) = (1.3, 0.16)
    scenario.barometer = model
    var statistics = Statistics()
    for (_, _, error) in errors(scenario) { statistics.add(error) }
    // 12 Pa are a metre at sea level, 11.5 at 430 m.
    #expect(statistics.count == 3001 && abs(statistics.sigma * 11.5 - 1.3) < 0.08)
  }

  @Test func aBarometerChangesNoOtherSensor() {
    var scenario = Scenario.town
    let without = Simulator(scenario: scenario, seed: 4).run()
    scenario.barometer = BarometerModel()
    let with = Simulator(scenario: scenario, seed: 4).run()
    #expect(with.samples.filter { $0.kind != .pressure } == without.samples)
    #expect(with.description.barometer == "simulated, 10.0 Hz" && without.description.barometer == nil)
  }

  @Test func aScenarioOfAFileHasItsKeys() throws {
    let json = """
      {"name": "x", "start": {"latitudeDegrees": 1, "longitudeDegrees": 2}, "road": [{"do": "stop", "seconds": 1}],
       "barometer": {"rateHz": 25, "noisePascal": 0.75, "window": {"fromSeconds": 3, "toSeconds": 9}}}
      """
    let barometer = try #require(try Scenario(json: .init(json.utf8)).barometer)
    #expect(barometer.rate == 25 && barometer.noise == 0.75 && barometer.windowFrom == 3)
    #expect(barometer.windowTo == 9 && barometer.windowCoefficient == -0.2)
    let wrong = json.replacing("noisePascal", with: "noise")
    #expect(throws: SimulationError.self) { try Scenario(json: .init(wrong.utf8)) }
  }
}
