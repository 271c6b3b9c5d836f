import Navigation
import SensorEvents
import Sensors
import Testing

@Suite(.serialized, .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct RealGPSDTests {
  @Test(.timeLimit(.minutes(1))) func fixesOfAnNMEALogArrive() throws {
    let feed = try Listener()
    let gpsd = try RealGPSD(sources: ["tcp://127.0.0.1:\(feed.port)"])
    let log = EventLog()
    let source = try GPSDSource(
      id: SourceID(0), address: GPSDAddress(host: "127.0.0.1", port: gpsd.port), sink: log.sink)
    try source.start()
    try #require(feed.accept())
    let sentences = NMEALog.drive(seconds: 20)
    for s in sentences { #expect(feed.send(s.text)) }
    print(becomesTrue(within: 10) { log.fixes.count >= 10 })
    for e in log.all { print(e) }
    print(source.counts)
    #expect(source.stop(within: 1))
  }
}
