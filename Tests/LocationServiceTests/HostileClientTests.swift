import CLibrary
import JSON
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// Clients that mean harm cost the service their own connection and no more. Every
/// wait ends after 5 s at most.
@Suite(.serialized) struct HostileClientTests {
  /// A client that does as it should, to be asked whether the service still serves.
  private func calm(_ bench: HostBench) throws -> RawClient {
    let client = try bench.client()
    client.say(.start(session: 1))
    client.say(.requestRegions)
    try #require(client.first { $0 == .regions([]) } != nil)
    return client
  }

  private func expectServed(_ client: RawClient, by bench: HostBench, north: Double) {
    usleep(110_000)  // Updates come ten times a second at most.
    bench.publish(north: north)
    let place = Made.location(north: north, at: 0).coordinate
    #expect(client.first { $0.locations.contains { $0.coordinate == place } } != nil)
  }

  @Test func fuzzedLinesOnLiveConnectionsHarmNobodyElse() throws {
    let bench = try HostBench { $0.limits.connectionsPerUser = 250 }
    let calm = try calm(bench)
    var random = Dice(seed: 1)
    let lines = WireTests.clientMessages.map { Array(($0.json.text + "\n").utf8) }
    for round in 0..<400 {
      let wild = try bench.client(hello: round.isMultiple(of: 2))
      for _ in 0..<Int(random.next() % 8) {
        var line = lines[Int(random.next() % UInt64(lines.count))]
        for _ in 0..<Int(random.next() % 4) {
          let at = Int(random.next() % UInt64(line.count))
          switch random.next() % 4 {
          case 0: line[at] = UInt8(truncatingIfNeeded: random.next())
          case 1: line.remove(at: at)
          case 2: line.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
          default: line.removeSubrange(at...)
          }
          if line.isEmpty { line = [10] }
        }
        wild.send(line)
      }
      // Some read what they are told, most leave in the middle of it.
      if random.next() % 4 == 0 { _ = wild.next(within: 0.01) }
    }
    expectServed(calm, by: bench, north: 7)
  }

  @Test func aLineByteByByteIsALine() throws {
    let bench = try HostBench()
    let client = try bench.client(hello: false)
    for byte in (ClientMessage.hello(version: 1, name: "raw", purpose: "to test").json.text + "\n").utf8 {
      client.send([byte])
      usleep(100)
    }
    #expect(client.next() == .welcome(version: 1, accuracy: .full))
  }

  @Test func aClientThatHangsUpHalfwayIsGone() throws {
    let bench = try HostBench()
    let calm = try calm(bench)
    for _ in 0..<50 {
      let client = try bench.client()
      client.send("{\"type\":\"sta")
      shutdown(client.descriptor, Int32(SHUT_WR))
      // Whoever says no more is told no more.
      while client.next(within: 5) != nil {}
      #expect(client.isEnded)
    }
    expectServed(calm, by: bench, north: 3)
    #expect(bench.host.takeStatistics().connections == 1)
  }

  @Test func aClientThatAsksAndNeverReadsIsCutOff() throws {
    let bench = try HostBench { $0.limits.messagesPerSecond = 100_000 }
    let calm = try calm(bench)
    let greedy = try bench.client()
    let question = Array((ClientMessage.requestState(identifier: "nowhere").json.text + "\n").utf8)
    var (asked, end) = (0, UnixSocket.Transfer.wait)
    // Answers may not be dropped: what the kernel, the connection and the outbox do not hold makes the
    // service give the client up.
    for _ in 0..<200_000 where end != .ended {
      end = UnixSocket.write(greedy.descriptor, question[...])
      if end == .wait { usleep(1000) } else { asked += 1 }
    }
    #expect(end == .ended && asked > 1000)
    expectServed(calm, by: bench, north: 5)
    for _ in 0..<50 where bench.host.takeStatistics().connections > 1 { usleep(100_000) }
    #expect(bench.host.takeStatistics().connections == 1)
  }

  @Test func whatWaitsForAClientThatNeverReadsStaysBounded() throws {
    let bench = try HostBench()
    let (stopped, quick) = (try calm(bench), try calm(bench))
    var (told, lost) = ([0, 0], [0, 0])
    for round in 0..<2 {
      for i in 0..<2000 {
        var location = Made.location(north: Double(i), at: 0)
        location.timestamp = Timestamp(seconds: Double(round * 2000 + i))
        bench.host.publish(.init(location: location, sources: 1), utc: nil)
        let answer = quick.first {
          told[round] += $0.locations.count
          return $0.locations.last?.timestamp == location.timestamp
        }
        try #require(answer != nil)
      }
      // What is counted is shown at the end of each time round the loop: an answer after that has it all.
      quick.say(.requestRegions)
      try #require(quick.first { $0 == .regions([]) } != nil)
      lost[round] = bench.host.takeStatistics().lostLocations
    }
    // Once all that holds anything is full, each new location costs an old one.
    #expect(told[0] >= 2000 && lost[1] - lost[0] == told[1])
    var held = 0
    while let message = stopped.next(within: 0.5) { held += message.locations.count }
    #expect(held + lost[1] == told[0] + told[1])
  }
}
