import CLibrary
import Location
import LocationService
import Navigation
import Testing

/// Full accuracy for a while, for a client that was let with the reduced one.
@Suite struct TemporaryAccuracyTests {
  private let program = ClientIdentity(name: "com.example.a", user: Bench.owner)
  private let reduced = AuthorizationPolicy.Grant(
    .authorized, .reduced, fullAccuracyPurposeKeys: ["navigate"])

  private func bench(_ grant: AuthorizationPolicy.Grant? = nil) -> Bench {
    Bench(rules: [.init(name: "com.example.*", user: nil, grant: grant ?? reduced)])
  }

  private func isExact(_ location: Location) -> Bool { !location.sources.contains(.reduced) }

  @Test func fullAccuracyEndsByItself() {
    var bench = bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.drive(north: 0)
    #expect(bench.takeLocations(id).allSatisfy { !isExact($0) })
    bench.say(.requestTemporaryFullAccuracy(number: 7, purposeKey: "navigate"), id)
    let end = Made.time(bench.seconds + TemporaryFullAccuracy.duration)
    #expect(
      bench.take(id) == [
        .authorization(.init(.authorized)), .temporaryFullAccuracy(number: 7, .success(end)),
      ])
    bench.drive(north: 10)
    #expect(bench.takeLocations(id).contains(where: isExact))
    // To ask again does not move the end.
    bench.drive(north: 20, step: 800)
    bench.say(.requestTemporaryFullAccuracy(number: 8, purposeKey: "navigate"), id)
    #expect(bench.take(id).contains(.temporaryFullAccuracy(number: 8, .success(end))))
    // What waits untaken at the end is taken back, and the very location that brings the end is not exact.
    bench.drive(north: 30, step: 98)
    bench.say(.requestLocation(number: 9, within: 100), id)
    bench.drive(north: 40, step: 1)
    let said = bench.take(id)
    #expect(said.contains(.authorization(reduced)))
    #expect(said.flatMap(\.locations).allSatisfy { !isExact($0) })
    let answer = said.compactMap { message -> Location? in
      if case .answer(9, .success(let location)) = message { location } else { nil }
    }
    #expect(answer.count == 1 && answer.allSatisfy { !isExact($0) })
    for i in 0..<20 { bench.drive(north: 50 + Double(i)) }
    #expect(bench.takeLocations(id).allSatisfy { !isExact($0) })
  }

  @Test func fullAccuracyIsOfOneConnectionAndEndsWithIt() {
    var bench = bench()
    let (id, other) = (bench.client(), bench.client())
    bench.say(.requestTemporaryFullAccuracy(number: 1, purposeKey: "navigate"), id)
    bench.say(.start(session: 1), other)
    bench.drive(north: 10)
    #expect(bench.takeLocations(other).allSatisfy { !isExact($0) })
    bench.hub.disconnect(id)
    let back = bench.client()
    bench.say(.start(session: 1), back)
    bench.drive(north: 20)
    let said = bench.take(back)
    #expect(said.first == .welcome(version: 1, accuracy: .reduced))
    #expect(said.flatMap(\.locations).allSatisfy { !isExact($0) })
  }

  /// A second purpose is answered for itself, is in the audit, and ends when it would have ended alone.
  @Test func eachPurposeHasAnEndOfItsOwn() {
    let both = AuthorizationPolicy.Grant(
      .authorized, .reduced, fullAccuracyPurposeKeys: ["navigate", "park"])
    var bench = bench(both)
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.drive(north: 0)
    bench.say(.requestTemporaryFullAccuracy(number: 1, purposeKey: "navigate"), id)
    let first = Made.time(bench.seconds + TemporaryFullAccuracy.duration)
    bench.drive(north: 10, step: 600)
    #expect(bench.take(id).contains(.temporaryFullAccuracy(number: 1, .success(first))))
    bench.say(.requestTemporaryFullAccuracy(number: 2, purposeKey: "park"), id)
    let second = Made.time(bench.seconds + TemporaryFullAccuracy.duration)
    #expect(bench.take(id) == [.temporaryFullAccuracy(number: 2, .success(second))])
    for i in 0..<15 { bench.drive(north: 20 + Double(i)) }
    // The first is over; the second has it on.
    bench.drive(north: 40, step: 300)
    let said = bench.take(id)
    #expect(!said.contains(.authorization(both)) && said.flatMap(\.locations).contains(where: isExact))
    for i in 0..<15 { bench.drive(north: 50 + Double(i)) }
    let audited = Set(bench.stored.audit.map(\.purpose))
    #expect(
      audited.isSuperset(of: ["navigate: to test", "navigate, park: to test", "park: to test"]), "\(audited)")
    // The owner takes the one back that runs, then nothing does.
    bench.hub.decide(.init(.authorized, .reduced, fullAccuracyPurposeKeys: ["navigate"]), for: program)
    bench.drive(north: 80)
    #expect(bench.takeLocations(id).allSatisfy { !isExact($0) })
  }

  /// Sixteen keys of sixty bytes are more than an entry has room for: it says how many it leaves out.
  @Test func theAuditSaysHowManyPurposesItHasNoRoomFor() {
    let keys = (10..<26).map { "purpose-\($0)-" + String(repeating: "x", count: 49) }
    var bench = bench(.init(.authorized, .reduced, fullAccuracyPurposeKeys: Set(keys)))
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.drive(north: 0)
    for (number, key) in keys.enumerated() {
      bench.say(.requestTemporaryFullAccuracy(number: Int64(number), purposeKey: key), id)
    }
    for i in 0..<15 { bench.drive(north: 20 + Double(i)) }
    let said = bench.stored.audit.map(\.purpose).filter { $0.contains(" more") }
    #expect(
      said == [keys[..<8].joined(separator: ", ") + " and 8 more"], "\(bench.stored.audit.map(\.purpose))")
    #expect(said.allSatisfy(ClientIdentity.isPurpose))
  }

  @Test func fullAccuracyIsGivenForAllowedPurposesOnly() {
    var bench = bench()
    let id = bench.client()
    _ = bench.take(id)
    let long = String(repeating: "x", count: 70_000)
    for (key, told) in [("spy", "spy"), ("", ""), ("Navigate", "Navigate"), (long, String(long.prefix(64)))] {
      bench.say(.requestTemporaryFullAccuracy(number: 1, purposeKey: key), id)
      let refusal = LocationError.fullAccuracyNotAllowed(purposeKey: told)
      #expect(bench.take(id) == [.temporaryFullAccuracy(number: 1, .failure(refusal))])
    }
    // Who has it for good needs none; who is denied gets none.
    let own = bench.client("own")
    _ = bench.take(own)
    bench.say(.requestTemporaryFullAccuracy(number: 2, purposeKey: "spy"), own)
    #expect(bench.take(own) == [.temporaryFullAccuracy(number: 2, .success(nil))])
    let stranger = bench.client("stranger", user: Bench.stranger)
    _ = bench.take(stranger)
    bench.say(.requestTemporaryFullAccuracy(number: 3, purposeKey: "navigate"), stranger)
    #expect(
      bench.take(stranger) == [.temporaryFullAccuracy(number: 3, .failure(.denied(.notDetermined)))])
  }

  @Test func fullAccuracyIsTakenBackAtOnce() {
    for word in [AuthorizationPolicy.Grant(.authorized, .reduced), .init(.denied)] {
      var bench = bench()
      let id = bench.client()
      bench.say(.start(session: 1), id)
      bench.say(.requestTemporaryFullAccuracy(number: 1, purposeKey: "navigate"), id)
      bench.drive(north: 10)
      bench.hub.decide(word, for: program)
      let said = bench.take(id)
      #expect(said.flatMap(\.locations).isEmpty && said.contains(.authorization(word)))
      bench.drive(north: 20)
      #expect(bench.takeLocations(id).allSatisfy { !isExact($0) })
    }
  }

  /// What outlives the connection goes by what the client may know for good.
  @Test func fullAccuracyForAWhileTellsNothingThatWasKept() {
    var kept = DurableClient()
    kept.regions = RegionMonitor(
      watches: [RegionWatch(region: Made.home, state: .inside)],
      pending: [.init(number: 5, identifier: "home", kind: .entered, timestamp: Made.time(0), utc: nil)])
    var stored = StoredState()
    stored.clients[program] = kept
    var bench = Bench(stored: stored, rules: [.init(name: "*", user: nil, grant: reduced)])
    let id = bench.client()
    bench.say(.requestTemporaryFullAccuracy(number: 1, purposeKey: "navigate"), id)
    bench.say(.startMonitoring(Made.home), id)
    bench.say(.requestState(identifier: "home"), id)
    for i in 0..<20 { bench.drive(north: Double(i) * 100) }
    let said = bench.take(id)
    #expect(said.contains(.regionFailed(identifier: "home", .denied(.accuracyReduced))))
    #expect(said.compactMap(\.event).isEmpty)
    #expect(!said.contains { if case .regionState = $0 { true } else { false } })
  }

  @Test func fullAccuracyIsInTheAuditByItsKey() {
    var bench = bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.drive(north: 0)
    bench.say(.requestTemporaryFullAccuracy(number: 1, purposeKey: "navigate"), id)
    for i in 0..<15 { bench.drive(north: Double(i)) }
    #expect(Set(bench.stored.audit.map(\.purpose)) == ["to test", "navigate: to test"])
  }

  @Test func stricterOfTwoWordsAllowsThePurposesOfBoth() {
    let rule = AuthorizationPolicy.Grant(.authorized, .reduced, fullAccuracyPurposeKeys: ["a", "b"])
    let decision = AuthorizationPolicy.Grant(.authorized, .reduced, fullAccuracyPurposeKeys: ["b", "c"])
    func grant(_ rule: AuthorizationPolicy.Grant, _ decision: AuthorizationPolicy.Grant)
      -> AuthorizationPolicy.Grant
    {
      AuthorizationPolicy(
        rules: [.init(name: "*", user: nil, grant: rule)], decisions: [program: decision]
      ).grant(for: program)
    }
    #expect(grant(rule, decision).fullAccuracyPurposeKeys == ["b"])
    #expect(grant(.init(.authorized), decision) == decision && grant(rule, .init(.authorized)) == rule)
    #expect(grant(rule, .init(.denied)) == .init(.denied))
  }

  @Test func theFileNamesPurposes() throws {
    func rules(_ text: String) throws -> [AuthorizationPolicy.Rule] {
      try ServiceConfiguration(text: "[[client]]\nname = \"a\"\n" + text).rules
    }
    for text in [
      "allow = \"reduced\"\nfull_accuracy_purpose_keys = \"navigate park\"\n",
      "full_accuracy_purpose_keys = \"park navigate\"\nallow = \"reduced\"\n",
    ] {
      #expect(try rules(text).first?.grant.fullAccuracyPurposeKeys == ["navigate", "park"])
    }
    for text in [
      "allow = \"full\"\nfull_accuracy_purpose_keys = \"park\"\n", "full_accuracy_purpose_keys = \"park\"\n",
      "allow = \"reduced\"\nfull_accuracy_purpose_keys = \"p/q\"\n",
    ] {
      #expect(throws: ServiceConfiguration.Flaw.self) { try rules(text) }
    }
  }

  @Test func theManagerAsksBehindASocket() async throws {
    let bench = try HostBench(rules: [.init(name: "*", user: nil, grant: reduced)])
    let manager = try LocationManager(identifier: "a", purpose: "to test", socket: bench.path)
    for _ in 0..<500 where manager.authorizationStatus != .authorized {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(manager.accuracyAuthorization == .reduced)
    await #expect(throws: LocationError.fullAccuracyNotAllowed(purposeKey: "spy")) {
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "spy")
    }
    let until = try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "navigate")
    let left = try #require(until).seconds(since: BootClock.now())
    #expect(left > 800 && left <= TemporaryFullAccuracy.duration)
    #expect(manager.accuracyAuthorization == .full)
    bench.publish(north: 12)
    let place = try await manager.requestLocation(within: 5)
    #expect(isExact(place) && place.horizontalAccuracy == 5)
    manager.close()
  }
}
