import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

@Suite(.timeLimit(.minutes(5))) struct GPSDClockTests {
  /// By name, too: `localhost` may first be an address at which nobody listens.
  @Test func messagesAndPulsesOfAReceiverOnThisComputerCompareItsClockWithOurs() throws {
    let listener = try Listener()
    let log = EventLog()
    let source = try GPSDSource(
      id: SourceID(0), address: GPSDAddress(host: "localhost", port: listener.port), sink: log.sink)
    source.start()
    try #require(listener.accept() && listener.line()?.contains("\"pps\":true") == true)
    listener.send("\(FakeGPSD.version)\r\n{\"class\":\"DEVICES\",\"devices\":[\(FakeGPSD.device)]}\r\n")
    let moments = #""real_sec":1779814365,"real_nsec":0,"clock_sec":1779814365,"clock_nsec":"#
    listener.send(#"{"class":"TOFF","device":"/dev/x",\#(moments)125000000}"# + "\r\n")
    listener.send(#"{"class":"PPS","device":"/dev/x",\#(moments)1250,"precision":-20}"# + "\r\n")
    #expect(becomesTrue(within: 5) { log.clocks.count == 2 })
    let (message, pulse) = (try #require(log.clocks.first), try #require(log.clocks.last))
    #expect(!message.isPulse && pulse.isPulse)
    #expect(message.clock == .receiver && message.reference == .realtime)
    #expect(pulse.referenceTime.nanoseconds - pulse.time.nanoseconds == 1250)
    #expect(message.referenceTime.nanoseconds - message.time.nanoseconds == 125_000_000)
    #expect(pulse.uncertainty < message.uncertainty)
    #expect(source.stop(within: 2))
  }
}
