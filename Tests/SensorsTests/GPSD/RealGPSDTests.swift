import CLibrary
import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

/// A real gpsd and a small log of our own.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: RealGPSD.isInstalled, "gpsd is not installed"))
struct RealGPSDTests {
  private func isFix(_ reading: FixReading, of epoch: NMEALog.Epoch) -> Bool {
    reading.fix.time == Timestamp(seconds: 1_717_243_200 + Double(epoch.second))
      // NMEA has five decimals of a minute.
      && reading.fix.position.latitudeDegrees.isClose(to: epoch.latitudeDegrees, within: 1e-7)
      && reading.fix.position.longitudeDegrees.isClose(to: epoch.longitudeDegrees, within: 1e-7)
  }

  @Test func fixesSatellitesAndClocksArrive() throws {
    let feed = try Listener()
    let gpsd = try RealGPSD(sources: ["tcp://127.0.0.1:\(feed.port)"])
    let log = EventLog()
    let source = try GPSDSource(id: 3, port: gpsd.port, log: log)
    let before = HostClock.now()
    source.start()
    try #require(feed.accept())
    let drive = NMEALog.drive(seconds: 30)
    for epoch in drive { try #require(feed.send(epoch.text)) }
    // gpsd holds the last epoch back until another one begins.
    #expect(
      becomesTrue(within: 10) {
        drive.dropLast().allSatisfy { epoch in log.fixes.contains { isFix($0, of: epoch) } }
      })
    // The height comes in the first epoch's second report and in every later one.
    for reading in log.fixes.dropFirst() {
      #expect(reading.dimensions == .three)
      let seaLevel = try #require(reading.heightAboveSeaLevel)
      #expect(reading.fix.position.height.isClose(to: seaLevel + 44.6, within: 1e-6))
      let velocity = try #require(reading.fix.velocityNED)
      #expect(velocity.horizontalNorm.isClose(to: drive[0].speed, within: 1e-3))
      #expect(velocity.x.isClose(to: 15.001 * 0.634_731, within: 1e-3))
    }
    // From the second epoch on the receiver's own statistics are known.
    #expect(log.fixes.last?.fix.positionSigma.map { $0.x.isClose(to: 3.1, within: 1e-3) } == true)
    #expect(log.skies.last?.visible == 3 && log.skies.last?.hdop == 0.9)
    #expect(log.skies.last?.satellites.first?.strength == 46)
    let clocks = try #require(log.clocks.first)
    #expect(clocks.clock == .receiver && clocks.reference == .realtime && !clocks.isPulse)
    #expect(abs(clocks.referenceTime.seconds(since: HostClock.read(.realtime))) < 60)
    #expect(log.has(.streaming))
    #expect(source.stop(within: 2))
    let after = HostClock.now()
    let arrivals = log.all.map(\.arrival)
    #expect(arrivals.allSatisfy { $0 >= before && $0 <= after })
    #expect(arrivals == arrivals.sorted())
    #expect(log.all.allSatisfy { $0.source == SourceID(3) })
  }

