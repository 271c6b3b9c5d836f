import Drives
import Evaluation
import Navigation
import Testing

@Suite struct StandstillTimingTests {
  private func truth(_ time: Double, _ speed: Double) -> TruthSample {
    TruthSample(
      time: Timestamp(seconds: time), position: GeodeticPosition(latitude: 0, longitude: 0, height: 0),
      velocityNED: Vector3(speed, 0, 0))
  }

  @Test func delaysAreThoseOfTheTruth() {
    var timing = StandstillTiming()
    // Drives until 1 s, stands until 5 s, drives again; the engine says so 0.6 s
    // late, and lets go 0.3 s late.
    for step in 0..<100 {
      let time = Double(step) / 10
      timing.add(
        isStanding: time > 1.55 && time < 5.25, truth: truth(time, time < 0.95 || time > 4.95 ? 3 : 0))
    }
    #expect(timing.found.count == 1 && abs(timing.found[0] - 0.6) < 1e-9)
    #expect(timing.released.count == 1 && abs(timing.released[0] - 0.3) < 1e-9)
    #expect(abs(timing.falseStop - 0.3) < 1e-9)
  }

  @Test func aStopThatIsNotFoundHasNoRelease() {
    var timing = StandstillTiming()
    for step in 0..<100 { timing.add(isStanding: false, truth: truth(Double(step) / 10, step < 50 ? 0 : 2)) }
    #expect(timing.found.isEmpty && timing.released.isEmpty && timing.falseStop == 0)
  }
}
