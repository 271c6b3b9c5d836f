import Navigation
import SensorEvents
import Sensors
import Testing

struct HostClockTests {
  @Test func theHostClockNeverGoesBack() {
    var last = HostClock.now()
    for _ in 0..<1000 {
      let now = HostClock.now()
      #expect(now >= last)
      last = now
    }
  }

  @Test(arguments: [ClockKind.monotonic, .realtime, .tai, .host])
  func aComparisonLiesBetweenReadings(clock: ClockKind) {
    let before = (HostClock.now(), HostClock.read(clock))
    let comparison = HostClock.compare(clock)
    let after = (HostClock.now(), HostClock.read(clock))
    #expect(comparison.clock == clock && comparison.reference == .host)
    #expect(before.0 <= comparison.referenceTime && comparison.referenceTime <= after.0)
    #expect(before.1 <= comparison.time && comparison.time <= after.1)
    #expect(comparison.uncertainty > 0)
    #expect(!comparison.isPulse)
  }
}
