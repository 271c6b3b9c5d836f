import Navigation
import SensorEvents
import Sensors
import Testing

@Suite struct WheelProtocolTests {
  @Test func speedYawAndTimeAreRead() throws {
    var wheel = WheelProtocol()
    #expect(try wheel.read("speed 13.9") == WheelReading(speed: 13.9))
    #expect(try wheel.read("  yaw -0.05\tspeed 1e1 \r") == WheelReading(speed: 10, yawRate: -0.05))
    let reading = try wheel.read("speed -2 time 1763760000.123456789 realtime")
    #expect(reading?.time?.nanoseconds == 1_763_760_000_123_456_789 && reading?.clock == .realtime)
    #expect(reading?.speed == -2)
    #expect(try wheel.read("speed 0 time 5 boottime")?.time?.nanoseconds == 5_000_000_000)
    #expect(try wheel.read("") == nil)
    #expect(try wheel.read("# speed 5") == nil)
  }

  @Test func reverseGearHoldsUntilItIsTakenOut() throws {
    var wheel = WheelProtocol()
    #expect(try wheel.read("gear reverse") == nil)
    #expect(try wheel.read("speed 1.5")?.speed == -1.5)
    #expect(try wheel.read("speed -1.5")?.speed == -1.5, "a sign that is given stays")
    #expect(try wheel.read("speed 2 gear forward")?.speed == 2)
    #expect(try wheel.read("speed 2")?.speed == 2)
  }

  @Test(arguments: [
    "speed", "speed fast", "speed nan", "speed 1000", "yaw 1", "speed 1 yaw 100", "time 1 boottime",
    "speed 1 time 1",
    "speed 1 time 1 noon", "speed 1 time -1 tai", "speed 1 time 1. tai", "speed 1 time 99999999999 tai",
    "gear 4",
    "gear reverse speed x", "{\"speed\": 1}", "13.9",
  ])
  func lineThatCannotBeReadChangesNothing(line: String) throws {
    var wheel = WheelProtocol()
    #expect(throws: WheelProtocol.Refusal.self) { try wheel.read(line) }
    #expect(try wheel.read("speed 3")?.speed == 3)
  }
}
