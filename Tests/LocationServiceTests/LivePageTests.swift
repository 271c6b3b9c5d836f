import Foundation
import JSON
import Location
import LocationService
import Navigation
import TestParts
import Testing

/// The live page, asked by hand.
@Suite(.serialized) struct LivePageTests {
  private let scratch = ScratchFolder()
  private let page = ClientIdentity(name: "reckon-live-page", user: getuid())

  @Test func itsAddressIsItsOwnersAloneAndAnotherAfterEachStart() throws {
    let first = try PageBench()
    var status = stat()
    #expect(stat(first.addressFile, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let second = try PageBench()
    #expect(first.token != second.token)
    first.bench.host.stop(within: 5)
    #expect(stat(first.addressFile, &status) != 0)
  }

  @Test func anAddressFileThatSomebodyElseLaidIsNotWrittenThrough() throws {
    let folder = scratch.path
    try "other".write(toFile: folder + "/other", atomically: true, encoding: .utf8)
    for name in ["/address", "/address.partial-\(getpid())"] {
      #expect(symlink(folder + "/other", folder + name) == 0)
    }
    let bench = try HostBench { $0.page = .init(port: 0, addressFile: folder + "/address") }
    #expect(try PageBench.address(folder + "/address").port > 0)
    #expect(try String(contentsOfFile: folder + "/other", encoding: .utf8) == "other")
    #expect(bench.host.stop(within: 5))
    #expect(throws: LocationError.self) {
      _ = try HostBench { $0.page = .init(port: 0, addressFile: "/nowhere/address") }
    }
  }

  @Test func thePageFetchesNothingAndRunsNothingButItsOwn() throws {
    let bench = try PageBench()
    let answers = try (0..<2).map { _ in
      try #require(bench.answer(bench.request("/?token=\(bench.token)")))
    }
    for answer in answers {
      let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
      try #require(parts.count == 2)
      let head = parts[0].lowercased()
      #expect(head.hasPrefix("http/1.1 200 ok"))
      for line in [
        "cache-control: no-store", "x-content-type-options: nosniff", "referrer-policy: no-referrer",
        "x-frame-options: deny", "cross-origin-resource-policy: same-origin",
        "content-length: \(parts[1].utf8.count)",
      ] { #expect(head.contains("\r\n\(line)"), "\(line)") }
      let nonce = try #require(head.firstMatch(of: /script-src 'nonce-([0-9a-f]{64})'/)?.1)
      #expect(head.contains("default-src 'none'") && head.contains("frame-ancestors 'none'"))
      #expect(parts[1].contains("<script nonce=\"\(nonce)\">") && !parts[1].contains(bench.token))
      // Nothing that a browser would fetch, and no attribute that the policy forbids.
      for word in ["src=", "@import", "url(", "https://", " style=\"", " onclick"] {
        #expect(!parts[1].contains(word), "\(word)")
      }
    }
    #expect(answers[0] != answers[1])
  }

  /// Another site by its page, another site by its name, another user without the token.
  @Test func whoIsNotItsOwnPageIsToldNothing() throws {
    let bench = try PageBench()
    bench.publish(north: 0)
    let token = "?token=\(bench.token)"
    let wrong = "?token=\(String(bench.token.reversed()))"
    for path in ["/", "/events"] {
      for (request, status) in [
        (bench.request(path), "403"), (bench.request(path + wrong), "403"),
        (bench.request(path + token.dropLast()), "403"), (bench.request(path + token + "0"), "403"),
        (bench.request(path + "?token="), "403"), (bench.request(path + token + "&token="), "403"),
        (bench.request(path + token, host: "evil.example"), "421"),
        (bench.request(path + token, host: "127.0.0.1"), "421"),
        (bench.request(path + token, host: "127.0.0.1:\(bench.port).evil.example"), "421"),
        ("GET \(path)\(token) HTTP/1.0\r\n\r\n", "421"),
        (bench.request(path + token, ["Host: evil.example"]), "421"),
        (bench.request(path + token, ["Origin: http://evil.example"]), "403"),
        (bench.request(path + token, ["Origin: http://127.0.0.1:1"]), "403"),
        (bench.request(path + token, ["Origin: null"]), "403"),
        (bench.request(path + token, ["Sec-Fetch-Site: cross-site"]), "403"),
        (bench.request(path + token, ["Sec-Fetch-Site: same-site"]), "403"),
        (bench.request(path + token, method: "POST"), "405"),
        (bench.request(path + "x" + token), "404"),
      ] {
        let said = try #require(bench.answer(request))
        #expect(said.split(separator: " ").dropFirst().first.map(String.init) == status, "\(request)")
        #expect(!said.contains("<html") && !said.contains("latitude") && !said.contains(bench.token))
      }
    }
    let own = ["Origin: http://localhost:\(bench.port)", "Sec-Fetch-Site: same-origin"]
    let good = bench.answer(bench.request("/" + token, host: "localhost:\(bench.port)", own))
    #expect(good?.hasPrefix("HTTP/1.1 200") == true)
  }

  @Test func onlyTheLoopbackIsListenedAt() throws {
    #expect(MetricsPage.connect(try PageBench().port, 0x7F00_0002) == -1)
  }

  @Test func aPortThatIsTakenIsSaidWithItsKey() throws {
    let bench = try PageBench()
    let reason = "[web] port: 127.0.0.1:\(bench.port): Address already in use"
    #expect(throws: LocationError.serviceUnreachable(reason)) {
      _ = try HostBench { $0.page = .init(port: bench.port, addressFile: bench.addressFile + "2") }
    }
  }

  @Test func whatIsPublishedIsShownWithTheTenMinutesBefore() throws {
    let bench = try PageBench()
    bench.publish(north: 1, ago: 700)
    for i in 0..<5 { bench.publish(north: Double(10 + i), ago: Double(500 - 100 * i)) }
    let stream = bench.stream()
    #expect(stream.status == "200" && stream.head.lowercased().contains("content-type: text/event-stream"))
    let first = try #require(stream.first { !$0.points.isEmpty })
    #expect(first["isNew"] == .bool(true) && first["access"]?.string == "full")
    #expect(first.points.count == 5)
    let before = try #require(first.points.first?.array)
    #expect(abs((before[1].double ?? 0) - (48 + 10 / 111_195.08)) < 1e-7 && before[3].double == 5)
    #expect(before[5].string == "aided")
    bench.publish(north: 99, mode: .deadReckoning)
    let next = try #require(stream.first { !$0.points.isEmpty })
    #expect(next["isNew"] == nil && next.points.count == 1)
    #expect(next["location"]?["mode"]?.string == "deadReckoning")
    // It is in the audit, with what it was shown of before.
    let client = try bench.bench.client()
    client.say(.requestAuthorizations)
    let told = client.first {
      guard case .authorizations(_, let audit) = $0 else { return false }
      return audit.contains { $0.client == page && $0.count >= 6 }
    }
    #expect(told != nil || waitForAudit(client))
  }

  /// The audit is written every ten seconds.
  private func waitForAudit(_ client: RawClient) -> Bool {
    for _ in 0..<15 {
      sleep(1)
      client.say(.requestAuthorizations)
      let told = client.first(within: 1) {
        guard case .authorizations(_, let audit) = $0 else { return false }
        return audit.contains { $0.client == page && $0.count >= 6 }
      }
      if told != nil { return true }
    }
    return false
  }

  @Test func aDenialEndsWhatItKnowsAtOnce() throws {
    let bench = try PageBench()
    for i in 0..<4 { bench.publish(north: Double(i), ago: Double(4 - i)) }
    let stream = bench.stream()
    #expect(stream.first { $0.points.count == 4 } != nil)
    bench.bench.host.decide(.init(.denied), for: page)
    let denied = try #require(stream.first { $0["access"]?.string == "deniedForClient" })
    #expect(denied["isNew"] == .bool(true))
    var details = EngineDetails()
    details.isRunning = true
    for i in 0..<10 {
      bench.publish(north: Double(i))
      bench.bench.host.publish(details: details)
      let event = try #require(stream.first { _ in true })
      for key in ["location", "status", "points", "fixes"] { #expect(event[key] == nil, "\(key)") }
      #expect(event["engine"] == nil || event["engine"] == .null)
    }
    // Who comes now is told no more, and what was known before the denial stays forgotten.
    #expect(bench.stream().first { _ in true }?["location"] == nil)
    bench.bench.host.decide(nil, for: page)
    bench.publish(north: 7)
    let again = try #require(stream.first { !$0.points.isEmpty })
    #expect(again["access"]?.string == "full" && again.points.count == 1)
    #expect(stream.first { $0["location"] != nil } != nil)
  }

  @Test func aRuleOfTheFileDeniesItWhateverTheTokenIs() throws {
    for rule in ["reckon-live-page", "reckon-*", "*"] {
      let bench = try PageBench(rules: [.init(name: rule, user: nil, grant: .init(.denied))])
      bench.publish(north: 0)
      let event = try #require(bench.stream().first { _ in true })
      #expect(event["access"]?.string == "deniedForClient" && event["location"] == nil)
    }
  }

  @Test func reducedAccuracyIsAPlaceOfSomeKilometresAndNothingElse() throws {
    let bench = try PageBench(
      rules: [.init(name: "reckon-live-page", user: nil, grant: .init(.authorized, .reduced))])
    let stream = bench.stream()
    var details = EngineDetails()
    details.isRunning = true
    for i in 0..<10 {
      bench.publish(north: Double(i))
      bench.bench.host.publish(details: details)
    }
    let event = try #require(stream.first { $0["location"] != nil })
    #expect(event["access"]?.string == "reduced" && event["points"] == nil && event["engine"] != .bool(true))
    #expect((event["location"]?["horizontalAccuracy"]?.double ?? 0) > 1000)
    #expect(event["location"]?["mode"] == nil && event["status"]?["mode"] == nil)
  }

  @Test func servicesThatAreOffAreOffForThePageToo() throws {
    let bench = try PageBench()
    bench.publish(north: 0)
    bench.bench.host.setRules([], locationServicesEnabled: false, trustedUser: getuid())
    let event = try #require(bench.stream().first { _ in true })
    #expect(event["access"]?.string == "serviceDisabled" && event["location"] == nil)
  }

  @Test func sensorsAreNeededWhileAPageIsOpenAndNoLonger() throws {
    let demands = DemandLog()
    let bench = try PageBench { $0.onDemand = { demands.add($0) } }
    #expect(demands.waits(for: .off))
    do {
      let stream = bench.stream()
      #expect(stream.first { _ in true } != nil)
      withExtendedLifetime(stream) { #expect(demands.waits(for: .standard(.bestForNavigation))) }
    }
    #expect(demands.waits(for: .off))
  }
}
