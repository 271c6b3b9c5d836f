import Foundation
import TestParts
import Testing

import CompatibleOutputs

@Suite(.serialized, .timeLimit(.minutes(5))) struct GPSDServerTests {
  private func client(_ outputs: CompatibleOutputs) throws -> TestClient {
    let port = try #require(outputs.gpsdPort)
    return try #require(TestClient(port: port))
  }

  private let watch = "?WATCH={\"enable\":true,\"json\":true};\n"

  @Test func aPortThatIsTakenIsSaidInTheSystemsWords() async throws {
    try await withOutputs { outputs in
      var settings = someSettings()
      let port = try #require(outputs.gpsdPort)
      settings.gpsd = .init(port: port)
      let other = try CompatibleOutputs(settings)
      let taken = CompatibleOutputsError.cannotListen(
        on: "127.0.0.1:\(port)", reason: "Address already in use")
      await #expect(throws: taken) { try await other.start() }
    }
  }

  @Test func aClientIsGreetedAndServed() async throws {
    try await withOutputs { outputs in
      let client = try client(outputs)
      #expect(parseJSON(try client.line().utf8).text("class") == "VERSION")
      client.send(watch)
      #expect(parseJSON(try client.line().utf8).text("class") == "DEVICES")
      #expect(parseJSON(try client.line().utf8).text("class") == "WATCH")
      outputs.publish(sky: someSky, utcNanoseconds: someUTC)
      outputs.publish(someReport())
      #expect(try client.object("SKY").number("uSat") == 6)
      #expect(try client.object("TPV").number("lat") == 48.1173)
      #expect(try client.object("ATT").number("heading") == 53)
      client.send("?WATCH={\"json\":false,\"nmea\":true};")
      _ = try client.object("WATCH")
      outputs.publish(someReport())
      // The satellites published before stand for the fix.
      let gga = try #require(ParsedSentence(try client.line()))
      #expect(gga.fields[0] == "GNGGA" && gga.fields[7] == "06")
      client.send("?WATCH={\"enable\":false};?POLL;")
      _ = try client.line()
      _ = try client.line()
      #expect(throws: TestClient.End.timeout) {
        _ = try client.object("POLL")
        outputs.publish(someReport())
        _ = try client.line(within: 0.3)
      }
    }
  }

  @Test func aRequestCutIntoPacketsAndSeveralInOneAreAnswered() async throws {
    try await withOutputs { outputs in
      let client = try client(outputs)
      _ = try client.line()
      for character in watch {
        client.send(String(character))
        try await Task.sleep(for: .milliseconds(2))
      }
      _ = try client.object("WATCH")
      client.send("?VERSION;?DEVICES;?FOO;\n?POLL;")
      #expect(
        try (0..<4).map { _ in parseJSON(try client.line().utf8).text("class") } == [
          "VERSION", "DEVICES", "ERROR", "POLL",
        ])
    }
  }

  /// What is wrong with one client stays with it.
  @Test func hostileClientsCostOnlyTheirOwnConnection() async throws {
    try await withOutputs { outputs in
      let good = try client(outputs)
      good.send(watch)
      _ = try good.object("WATCH")
      try await Publisher.running(outputs, hertz: 50) {
        // Too long.
        let long = try client(outputs)
        _ = try long.line()
        long.send("?WATCH={\"device\":\"" + String(repeating: "x", count: 20_000))
        #expect(try long.object("ERROR").text("message") == "Request longer than 8192 bytes")
        #expect(long.isClosed(within: 5))
        // Random bytes, by 20 clients that then vanish.
        var random = Dice(seed: 1005)
        for _ in 0..<20 {
          let binary = try client(outputs)
          binary.send((0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        // Gone with a reset in the middle of a request.
        for _ in 0..<20 {
          let rude = try client(outputs)
          var linger = linger(l_onoff: 1, l_linger: 0)
          setsockopt(
            rude.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
          rude.send(watch + "?WATCH={\"en")
        }
        // Half closed, as netcat leaves it: closed by us.
        let half = try client(outputs)
        shutdown(half.descriptor, Int32(SHUT_WR))
        #expect(half.isClosed(within: 5))
        // The good one has seen none of it.
        var newest = 0.0
        for _ in 0..<20 {
          let latitude = try #require(try good.object("TPV").number("lat"))
          #expect(latitude > newest)
          newest = latitude
        }
      }
    }
  }

  /// A client that never reads: the others get every report, what is kept for it stays small, and
  /// it is closed in the end.
  @Test func aClientThatNeverReadsIsDroppedAndClosed() async throws {
    var settings = someSettings()
    settings.stallLimitSeconds = 1.5
    try await withOutputs(settings) { outputs in
      let port = try #require(outputs.gpsdPort)
      let stopped = try #require(TestClient(port: port, receiveBuffer: 2048))
      stopped.send(watch)
      let good = try client(outputs)
      good.send(watch)
      _ = try good.object("WATCH")
      try await Publisher.running(outputs, hertz: 100) {
        let begin = Date()
        var count = 0
        while Date().timeIntervalSince(begin) < 4 {
          _ = try good.object("TPV")
          count += 1
        }
        #expect(count > 100)
      }
      // It finds what the kernel held for it, some tens of kilobytes, and the end.
      var bytes = 0
      while let line = try? stopped.line(within: 2) { bytes += line.utf8.count }
      #expect(bytes < 300_000)
      #expect(stopped.isClosed(within: 5))
    }
  }

  /// After a pause a client goes on with the newest report, not with those that it missed.
  @Test func aClientThatComesBackGetsTheNewestReport() async throws {
    try await withOutputs { outputs in
      let port = try #require(outputs.gpsdPort)
      let slow = try #require(TestClient(port: port, receiveBuffer: 2048))
      slow.send(watch)
      _ = try slow.object("WATCH")
      // Far more than the sockets hold, and then one more while it still does not read.
      for i in 0..<4_000 {
        outputs.publish(Publisher.report(i, hertz: 10))
        if i % 20 == 0 { try await Task.sleep(for: .milliseconds(2)) }
      }
      try await Task.sleep(for: .milliseconds(200))
      let newest = Publisher.latitude(after: 399.9)
      var count = 0
      var last = 0.0
      while last < newest - 1e-8, count < 4_000 {
        last = try #require(try slow.object("TPV", within: 5).number("lat"))
        count += 1
      }
      #expect(count < 1_000)
    }
  }

  /// Requests without end from a client that never reads fill nothing but its own small outbox; they
  /// wait and are all answered.
  @Test func requestsWaitUntilTheirAnswersAreTakenIn() async throws {
    try await withOutputs { outputs in
      outputs.publish(someReport())
      let flood = try client(outputs)
      _ = try flood.line()
      let count = 3_000
      let sender = Thread { flood.send(String(repeating: "?POLL;", count: count)) }
      sender.start()
      try await Task.sleep(for: .milliseconds(500))
      for _ in 0..<count { _ = try flood.object("POLL") }
    }
  }

  @Test func moreClientsThanAllowedAreToldSo() async throws {
    var settings = someSettings()
    settings.maximumClients = 20
    try await withOutputs(settings) { outputs in
      let good = try client(outputs)
      good.send(watch)
      _ = try good.object("WATCH")
      try await Publisher.running(outputs, hertz: 20) {
        var clients: [TestClient] = []
        for _ in 0..<19 {
          let watching = try client(outputs)
          watching.send(watch)
          _ = try watching.object("WATCH")
          clients.append(watching)
        }
        let late = try (0..<281).map { _ in try client(outputs) }
        for each in late { #expect(parseJSON(try each.line().utf8).text("class") == "ERROR") }
        for _ in 0..<5 { _ = try good.object("TPV") }
        // Room that is made is used again.
        clients = []
        var again: TestClient?
        for _ in 0..<500 where again == nil {
          try await Task.sleep(for: .milliseconds(20))
          let next = try client(outputs)
          if parseJSON(try next.line().utf8).text("class") == "VERSION" { again = next }
        }
        #expect(again != nil)
      }
    }
  }

  @Test func thoseWhoOnlyConnectKeepNobodyOut() async throws {
    var settings = someSettings()
    settings.maximumClients = 20
    try await withOutputs(settings) { outputs in
      let good = try client(outputs)
      good.send(watch)
      _ = try good.object("WATCH")
      var idle: [TestClient] = []
      for _ in 0..<100 { idle.append(try client(outputs)) }
      let late = try client(outputs)
      late.send(watch)
      _ = try late.object("WATCH")
      outputs.publish(someReport())
      for each in [good, late] { _ = try each.object("TPV") }
    }
  }

  @Test func aClientThatAsksForNothingIsClosedInTheEnd() async throws {
    var settings = someSettings()
    settings.idleLimitSeconds = 0.5
    try await withOutputs(settings) { outputs in
      let idle = try client(outputs)
      let watching = try client(outputs)
      watching.send(watch)
      _ = try watching.object("WATCH")
      #expect(idle.isClosed(within: 5))
      outputs.publish(someReport())
      _ = try watching.object("TPV")
    }
  }

  @Test func stoppingClosesAllAndPublishingAfterItDoesNothing() async throws {
    let outputs = try CompatibleOutputs(someSettings())
    let running = Task { try await outputs.run() }
    while outputs.gpsdPort == nil { try await Task.sleep(for: .milliseconds(5)) }
    let port = try #require(outputs.gpsdPort)
    let client = try #require(TestClient(port: port))
    client.send(watch)
    _ = try client.object("WATCH")
    let publisher = Publisher(outputs, hertz: 200)
    _ = try client.object("TPV")
    running.cancel()
    try await running.value
    #expect(client.isClosed(within: 1))
    #expect(TestClient(port: port) == nil)
    publisher.stop()
    outputs.publish(someReport())
    await outputs.stop()
  }

  @Test func aPortThatIsTakenIsAnError() async throws {
    try await withOutputs { outputs in
      var settings = someSettings()
      settings.gpsd?.port = try #require(outputs.gpsdPort)
      let second = try CompatibleOutputs(settings)
      await #expect(throws: CompatibleOutputsError.self) { try await second.start() }
    }
  }

  @Test func settingsAreChecked() {
    for change: (inout CompatibleOutputsSettings) -> Void in [
      { $0.gpsd?.port = 65_536 }, { $0.gpsd?.port = -1 }, { $0.gpsd?.host = "" }, { $0.deviceName = "" },
      { $0.deviceName = "é" }, { $0.maximumClients = 0 }, { $0.stallLimitSeconds = .nan },
      { $0.idleLimitSeconds = 0 }, { $0.nmeaSocket = .init(path: String(repeating: "a", count: 108)) },
      { $0.terminal = .init(link: "") },
    ] {
      var settings = someSettings()
      change(&settings)
      #expect(throws: CompatibleOutputsError.self) { _ = try CompatibleOutputs(settings) }
    }
  }
}
