import Foundation
import JSON
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// Browsers, and what says that it is one, that mean harm.
@Suite(.serialized) struct LivePageHostileTests {
  private let bench: PageBench

  init() throws { bench = try PageBench() }

  /// Whether a browser, and a client at the socket, are still served.
  private func expectServed(north: Double) throws {
    let answer = bench.answer(bench.request("/?token=\(bench.token)"))
    #expect(answer?.hasPrefix("HTTP/1.1 200") == true)
    let client = try bench.bench.client()
    client.say(.start(session: 1))
    bench.publish(north: north)
    let place = Made.location(north: north, at: 0).coordinate
    #expect(client.first { $0.locations.contains { $0.coordinate == place } } != nil)
  }

  @Test(arguments: [
    "nonsense\r\n\r\n", "\u{0}\u{1}\r\n\r\n", "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n", "GET /\r\n\r\n",
    "GET / HTTP/9.9\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ]) func whatIsNoRequestIsRefused(request: String) throws {
    let said = try #require(bench.answer(request))
    #expect(said.isEmpty || said.hasPrefix("HTTP/1.1 4") || said.hasPrefix("HTTP/1.1 5"), "\(said)")
    try expectServed(north: 1)
  }

  @Test func aHeadWithoutEndIsCutOffBeforeItIsLong() throws {
    for part in ["a", "X: \(String(repeating: "b", count: 60))\r\n"] {
      for start in ["GET /", "GET / HTTP/1.1\r\nHost: a\r\n"] {
        let connection = MetricsPage.connect(bench.port)
        defer { close(connection) }
        let bytes = Array((start + String(repeating: part, count: 4096)).utf8)
        var sent = 0
        // 100 MB, of which it takes no more than the kernel's buffers hold.
        for _ in 0..<(100_000_000 / bytes.count) {
          let count = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
          if count < 0 { break }
          sent += count
        }
        #expect(sent < 10_000_000, "\(sent)")
      }
    }
    try expectServed(north: 2)
  }

  @Test func aBodyOrASecondRequestEndsTheConnection() throws {
    let ask = bench.request("/events?token=\(bench.token)", ["Content-Length: 5"])
    #expect(EventStream(MetricsPage.connect(bench.port), ask + "hello").ends(within: 2))
    let two = bench.request("/events?token=\(bench.token)")
    #expect(EventStream(MetricsPage.connect(bench.port), two + two).ends(within: 2))
    try expectServed(north: 3)
  }

  @Test func thoseWhoOnlyConnectDoNotKeepThePageFromItsOwner() throws {
    let idle = (0..<200).map { _ in MetricsPage.connect(bench.port) }
    defer { idle.forEach { close($0) } }
    try expectServed(north: 4)
    // The oldest were hung up on at once, and the others are after five seconds, on a
    // busy machine some later.
    var open = idle
    for _ in 0..<200 where !open.isEmpty {
      usleep(100_000)
      open.removeAll { descriptor in
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN
      }
    }
    #expect(open.isEmpty, "\(open.count)")
    try expectServed(north: 5)
  }

  @Test func onlySoManyPagesAreOpenAtOnce() throws {
    var streams = (0..<8).map { _ in bench.stream() }
    #expect(streams.allSatisfy { $0.status == "200" })
    #expect(bench.stream().status == "503")
    streams.removeLast()
    var status = ""
    for _ in 0..<50 where status != "200" {
      status = bench.stream().status
      usleep(20_000)
    }
    #expect(status == "200")
  }

  @Test func aPageThatReadsNothingIsHungUpOnAndHoldsNothing() throws {
    let connection = MetricsPage.connect(bench.port)
    defer { close(connection) }
    var small: Int32 = 2048
    setsockopt(connection, SOL_SOCKET, SO_RCVBUF, &small, socklen_t(MemoryLayout<Int32>.size))
    let request = Array(bench.request("/events?token=\(bench.token)").utf8)
    #expect(send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
    let reader = bench.stream()
    var fix = GNSSFix(
      time: Timestamp(seconds: 0), position: GeodeticPosition(latitude: 0.8, longitude: 0.2, height: 0))
    fix.positionSigma = .init(1, 1, 1)
    var (isEnded, seconds) = (false, 0.0)
    let start = BootClock.now()
    // Much is told: it is what waits for the slow one that must stay bounded.
    while !isEnded, seconds < 60 {
      var details = EngineDetails()
      let now = BootClock.now()
      details.fixes = (0..<64).map { .init(fix, at: now.advanced(bySeconds: Double($0) * 1e-3)) }
      bench.bench.host.publish(details: details)
      #expect(reader.first { _ in true } != nil)
      var polled = pollfd(fd: connection, events: Int16(POLLOUT), revents: 0)
      _ = poll(&polled, 1, 0)
      isEnded = polled.revents & Int16(POLLHUP | POLLERR) != 0
      seconds = BootClock.now().seconds(since: start)
    }
    #expect(isEnded && seconds > 9)
    try expectServed(north: 6)
  }

  @Test func fuzzedHeadsHarmNobody() throws {
    let stream = bench.stream()
    var random = Dice(seed: 17)
    let whole = Array(
      bench.request("/events?token=\(bench.token)", ["Origin: http://a", "Accept: */*"]).utf8)
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<(1 + random.next() % 4) {
        let at = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
        default: bytes.removeSubrange(at...)
        }
        if bytes.isEmpty { bytes = [10] }
      }
      let connection = MetricsPage.connect(bench.port)
      _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      if random.next() % 4 == 0 { usleep(2000) }
      close(connection)
    }
    bench.publish(north: 8)
    #expect(stream.first { $0["location"] != nil } != nil)
    try expectServed(north: 9)
  }
}
