import Location
import Navigation
import TestParts
import Testing

@Suite struct AuthorizationTests {
  private let navigator = ClientIdentity(name: "com.example.navigator", user: 1000)
  private let stranger = ClientIdentity(name: "com.example.navigator", user: 1001)

  @Test func authorizationServicesCanBeOffAsAWhole() {
    var policy = AuthorizationPolicy(trustedUser: 1000)
    policy.decide(.init(.authorized), for: navigator)
    policy.locationServicesEnabled = false
    #expect(policy.grant(for: navigator).status == .restricted)
    #expect(policy.grant(for: navigator).denial == .serviceDisabled)
    policy.locationServicesEnabled = true
    #expect(policy.grant(for: navigator).status == .authorized)
  }

  @Test func authorizationOfAnotherUserIsNeverImplied() {
    let policy = AuthorizationPolicy(trustedUser: 1000)
    #expect(policy.grant(for: navigator).status == .authorized)
    #expect(policy.grant(for: stranger).status == .notDetermined)
    #expect(policy.grant(for: stranger).denial == .notDetermined)
    #expect(AuthorizationPolicy().grant(for: navigator).denial != nil)
  }

  @Test func authorizationDecisionSticksUntilChanged() {
    var policy = AuthorizationPolicy()
    policy.decide(.init(.authorized), for: stranger)
    #expect(policy.grant(for: stranger).status == .authorized)
    #expect(policy.grant(for: navigator).status == .notDetermined)
    policy.decide(.init(.denied), for: stranger)
    #expect(policy.grant(for: stranger).denial == .deniedForClient)
    policy.decide(nil, for: stranger)
    #expect(policy.grant(for: stranger).status == .notDetermined)
  }

  @Test func authorizationFileDecidesByTheFirstRuleThatMatches() {
    var policy = AuthorizationPolicy(rules: [
      .init(name: "com.example.spy", user: nil, grant: .init(.denied)),
      .init(name: "com.example.*", user: 1000, grant: .init(.authorized, .reduced)),
    ])
    #expect(policy.grant(for: navigator) == .init(.authorized, .reduced))
    #expect(policy.grant(for: stranger).status == .notDetermined)
    #expect(policy.grant(for: .init(name: "com.example.spy", user: 1000)).status == .denied)
    // A decision does not undo the file.
    policy.decide(.init(.authorized), for: .init(name: "com.example.spy", user: 1000))
    #expect(policy.grant(for: .init(name: "com.example.spy", user: 1000)).status == .denied)
    #expect(policy.grant(for: .init(name: "com.examples.spy", user: 1000)).status == .notDetermined)
  }

  @Test func authorizationNamesAreCheckedForWhatTheyMayBe() {
    for name in ["com.example.app", "A-b_9"] { #expect(ClientIdentity.isName(name)) }
    for name in ["", "a b", "a\n", "ä", "*", String(repeating: "a", count: 129)] {
      #expect(!ClientIdentity.isName(name))
    }
  }

  @Test func authorizationReducedTellsNoMoreThanTheCell() {
    var dice = Dice(seed: 9)
    for _ in 0..<5000 {
      var exact = Made.location(at: 0, speed: 20)
      exact.coordinate = Coordinate(
        latitudeDegrees: dice.uniform() * 180 - 90, longitudeDegrees: dice.uniform() * 360 - 180)
      let coarse = ReducedAccuracy.coarse(exact)
      #expect(coarse.isValid && coarse.sources.contains(.reduced))
      #expect(coarse.speedAccuracy < 0 && coarse.courseAccuracyDegrees < 0 && coarse.verticalAccuracy < 0)
      #expect(coarse.horizontalAccuracy > 3000)
      #expect(coarse.distance(from: exact) <= coarse.horizontalAccuracy * 1.05)
      // The same cell gives the same answer: nothing can be learned by asking often.
      var near = exact
      near.coordinate = coarse.coordinate
      #expect(ReducedAccuracy.coarse(near).distance(from: coarse) < 1)
    }
  }

  @Test func authorizationReducedTellsSomeTimesAnHour() {
    var reduced = ReducedAccuracy()
    let told = (0..<3600).filter {
      reduced.reduce(Made.location(north: Double($0) * 30, at: Double($0))) != nil
    }
    #expect(told.count == 4)
  }

  @Test func authorizationAuditRemembersADay() {
    var audit = UsageAudit()
    func utc(_ hours: Double) -> Timestamp { Timestamp(seconds: 1_700_000_000 + hours * 3600) }
    audit.note(navigator, purpose: "guide", count: 1, at: utc(0))
    audit.note(navigator, purpose: "guide", count: 5, at: utc(0.05))
    audit.note(stranger, purpose: "log", count: 1, at: utc(0.06))
    #expect(audit.entries.map(\.count) == [6, 1])
    // After a while without use it is another stretch.
    audit.note(navigator, purpose: "guide", count: 1, at: utc(2))
    #expect(audit.entries.count == 3)
    audit.note(stranger, purpose: "log", count: 1, at: utc(24.5))
    #expect(audit.entries.map(\.client) == [navigator, stranger])
    #expect(audit.entries.allSatisfy { $0.until >= utc(2) })
  }

  @Test func authorizationAuditIsBounded() {
    var audit = UsageAudit()
    for i in 0..<(UsageAudit.limit + 50) {
      audit.note(
        .init(name: "c\(i)", user: 0), purpose: "p", count: 1, at: Timestamp(seconds: Double(i)))
    }
    #expect(audit.entries.count == UsageAudit.limit)
    #expect(audit.entries.last?.client.name == "c\(UsageAudit.limit + 49)")
  }
}
