import Location
import LocationService
import Navigation
import Testing

@Suite struct HubAuthorizationTests {
  @Test func authorizationAnotherUserGetsDeniedAndNothingElse() {
    var bench = Bench()
    let id = bench.client(user: Bench.stranger)
    bench.say(.start(session: 1), id)
    bench.say(.startSignificantChange(session: 2), id)
    bench.say(.startMonitoring(Made.home), id)
    bench.say(.requestState(identifier: "home"), id)
    bench.say(.requestRegions, id)
    bench.say(.requestLocation(number: 3, within: 1), id)
    bench.say(.allowDeferredUpdates(number: 4, untilTraveled: 1, timeout: 1), id)
    bench.say(.requestAuthorizations, id)
    for i in 0..<50 { bench.drive(north: Double(i) * 100) }
    let said = bench.take(id)
    #expect(said.count == 8 + 1)
    for message in said {
      switch message {
      case .failed(.denied), .regionFailed(_, .denied), .answer(_, .failure(.denied)),
        .deferredFinished(_, .denied):
        break
      default: Issue.record("\(message)")
      }
    }
    #expect(bench.hub.demand == .off)
    #expect(bench.stored.clients.isEmpty)
  }

  @Test func authorizationWhoDeniesItselfIsToldThatItIsDone() {
    var bench = Bench()
    let id = bench.client("com.example.administrator", user: 0)
    _ = bench.take(id)
    let oneself = ClientIdentity(name: "com.example.administrator", user: 0)
    bench.say(.authorize(oneself, .init(.denied)), id)
    let said = bench.take(id)
    guard case .authorizations(let decisions, _)? = said.first else {
      Issue.record("\(said)")
      return
    }
    #expect(decisions == [.init(client: oneself, grant: .init(.denied))])
    #expect(said.contains(.failed(.denied(.deniedForClient))))
  }

  @Test func authorizationMissingPurposeIsALoudError() {
    let control = LocationError.purposeInvalid("it has control characters")
    let faults: [(String, LocationError)] = [
      ("", .purposeMissing), ("  ", .purposeMissing), ("to\u{1B}[2Jtest", control), ("x\0", control),
      (String(repeating: "x", count: 513), .purposeInvalid("513 bytes are more than 512")),
    ]
    for (purpose, error) in faults {
      var bench = Bench()
      let id = bench.client(purpose: purpose)
      #expect(bench.take(id) == [.failed(error)])
      #expect(bench.hub.isOver(id))
    }
  }

  @Test func authorizationTheNameIsSaidOnceAndFirst() {
    var bench = Bench()
    let silent = bench.hub.connect(user: Bench.owner)
    bench.say(.start(session: 1), silent)
    #expect(bench.hub.isOver(silent))
    let twice = bench.client()
    bench.say(.hello(version: 1, name: "com.example.other", purpose: "x"), twice)
    #expect(bench.hub.isOver(twice))
    let odd = bench.client("no spaces")
    #expect(bench.take(odd) == [.failed(.identifierInvalid)])
    let later = bench.hub.connect(user: Bench.owner)
    bench.say(.hello(version: 2, name: "a", purpose: "x"), later)
    #expect(bench.hub.isOver(later))
  }