  @Test func aGPSDThatIsKilledIsLostWithinASecondAndFoundAgain() throws {
    let feed = try Listener()
    let gpsd = try RealGPSD(sources: ["tcp://127.0.0.1:\(feed.port)"])
    let log = EventLog()
    let source = try GPSDSource(id: 0, port: gpsd.port, log: log)
    source.start()
    let drive = NMEALog.drive(seconds: 40)
    try #require(feed.accept())
    for epoch in drive[..<20] { try #require(feed.send(epoch.text)) }
    try #require(becomesTrue(within: 10) { log.fixes.count >= 19 })
    let before = log.all.count
    gpsd.kill()
    #expect(becomesTrue(within: 1) { log.has(.lost, from: before) })
    try gpsd.restart()
    try #require(feed.accept(within: 10))
    for epoch in drive[20...] { try #require(feed.send(epoch.text)) }
    #expect(becomesTrue(within: 10) { log.fixes.contains { isFix($0, of: drive[38]) } })
    #expect(log.has(.streaming, from: before))
    #expect(source.counts.connections == 2)
    #expect(source.stop(within: 2))
  }

  @Test func ofTwoReceiversOneIsListenedTo() throws {
    let (first, second) = (try Listener(), try Listener())
    let gpsd = try RealGPSD(sources: [first, second].map { "tcp://127.0.0.1:\($0.port)" })
    let (free, named) = (EventLog(), EventLog())
    let anyone = try GPSDSource(id: 0, port: gpsd.port, log: free)
    let one = try GPSDSource(
      id: SourceID(1),
      address: GPSDAddress(host: "127.0.0.1", port: gpsd.port, device: "tcp://127.0.0.1:\(second.port)"),
      sink: named.sink)
    anyone.start()
    one.start()
    try #require(first.accept() && second.accept())
    try #require(becomesTrue(within: 5) { free.has(.connected, "3.22") || free.has(.connected, "no fix") })
    try #require(becomesTrue(within: 5) { named.has(.connected, "no fix") })
    let drive = NMEALog.drive(seconds: 30)
    // The second one drives somewhere else, and later.
    // One after the other: of epochs that come at once gpsd may report the last alone.
    func send(_ epochs: ArraySlice<NMEALog.Epoch>, from receiver: Listener) throws {
      for epoch in epochs {
        try #require(receiver.send(epoch.text))
        usleep(50_000)
      }
    }
    try send(drive[..<10], from: first)
    try #require(becomesTrue(within: 10) { free.fixes.count >= 9 })
    try send(drive[15...], from: second)
    #expect(becomesTrue(within: 10) { named.fixes.count >= 14 })
    #expect(free.fixes.allSatisfy { fix in drive[..<10].contains { isFix(fix, of: $0) } })
    #expect(named.fixes.allSatisfy { fix in drive[15...].contains { isFix(fix, of: $0) } })
    #expect(anyone.stop(within: 2) && one.stop(within: 2))
  }

  @Test func aReceiverThatFallsSilentIsFaulty() throws {
    let feed = try Listener()
    let gpsd = try RealGPSD(sources: ["tcp://127.0.0.1:\(feed.port)"])
    let log = EventLog()
    let source = try GPSDSource(id: 0, port: gpsd.port, log: log)
    source.start()
    try #require(feed.accept())
    for epoch in NMEALog.drive(seconds: 3) { try #require(feed.send(epoch.text)) }
    try #require(becomesTrue(within: 5) { log.has(.streaming) })
    #expect(becomesTrue(within: 8) { log.has(.faulty, "check its cable") })
    #expect(source.stop(within: 2))
  }

  @Test func aReceiverThatIsUnpluggedIsToldWithinASecondAndComesBackUnderAnotherName() throws {
    let (first, second) = (try Listener(), try Listener())
    let (old, new) = ("tcp://127.0.0.1:\(first.port)", "tcp://127.0.0.1:\(second.port)")
    let gpsd = try RealGPSD(sources: [old])
    let log = EventLog()
    let source = try GPSDSource(id: 0, port: gpsd.port, log: log)
    source.start()
    try #require(first.accept())
    let drive = NMEALog.drive(seconds: 30)
    for epoch in drive[..<10] { try #require(first.send(epoch.text)) }
    try #require(becomesTrue(within: 10) { log.fixes.count >= 9 })
    let before = log.all.count
    #expect(gpsd.announce("-", old))
    #expect(becomesTrue(within: 1) { log.has(.faulty, old, from: before) })
    #expect(gpsd.announce("+", new))
    try #require(second.accept())
    for epoch in drive[10...] { try #require(second.send(epoch.text)) }
    #expect(becomesTrue(within: 10) { log.fixes.contains { isFix($0, of: drive[28]) } })
    #expect(log.has(.streaming, from: before))
    #expect(source.counts.connections == 1)
    #expect(source.stop(within: 2))
  }

  @Test func aGPSDWithoutReceiversSaysWhatToDo() throws {
    let gpsd = try RealGPSD(sources: [])
    let log = EventLog()
    let source = try GPSDSource(id: 0, port: gpsd.port, log: log)
    source.start()
    #expect(becomesTrue(within: 5) { log.has(.connected, "has no receiver") })
    #expect(source.stop(within: 2))
  }
}
