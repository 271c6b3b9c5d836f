import Navigation
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
}