  @Test func authorizationRevokedCutsARunningClientOffAtOnce() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.say(.startMonitoring(Made.home), id)
    bench.say(.allowDeferredUpdates(number: 2, untilTraveled: 100, timeout: nil), id)
    bench.say(.requestLocation(number: 3, within: 60), id)
    for i in 0..<5 { bench.drive(north: Double(i), accuracy: 50) }
    bench.hub.decide(.init(.denied), for: .init(name: "com.example.a", user: Bench.owner))
    bench.settle()
    let said = bench.take(id)
    #expect(said.flatMap(\.locations).isEmpty && said.compactMap(\.event).isEmpty)
    #expect(said.contains(.failed(.denied(.deniedForClient))))
    #expect(said.contains(.deferredFinished(number: 2, .denied)))
    #expect(said.contains(.answer(number: 3, .failure(.denied(.deniedForClient)))))
    for i in 0..<50 { bench.drive(north: Double(i) * 50) }
    #expect(bench.take(id).isEmpty)
    #expect(bench.hub.demand == .off)
  }

  @Test func authorizationGivenLetsAConnectionThatWaits() {
    var bench = Bench()
    let id = bench.client(user: Bench.stranger)
    _ = bench.take(id)
    bench.hub.decide(.init(.authorized), for: .init(name: "com.example.a", user: Bench.stranger))
    #expect(bench.take(id).first == .welcome(version: 1, accuracy: .full))
    bench.say(.start(session: 1), id)
    bench.drive(north: 0)
    #expect(bench.takeLocations(id).count == 1)
    // It sticks over a restart.
    bench.settle()
    var after = Bench(stored: bench.stored)
    let back = after.client(user: Bench.stranger)
    #expect(after.take(back).first == .welcome(version: 1, accuracy: .full))
  }

  @Test func authorizationRulesAreLiveAndServicesCanBeOffAsAWhole() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    _ = bench.take(id)
    bench.hub.setRules([], locationServicesEnabled: false, trustedUser: Bench.owner)
    #expect(bench.take(id).contains(.failed(.denied(.serviceDisabled))))
    bench.hub.setRules([], locationServicesEnabled: true, trustedUser: Bench.owner)
    #expect(bench.take(id).contains(.welcome(version: 1, accuracy: .full)))
  }

  @Test func authorizationIsDecidedByAdministratorsOnly() {
    var bench = Bench(rules: [.init(name: "*", user: nil, grant: .init(.authorized))])
    let (admin, stranger) = (bench.client("admin"), bench.client("spy", user: Bench.stranger))
    let spy = ClientIdentity(name: "other", user: Bench.stranger)
    _ = (bench.take(admin), bench.take(stranger))
    bench.say(.authorize(spy, .init(.authorized)), stranger)
    #expect(bench.take(stranger) == [.failed(.denied(.deniedForClient))])
    bench.say(.authorize(spy, .init(.denied)), admin)
    #expect(
      bench.take(admin) == [.authorizations([.init(client: spy, grant: .init(.denied))], [])])
  }

  @Test func authorizationReducedAccuracyTellsACellAndNoRegions() {
    var bench = Bench(rules: [.init(name: "*", user: nil, grant: .init(.authorized, .reduced))])
    let id = bench.client()
    bench.say(.startMonitoring(Made.home), id)
    #expect(bench.take(id).contains(.regionFailed(identifier: "home", .denied(.accuracyReduced))))
    bench.say(.start(session: 1), id)
    bench.say(.requestLocation(number: 1, within: 60), id)
    bench.say(.startSignificantChange(session: 2), id)
    var told: [Location] = []
    for i in 0..<600 {
      bench.drive(north: Double(i) * 10)
      for message in bench.take(id) {
        told += message.locations
        if case .answer(_, .success(let location)) = message { told.append(location) }
        if i % 50 == 0 {
          bench.say(.stop(), id)
          bench.say(.start(session: 1), id)
        }
      }
    }
    #expect(!told.isEmpty)
    for location in told {
      #expect(location.sources.contains(.reduced) && location.horizontalAccuracy > 3000)
    }
    #expect(Set(told.map(\.coordinate)).count <= 3)
  }

  private let program = ClientIdentity(name: "com.example.a", user: Bench.owner)
  private let reduced = AuthorizationPolicy.Grant(.authorized, .reduced)

  @Test func authorizationPutDownToReducedAccuracyTellsNoExactPlaceOfBefore() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.say(.startMonitoring(Made.home), id)
    bench.say(.startSignificantChange(session: 2), id)
    bench.say(.allowDeferredUpdates(number: 3, untilTraveled: nil, timeout: 60), id)
    bench.say(.bestOf(number: 4, count: 1000, within: 30), id)
    bench.say(.requestLocation(number: 5, within: 30), id)
    for i in 0..<10 { bench.drive(north: Double(i) * 100, accuracy: 50) }
    bench.say(.requestState(identifier: "home"), id)
    bench.hub.decide(reduced, for: program)
    bench.wait(31)
    bench.wait(40)
    let said = bench.take(id)
    #expect(said.flatMap(\.locations).isEmpty && said.compactMap(\.event).isEmpty)
    #expect(said.contains(.deferredFinished(number: 3, .timedOut)))
    for number in [Int64(4), 5] {
      #expect(said.contains(.answer(number: number, .failure(.locationUnknown(.searching)))))
    }
    #expect(said.contains(.regionFailed(identifier: "home", .denied(.accuracyReduced))))
    bench.drive(north: 1000)
    let told = bench.takeLocations(id)
    #expect(told.count == 2 && told.allSatisfy { $0.sources.contains(.reduced) })
  }

  @Test func authorizationPutDownWhileAwayForgetsTheExactChangesThatWait() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.startSignificantChange(session: 1), id)
    bench.drive(north: 0)
    bench.hub.disconnect(id)
    for i in 1...120 { bench.drive(north: Double(i) * 10) }
    #expect(bench.stored.clients[program]?.pendingChanges.isEmpty == false)
    // By the rules of the next start, or by a decision.
    var after = Bench(stored: bench.stored, rules: [.init(name: "*", user: nil, grant: reduced)])
    after.settle()
    #expect(after.stored.clients[program]?.pendingChanges == [])
    bench.hub.decide(reduced, for: program)
    bench.settle()
    #expect(bench.stored.clients[program]?.pendingChanges == [])
    let back = bench.client()
    bench.say(.startSignificantChange(session: 2), back)
    let told = bench.takeLocations(back)
    #expect(told.count == 1 && told.allSatisfy { $0.sources.contains(.reduced) })
  }

  @Test func authorizationReducedAccuracyIsOnePlaceForAUserHoweverItAsks() {
    var bench = Bench(rules: [.init(name: "*", user: nil, grant: reduced)])
    var told: Set<Coordinate> = []
    func ask(_ name: String, north: Double) {
      let id = bench.client(name)
      bench.say(.start(session: 1), id)
      bench.say(.startSignificantChange(session: 2), id)
      bench.say(.requestLocation(number: 3, within: 10), id)
      bench.drive(north: north)
      for message in bench.take(id) {
        told.formUnion(message.locations.map(\.coordinate))
        if case .answer(_, .success(let location)) = message { told.insert(location.coordinate) }
        if case .status(let status) = message {
          #expect(status.mode == nil && status.horizontalAccuracy < 0 && status.unknown == nil)
        }
      }
      bench.hub.disconnect(id)
    }
    for i in 0..<60 {
      bench.drive(north: Double(i) * 1000, step: 10)
      ask(i.isMultiple(of: 2) ? "com.example.a" : "name\(i)", north: Double(i) * 1000 + 500)
    }
    #expect(told.count == 1)
    bench.drive(north: 90_000, step: 900)
    ask("com.example.a", north: 90_000)
    #expect(told.count == 2)
  }

  @Test func authorizationReducedAccuracyAnswersAtOnceWithThePlaceThatIsKnown() {
    var bench = Bench(rules: [.init(name: "*", user: nil, grant: reduced)])
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.drive(north: 0)
    let place = bench.takeLocations(id).first?.coordinate
    bench.wait(300)
    bench.say(.requestLocation(number: 1, within: 600), id)
    bench.say(.bestOf(number: 2, count: 5, within: 600), id)
    let answers = bench.take(id).compactMap { message -> Coordinate? in
      if case .answer(_, .success(let location)) = message { location.coordinate } else { nil }
    }
    #expect(place != nil && answers.count == 2 && answers.allSatisfy { $0 == place })
  }

  @Test func authorizationAuditNamesWhoWasToldInTheLastDay() {
    var bench = Bench()
    let id = bench.client()
    bench.say(.start(session: 1), id)
    for i in 0..<25 { bench.drive(north: Double(i)) }
    bench.say(.requestAuthorizations, id)
    bench.hub.disconnect(id)
    let admin = bench.client("admin")
    _ = bench.take(admin)
    bench.say(.requestAuthorizations, admin)
    guard case .authorizations(_, let audit)? = bench.take(admin).last else {
      Issue.record("no answer")
      return
    }
    #expect(audit.map(\.client.name) == ["com.example.a"])
    #expect(audit.first?.purpose == "to test" && audit.first?.count == 25)
    bench.wait(11)
    #expect(bench.stored.audit == audit)
  }
}
