import JSON
import Location
import LocationService
import Navigation
import Testing

/// A client that is denied is denied, whatever else is configured.
@Suite struct DenialTests {
  private func rule(_ name: String, user: UInt32? = nil, _ grant: AuthorizationPolicy.Grant)
    -> AuthorizationPolicy.Rule
  {
    .init(name: name, user: user, grant: grant)
  }

  private let full = AuthorizationPolicy.Grant(.authorized)
  private let reduced = AuthorizationPolicy.Grant(.authorized, .reduced)
  private let nothing = AuthorizationPolicy.Grant(.denied)
  private let spy = ClientIdentity(name: "com.example.spy", user: Bench.owner)

  @Test func aDenialCutsOffWhomARuleOfTheFileLets() {
    var bench = Bench(rules: [rule("com.example.*", full), rule("com.example.spy", full)])
    let id = bench.client(spy.name)
    bench.say(.start(session: 1), id)
    _ = bench.take(id)
    bench.hub.decide(nothing, for: spy)
    bench.drive(north: 0)
    let said = bench.take(id)
    #expect(said.contains(.failed(.denied(.deniedForClient))) && said.flatMap(\.locations).isEmpty)
    // Also over a restart with the same file.
    bench.settle()
    var after = Bench(stored: bench.stored, rules: [rule("com.example.spy", full)])
    #expect(after.take(after.client(spy.name)) == [.failed(.denied(.deniedForClient))])
  }

  @Test func theStricterOfARuleAndADecisionHolds() {
    let grants = [full, reduced, nothing]
    for (i, written) in grants.enumerated() {
      for (j, decided) in grants.enumerated() {
        var policy = AuthorizationPolicy(rules: [rule(spy.name, written)], trustedUser: Bench.owner)
        policy.decide(decided, for: spy)
        #expect(policy.grant(for: spy) == grants[max(i, j)])
        policy.decide(nil, for: spy)
        #expect(policy.grant(for: spy) == written)
      }
    }
  }

  @Test func aDeniedProgramOfTheTrustedUserIsNotLetByAnotherName() {
    var bench = Bench()
    let (running, named) = (bench.client("com.example.spy2"), bench.client("com.example.navigator"))
    bench.hub.decide(full, for: .init(name: "com.example.navigator", user: Bench.owner))
    for id in [running, named] {
      bench.say(.start(session: 1), id)
      _ = bench.take(id)
    }
    bench.hub.decide(nothing, for: spy)
    bench.drive(north: 0)
    // Neither one that runs by another name nor one that comes by a new one; who is named goes on.
    #expect(bench.take(running).contains(.failed(.denied(.notDetermined))))
    #expect(bench.take(bench.client("com.example.new")) == [.failed(.denied(.notDetermined))])
    #expect(!bench.takeLocations(named).isEmpty)
    bench.hub.decide(nil, for: spy)
    #expect(bench.take(running).contains(.welcome(version: 1, accuracy: .full)))
  }

  @Test func aDeniedProgramIsNotLetByAPatternThatItsOtherNameFits() {
    var policy = AuthorizationPolicy(
      rules: [rule("com.example.*", full), rule("com.other.named", full), rule("*", reduced)])
    func grant(_ name: String, user: UInt32 = Bench.owner) -> AuthorizationPolicy.Grant {
      policy.grant(for: .init(name: name, user: user))
    }
    #expect(grant("com.example.new") == full)
    policy.decide(nothing, for: spy)
    #expect(grant("com.example.new").denial == .notDetermined && grant("new").denial == .notDetermined)
    #expect(grant("com.other.named") == full)
    // Other users' programs are others.
    #expect(grant("com.example.new", user: Bench.stranger) == full)
    #expect(policy.mustBeNamed(Bench.owner) && !policy.mustBeNamed(Bench.stranger))
  }

  @Test func aProgramThatTheFileDeniesIsNotTrustedByAnotherName() {
    let policy = AuthorizationPolicy(
      rules: [rule("com.example.spy", nothing), rule("com.example.*", reduced)], trustedUser: Bench.owner)
    func grant(_ name: String) -> AuthorizationPolicy.Grant {
      policy.grant(for: .init(name: name, user: Bench.owner))
    }
    #expect(grant("com.example.spy") == nothing && grant("other").denial == .notDetermined)
    // All but the one: as the file says.
    #expect(grant("com.example.other") == reduced)
    let elsewhere = AuthorizationPolicy(
      rules: [rule("com.example.spy", user: Bench.stranger, nothing)], trustedUser: Bench.owner)
    #expect(elsewhere.grant(for: .init(name: "other", user: Bench.owner)) == full)
  }

  @Test func aReducedPlaceSaysNothingOfHowTheCarMovesOrWhatItSees() throws {
    var bench = Bench(rules: [rule("*", reduced)])
    let id = bench.client()
    bench.say(.start(session: 1), id)
    bench.drive(north: 0)
    let location = try #require(bench.takeLocations(id).first)
    #expect(location.mode == nil && location.sources == .reduced && location.speedAccuracy < 0)
    #expect(location.json["mode"] == nil && Location(json: location.json) == location)
  }

  @Test func twoConnectionsOfOneNameEachHaveTheSignificantChanges() {
    var bench = Bench()
    let (a, b) = (bench.client(), bench.client())
    bench.say(.startSignificantChange(session: 1), a)
    bench.say(.startSignificantChange(session: 2), b)
    bench.drive(north: 0)
    for id in [a, b] { #expect(bench.takeLocations(id).contains { !$0.sources.contains(.cached) }) }
    // One ends it: the other goes on.
    bench.say(.stopSignificantChange, a)
    for i in 1...60 { bench.drive(north: Double(i) * 10) }
    #expect(bench.takeLocations(a).isEmpty && bench.takeLocations(b).count == 1)
    bench.say(.stopSignificantChange, b)
    #expect(bench.hub.demand == .off)
  }
}
