import CLibrary
import Navigation
import SensorEvents
import Sensors
import TestParts
import Testing

extension GPSDSource {
  convenience init(id: UInt8, port: UInt16, log: EventLog) throws {
    try self.init(id: SourceID(id), address: GPSDAddress(host: "127.0.0.1", port: port), sink: log.sink)
  }
}

/// A gpsd that misbehaves. Every wait is bounded; a test that hangs is ended by its limit.
@Suite(.timeLimit(.minutes(5))) struct GPSDFaultTests {
  /// CPU time of this process in seconds.
  private var processorTime: Double { Double(SystemClock.nanoseconds(CLOCK_PROCESS_CPUTIME_ID)) / 1e9 }

  @Test func aPartialLineIsWaitedForAndThenRead() throws {
    let gpsd = try FakeGPSD()
    gpsd.source.start()
    try #require(gpsd.greet())
    let line = gpsd.fix() + "\r\n"
    let half = line.index(line.startIndex, offsetBy: 40)
    gpsd.listener.send(String(line[..<half]))
    usleep(400_000)
    #expect(gpsd.log.fixes.isEmpty)
    gpsd.listener.send(String(line[half...]))
    #expect(becomesTrue(within: 5) { gpsd.log.fixes.count == 1 })
    #expect(gpsd.source.stop(within: 2))
  }

  @Test func longLinesGarbageAndHundredsOfSatellitesDoNotEndTheConnection() throws {
    let gpsd = try FakeGPSD()
    gpsd.source.start()
    try #require(gpsd.greet())
    #expect(gpsd.fixArrives())
    // 30 kB that libgps would read, of a class that it does not know.
    gpsd.listener.send("{\"class\":\"NEW\",\"text\":\"" + String(repeating: "x", count: 30_000) + "\"}\r\n")
    #expect(gpsd.fixArrives())
    gpsd.listener.send(String(repeating: "y", count: 300_000) + "\r\n")
    #expect(gpsd.fixArrives())
    gpsd.listener.send((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 7) } + [10])
    #expect(gpsd.fixArrives())
    gpsd.listener.send([0, 0, 0, 10, 255, 254, 10, 13, 10])
    #expect(gpsd.fixArrives())
    // libgps itself would never return from this one.
    let devices = String(repeating: FakeGPSD.device + ",", count: 5) + FakeGPSD.device
    gpsd.listener.send("{\"class\":\"DEVICES\",\"devices\":[\(devices)]}\r\n")
    #expect(gpsd.fixArrives())
    for count in [140, 141, 400] {
      let list = (1...count).map {
        "{\"PRN\":\($0),\"el\":40.0,\"az\":83.0,\"ss\":46.0,\"used\":true,\"gnssid\":0,\"svid\":1}"
      }
      gpsd.listener.send(
        "{\"class\":\"SKY\",\"device\":\"/dev/x\",\"hdop\":0.9,\"satellites\":[" + list.joined(separator: ",")
          + "]}\r\n")
      #expect(gpsd.fixArrives())
    }
    // libgps takes 140 satellites and refuses more.
    #expect(gpsd.log.skies.first?.used == 140)
    let counts = gpsd.source.counts
    #expect(counts.fixes == 9 && counts.connections == 1)
    #expect(counts.overlongLines == 1)
    #expect(gpsd.source.stop(within: 2))
  }

  @Test func aServerThatSaysNothingIsFaultyAndTriedAgain() throws {
    let gpsd = try FakeGPSD()
    gpsd.source.start()
    try #require(gpsd.listener.accept())
    #expect(becomesTrue(within: 8) { gpsd.log.has(.faulty, "no gpsd") })
    // The next connection is to a gpsd.
    try #require(gpsd.greet())
    #expect(gpsd.fixArrives())
    #expect(gpsd.source.stop(within: 2))
  }

  @Test func aRefusedConnectionIsToldAtOnceAndTriedAgain() throws {
    let port = try Listener.freePort()
    let log = EventLog()
    let source = try GPSDSource(id: 0, port: port, log: log)
    source.start()
    #expect(becomesTrue(within: 1) { log.has(.lost, "Connection refused") })
    // Said once, not at every try.
    usleep(1_200_000)
    #expect(log.statuses.count == 2)
    let listener = try Listener(port: port)
    #expect(listener.accept(within: 8))
    #expect(source.stop(within: 2))
  }

  @Test func aHostThatIsNotFoundIsTold() throws {
    let log = EventLog()
    let source = try GPSDSource(
      id: SourceID(0), address: GPSDAddress(host: "256.256.256.256", port: 2947), sink: log.sink)
    source.start()
    #expect(becomesTrue(within: 20) { log.has(.lost, "is not found") })
    #expect(source.stop(within: 2))
  }

  @Test func aConnectionThatEndsIsToldWithinASecondAndMadeAgain() throws {
    let gpsd = try FakeGPSD()
    gpsd.source.start()
    for round in 1...3 {
      try #require(gpsd.greet())
      #expect(gpsd.fixArrives())
      let before = gpsd.log.all.count
      gpsd.listener.hangUp()
      #expect(becomesTrue(within: 1) { gpsd.log.has(.lost, "closed", from: before) })
      #expect(gpsd.source.counts.connections == round)
      #expect(gpsd.source.counts.fixes == round)
    }
    #expect(gpsd.source.stop(within: 2))
  }

  @Test func nothingIsPostedAfterStopAndStopIsQuickWhateverGoesOn() throws {
    // While streaming, while waiting for bytes, and while waiting for the next try.
    let gpsd = try FakeGPSD()
    gpsd.source.start()
    try #require(gpsd.greet())
    #expect(gpsd.fixArrives())
    let before = HostClock.now()
    #expect(gpsd.source.stop(within: 5))
    #expect(HostClock.now().seconds(since: before) < 3)
    let count = gpsd.log.all.count
    _ = gpsd.sendFix()
    usleep(100_000)
    #expect(gpsd.log.all.count == count)

    let log = EventLog()
    let waiting = try GPSDSource(id: 0, port: try Listener.freePort(), log: log)
    waiting.start()
    #expect(becomesTrue(within: 2) { log.has(.lost) })
    #expect(waiting.stop(within: 5))
    // Never started, and stopped twice.
    let idle = try GPSDSource(id: 0, port: 1, log: log)
    #expect(idle.stop(within: 0.1) && idle.stop(within: 0.1))
  }

  @Test func aSinkThatBlocksDoesNotHoldUpStop() throws {
    let listener = try Listener()
    let log = EventLog()
    let source = try GPSDSource(
      id: SourceID(0), address: GPSDAddress(host: "127.0.0.1", port: listener.port),
      sink: {
        log.sink($0)
        usleep(4_000_000)
      })
    source.start()
    try #require(becomesTrue(within: 5) { !log.all.isEmpty })
    let before = HostClock.now()
    #expect(!source.stop(within: 0.2))
    #expect(HostClock.now().seconds(since: before) < 3)
    #expect(source.stop(within: 10))
  }

  @Test func waitingCostsNoProcessorTimeEvenWithAPartialLine() throws {
    let gpsd = try FakeGPSD()
    gpsd.source.start()
    try #require(gpsd.greet())
    gpsd.listener.send(#"{"class":"TPV","#)
    usleep(100_000)
    // Of the whole process, other tests included: so over some tries, the least counts. libgps would
    // spin through all of them.
    var least = Double.infinity
    for _ in 0..<100 {
      let before = (processorTime, HostClock.now())
      usleep(200_000)
      least = min(least, (processorTime - before.0) / HostClock.now().seconds(since: before.1))
      if least < 0.5 { break }
    }
    #expect(least < 0.5)
    #expect(gpsd.source.stop(within: 2))
  }
}
