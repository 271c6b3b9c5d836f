import Fusion
import Live
import SensorEvents
import Simulation
import Testing

struct BarometerEventTests {
  private static let samples: [SensorSample] = {
    var scenario = Scenario.town
    scenario.barometer = BarometerModel()
    return Simulator(scenario: scenario, seed: 5).run().samples
  }()

  @Test func pressuresReachTheEngineAndHoldTheHeight() throws {
    var engine = LiveEngine()
    let events = MadeEvents().events(Self.samples)
    for event in events { engine.process(event) }
    let count = engine.measurements[.barometer]
    #expect(engine.pressureSource == MadeEvents.barometer)
    #expect(count.used > 200 && count.refused < 5, "\(count)")
    let end = try #require(engine.newestArrival)
    let source = try #require(engine.status(at: end).sources.first { $0.id == MadeEvents.barometer })
    #expect(source.role == .pressure && source.refusals.total == 0)
    #expect(source.rate.map { abs($0 - 10) < 0.5 } == true)
  }

  @Test func pressuresThatCannotBeAndThoseOfAFaultySourceAreNotUsed() {
    var engine = LiveEngine()
    func say(_ content: SensorEvent.Content, _ second: Double) {
      engine.process(
        SensorEvent(source: MadeEvents.barometer, arrival: MadeEvents.host(second), content: content))
    }
    say(.pressure(PressureReading(pressure: .nan)), 1)
    #expect(engine.fused == nil)
    say(.pressure(PressureReading(pressure: 1013)), 1.1)
    #expect(engine.fused == nil)
    say(.pressure(PressureReading(pressure: 101_300)), 1.2)
    #expect(engine.fused?.kind == .pressure)
    say(.status(SourceStatus(.faulty, "it has stuck")), 1.3)
    say(.pressure(PressureReading(pressure: 101_300)), 1.4)
    #expect(engine.fused == nil)
    let refused = engine.status(at: MadeEvents.host(1.5)).sources[0].refusals.unusable
    #expect(refused == 3)
  }
}
