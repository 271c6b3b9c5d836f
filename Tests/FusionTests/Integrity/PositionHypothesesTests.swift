import Fusion
import Testing

/// Fixes once a second of 2 m, against a navigator that stays where it is believed to be.
private struct Watched {
  var hypotheses = PositionHypotheses()
  var isVelocityBorneOut: Bool?
  var isInertial = false, isStanding = false, isGuardThere = false
  /// Logarithm of the odds that it would be where the fixes are without them.
  var evidence = 0.0
  /// Variance of that per axis, m².
  var own = 1.0
  /// Where the navigator believes to be, and which fix is the next, s.
  private(set) var believed = Vector3.zero
  private(set) var second = 0.0
  private(set) var moves: [(at: Double, rate: Vector3?)] = []

  /// Takes `count` fixes, each where `place` says at its time.
  @discardableResult mutating func fixes(
    _ count: Int, at place: (Double) -> Vector3
  ) -> [PositionHypotheses.Decision] {
    (0..<count).map { _ in
      let distance = place(second) - believed
      var fix = SightedFix(
        distance, innovation: distance, at: Timestamp(seconds: second), own: Matrix3(scalar: own), white: 4,
        velocitySigma: 0.1, isVelocityBorneOut: isVelocityBorneOut, isInertial: isInertial)
      (fix.evidence, fix.isStanding, fix.isGuardThere) = (evidence, isStanding, isGuardThere)
      let decision = hypotheses.judge(fix)
      if case .move(let offset, let rate) = decision {
        believed += offset
        moves.append((second, rate))
      }
      second += 1
      return decision
    }
  }

  @discardableResult mutating func fixes(_ count: Int, at place: Vector3) -> [PositionHypotheses.Decision] {
    fixes(count) { _ in place }
  }

  /// Goes on without fixes.
  mutating func pause(_ seconds: Double) { second += seconds }
}

extension PositionHypotheses.Decision {
  fileprivate var name: String {
    switch self {
    case .use: "use"
    case .weigh: "weigh"
    case .exclude: "exclude"
    case .move: "move"
    }
  }
}

@Suite struct PositionHypothesesTests {
  private let east = Vector3(0, 50, 0)

  @Test func fixesOfTheBelievedPlaceAreUsed() {
    var watched = Watched()
    let decisions = watched.fixes(60) { Int($0) % 2 == 0 ? Vector3(3, 0, 0) : Vector3(-2, 2, 0) }
    #expect(decisions.allSatisfy { $0.name == "use" })
    #expect(!watched.hypotheses.isContested && watched.hypotheses.variance == 0)
    #expect(watched.hypotheses.support == 59)
  }

  @Test func anOutlierAloneIsWeighed() {
    var watched = Watched()
    watched.fixes(20, at: .zero)
    #expect(watched.fixes(1, at: Vector3(0, 300, 0)).map(\.name) == ["weigh"])
    #expect(watched.hypotheses.isContested)
    #expect(watched.fixes(1, at: .zero).map(\.name) == ["use"])
    #expect(!watched.hypotheses.isContested)
  }

  /// A navigator that has believed no fix of another place is off by 22 m when they leap back, as its own
  /// 12 m allow. (It went on alone for two minutes beside the right ones.) A leap of 20 m is none to believe.
  @Test(arguments: [
    (Vector3(20, 10, 0), 144.0, "use"), (Vector3(20, 10, 0), 1, "weigh"),
    (Vector3(30, 80, 0), 144, "exclude"),
  ])
  func fixesThatLeapToWhereTheNavigatorMayBeAreBelieved(place: Vector3, own: Double, decision: String) {
    var watched = Watched(isInertial: true)
    watched.fixes(60, at: .zero)
    watched.fixes(24, at: Vector3(0, 87, 0))
    watched.own = own
    #expect(watched.fixes(1, at: place).map(\.name) == [decision])
  }

  /// Of a place of which next to nothing is known a lone fix must not take all; the
  /// second of that place does.
  @Test func aPlaceThatIsHardlyKnownIsLeftForTwoFixesNotForOne() {
    var hypotheses = PositionHypotheses()
    var decisions: [String] = []
    var moved = Vector3.zero
    for (second, place) in [Vector3.zero, east * 4, east * 4 + Vector3(1, 0, 0)].enumerated() {
      let decision = hypotheses.judge(
        SightedFix(
          place, innovation: place, at: Timestamp(seconds: Double(second)), own: Matrix3(scalar: 400),
          white: 1, velocitySigma: 15, isVelocityBorneOut: nil, isInertial: false))
      if case .move(let offset, _) = decision { moved = offset }
      decisions.append(decision.name)
    }
    #expect(decisions == ["use", "exclude", "move"])
    #expect((moved - east * 4).norm < 2)
  }

  /// A jump of the receiver's that stays: three places in turn would be noise, one is a fault.
  @Test func aConstantJumpIsExcludedAndTheReturnUsedAtOnce() {
    var watched = Watched()
    watched.fixes(60, at: .zero)
    let jump = watched.fixes(20, at: east).map(\.name)
    #expect(jump == ["weigh"] + Array(repeating: "exclude", count: 19))
    #expect(watched.hypotheses.isContested)
    #expect(watched.fixes(5, at: .zero).allSatisfy { $0.name == "use" })
    #expect(watched.believed == .zero)
  }

  @Test func theLongerAJumpLastsTheLargerIsTheDoubt() {
    var watched = Watched()
    watched.fixes(60, at: .zero)
    var variances: [Double] = []
    for _ in 0..<30 {
      watched.fixes(1, at: east)
      variances.append(watched.hypotheses.variance)
    }
    #expect(variances[0] == 0)
    #expect(zip(variances.dropFirst(), variances.dropFirst(2)).allSatisfy { $0 < $1 })
    // Nearly as likely the one as the other: the radius reaches both, and no further. Half the square of the
    // distance is that in each of two axes.
    let last = variances.last ?? .nan
    #expect(last > 0.6 * 1250 && last <= 1250, "\(last) m²")
  }

  /// A fault of the receiver ends some day; what goes on for longer than any is where the car is.
  @Test func aJumpThatOutlastsAllFaultsIsFollowed() {
    var watched = Watched()
    watched.fixes(120, at: .zero)
    watched.fixes(60, at: east)
    #expect(watched.moves.count == 1)
    #expect((watched.believed - east).norm < 1)
    let held = watched.moves.first.map { $0.at - 120 } ?? .infinity
    #expect((30...45).contains(held), "\(held) s")
    // Rate and force alone tell how the car moves: they hold the place for longer.
    var inertial = Watched(isInertial: true)
    inertial.fixes(300, at: .zero)
    inertial.fixes(55, at: east)
    #expect(inertial.moves.isEmpty && inertial.believed == .zero)
    inertial.fixes(20, at: east)
    #expect((inertial.believed - east).norm < 1)
  }

  @Test func aFormerPlaceIsKnownAgain() {
    var watched = Watched()
    watched.fixes(120, at: .zero)
    watched.fixes(50, at: east)
    #expect((watched.believed - east).norm < 1)
    let variance = watched.hypotheses.variance
    #expect(variance > 0, "the place that was left may be the right one")
    watched.fixes(3, at: .zero)
    #expect(watched.believed.norm < 3, "\(watched.believed)")
  }

  @Test(arguments: [20.0, 200, 5000]) func aWrongFirstFixIsLeftForTheNextTwoThatAgree(metres: Double) {
    var watched = Watched()
    watched.fixes(1, at: Vector3(metres, 0, 0))
    watched.fixes(2, at: .zero)
    #expect(watched.believed.norm < 1)
  }

  @Test func afterALongPauseTheThirdFixThatAgreesIsBelieved() {
    var watched = Watched()
    watched.fixes(20, at: .zero)
    watched.pause(30)
    watched.fixes(3, at: Vector3(0, 200, 0))
    #expect((watched.believed - Vector3(0, 200, 0)).norm < 1)
  }

  /// What goes elsewhere evenly is no jump: the navigator moves otherwise than the car.
  /// A standing car sees the same reflections all the time.
  @Test func ofAStandingCarASecondOfFixesIsWorthAFifth() throws {
    var moved: [Double] = []
    for isStanding in [false, true] {
      var watched = Watched()
      watched.fixes(200, at: .zero)
      watched.isStanding = isStanding
      let begin = watched.second
      watched.fixes(400, at: east)
      moved.append(try #require(watched.moves.first).at - begin)
    }
    #expect(moved[1] > 4 * moved[0], "\(moved)")
  }

  @Test func whatTheUnaidedNavigatorForeseesWinsAtTheSecondFix() throws {
    var watched = Watched()
    watched.isInertial = true
    watched.fixes(100, at: .zero)
    watched.evidence = 6
    watched.fixes(2, at: east)
    #expect(watched.moves.count == 1 && watched.believed.y > 40)
    // The place that was left stays in the accuracy while the fixes may go back to it.
    #expect(watched.hypotheses.variance > 0)
    watched.evidence = 0
    watched.fixes(62, at: east)
    #expect(watched.hypotheses.variance == 0)
  }

  /// Less evidence is worth seconds of fixes: those of the place that is told do not have to be heard for as
  /// long. It counts as it was when they leapt there.
  @Test func whatTheUnaidedNavigatorHalfForeseesWinsSooner() throws {
    let waits = try [(0.0, 0.0), (3, 0), (0, 3)].map { first, later in
      var watched = Watched()
      watched.isInertial = true
      watched.fixes(100, at: .zero)
      let begin = watched.second
      watched.evidence = first
      watched.fixes(1, at: east)
      watched.evidence = later
      watched.fixes(80, at: east)
      return try #require(watched.moves.first).at - begin
    }
    #expect(waits[0] > 55 && waits[2] == waits[0], "\(waits)")
    #expect((10...20).contains(waits[1]), "\(waits)")
  }

  @Test func growthIsFollowedWithItsRate() throws {
    var watched = Watched()
    watched.fixes(60, at: .zero)
    let began = watched.second
    watched.fixes(15) { Vector3(0, 4 * ($0 - began + 1), 0) }
    let move = try #require(watched.moves.first)
    let rate = try #require(move.rate)
    #expect(abs(rate.x) < 1e-9 && abs(rate.y - 4) < 1.5, "\(rate)")
    // 5 standard deviations are 11 m, reached after 3 s.
    #expect(move.at - began < 12)
  }

  /// A fault that drifted took place and velocity along; fixes that are back where they were take both back.
  @Test func whoComesBackMovesAgainAsBefore() throws {
    var watched = Watched()
    watched.fixes(60, at: .zero)
    watched.hypotheses.leave(
      Vector3(0, -30, 0), rate: Vector3(0, -3, 0), variance: 1, at: Timestamp(seconds: watched.second - 1),
      after: 5)
    watched.fixes(8, at: .zero)
    watched.fixes(4, at: Vector3(0, -30, 0))
    let move = try #require(watched.moves.first)
    #expect(move.rate == Vector3(0, -3, 0) && watched.believed.y < -25)
  }

  /// A place that was believed for a moment says nothing of where it would be half a minute later.
  @Test func aPlaceThatWasHardlyHeardOfIsNotForeseenFarAhead() {
    var doubts: [Double] = []
    for heard in [2, 60] {
      var watched = Watched()
      watched.fixes(heard, at: .zero)
      watched.hypotheses.leave(
        Vector3(0, 10, 0), rate: Vector3(0, 5, 0), variance: 1, at: Timestamp(seconds: watched.second - 1),
        after: 1)
      watched.fixes(10, at: .zero)
      doubts.append(watched.hypotheses.variance)
    }
    #expect(doubts[0] < 0.2 * doubts[1], "\(doubts) m²")
  }

  /// The heading was just found: fixes that speak for another place hold against ten
  /// seconds, not against a minute.
  @Test func whoHasJustFoundItsHeadingHoldsItsPlaceForLess() throws {
    var held: [Double] = []
    for isNew in [true, false] {
      var watched = Watched(isInertial: true)
      watched.fixes(100, at: .zero)
      if isNew { watched.hypotheses.limitSupport() }
      let begin = watched.second
      watched.fixes(100, at: east)
      held.append(try #require(watched.moves.first).at - begin)
    }
    #expect(held[0] < 15 && held[1] > 50, "\(held) s")
  }

  /// Fixes that drift to within three standard deviations of a car that stands have moved by themselves; what
  /// a moving car comes near to may be where it has drifted from.
  @Test func whatDriftsNearAStandingCarIsStillOfItsOwnPlace() {
    var names: [Bool: String] = [:]
    for isStanding in [true, false] {
      var hypotheses = PositionHypotheses()
      func judge(_ second: Double, _ east: Double, isStanding: Bool) -> String {
        var fix = SightedFix(
          Vector3(0, east, 0), innovation: Vector3(0, east, 0), at: Timestamp(seconds: second),
          own: Matrix3(scalar: 25), white: 0.05, velocitySigma: 0.1, isVelocityBorneOut: nil,
          isInertial: true)
        fix.isStanding = isStanding
        return hypotheses.judge(fix).name
      }
      for second in 0..<60 { _ = judge(Double(second), 0, isStanding: false) }
      var last = ""
      for step in 0..<50 {
        last = judge(60 + Double(step) / 5, 30 - Double(step) * 0.36, isStanding: isStanding)
      }
      names[isStanding] = last
    }
    #expect(names == [true: "exclude", false: "use"])
  }

  /// A weighed fix takes the believed place along a little: the next of its place is known as
  /// of the same all the same.
  @Test func aCorrectionLeavesTheOtherPlacesWhereTheyLie() {
    var names: [[String]] = []
    for isTold in [true, false] {
      var hypotheses = PositionHypotheses()
      func judge(_ second: Double, _ place: Vector3) -> String {
        hypotheses.judge(
          SightedFix(
            place, innovation: place, at: Timestamp(seconds: second), own: Matrix3(scalar: 1), white: 1,
            velocitySigma: 0.1, isVelocityBorneOut: nil, isInertial: false)
        ).name
      }
      var said = [judge(0, .zero), judge(0.2, east)]
      if isTold { hypotheses.correct(by: Vector3(0, 20, 0)) }
      said.append(judge(0.4, east - Vector3(0, 20, 0)))
      names.append(said)
    }
    #expect(names == [["use", "weigh", "move"], ["use", "weigh", "weigh"]])
  }

  /// The receiver's own velocity agrees with the navigator's: its positions drift, and the navigator does
  /// not.
  @Test func growthThatTheVelocityContradictsIsNoMotion() {
    var watched = Watched(isVelocityBorneOut: true)
    watched.fixes(60, at: .zero)
    let began = watched.second
    watched.fixes(20) { Vector3(0, 4 * ($0 - began + 1), 0) }
    #expect(watched.moves.isEmpty)
  }

  @Test func fixesAllOverThePlaceAreWeighedNotExcluded() {
    var watched = Watched()
    watched.fixes(60, at: .zero)
    let towers = [
      Vector3(60, 0, 0), Vector3(0, 70, 0), Vector3(-80, 0, 0), Vector3(0, -60, 0), Vector3(90, 90, 0),
    ]
    watched.fixes(5) { towers[Int($0) % 5] }
    // Of three places and more in a minute none is believed.
    let decisions = watched.fixes(10) { towers[Int($0) % 5] }
    #expect(decisions.allSatisfy { $0.name == "weigh" }, "\(decisions.map(\.name))")
    #expect(watched.moves.isEmpty)
  }

  @Test func forgettingAndDoubtingEndTheSupport() {
    var watched = Watched()
    watched.fixes(60, at: .zero)
    watched.hypotheses.doubt()
    #expect(watched.hypotheses.support == 0)
    watched.fixes(1, at: east)
    watched.hypotheses.forget()
    #expect(!watched.hypotheses.isContested && watched.hypotheses.variance == 0)
  }

  /// The place was taken from the guard, which drifting fixes had led 30 m astray at 3 m/s; when they end,
  /// they are back where the navigator would have been.
  @Test func fixesThatComeBackToAPlaceThatWasLeftAreBelieved() {
    func movesAfterReturn(isRemembered: Bool) -> Double? {
      var watched = Watched()
      watched.isInertial = true
      watched.fixes(60, at: .zero)
      if isRemembered {
        watched.hypotheses.leave(
          Vector3(0, -30, 0), rate: Vector3(0, -3, 0), variance: 1,
          at: Timestamp(seconds: watched.second), after: 8)
      }
      watched.fixes(10, at: .zero)
      let end = watched.second
      watched.fixes(50, at: Vector3(0, -61, 0))
      return watched.moves.first.map { $0.at - end }
    }
    #expect(movesAfterReturn(isRemembered: true).map { $0 <= 2 } == true)
    #expect(movesAfterReturn(isRemembered: false) == nil)
  }

  /// Where the guard has long been with the fixes, and the navigator may be there by what it does not know of
  /// its way, it is there. One that knows its place takes them to have drifted, and the guard with them.
  @Test func whoAloneIsElsewhereHoldsItsPlaceForSecondsWhereItIsNotSure() throws {
    func movesAfter(isGuardThere: Bool, own: Double) throws -> Double {
      var watched = Watched()
      watched.isInertial = true
      watched.fixes(80, at: .zero)
      watched.isGuardThere = isGuardThere
      let left = watched.second
      watched.fixes(2, at: east)
      watched.own = own
      watched.fixes(80, at: east)
      return try #require(watched.moves.first).at - left
    }
    let unsure = try movesAfter(isGuardThere: true, own: 150)
    #expect(unsure >= 3 && unsure <= 7, "\(unsure)")
    #expect(try movesAfter(isGuardThere: true, own: 1) >= 60)
    #expect(try movesAfter(isGuardThere: false, own: 150) >= 60)
  }

  /// That fixes leap to where the navigator would be without them may be chance: they go back,
  /// and are followed at once.
  @Test func whoWasLedElsewhereByALeapComesBackWithTheFixes() throws {
    var watched = Watched()
    watched.isInertial = true
    watched.fixes(80, at: .zero)
    watched.evidence = 6
    watched.fixes(3, at: east)
    watched.evidence = 0
    #expect(watched.moves.count == 1)
    watched.fixes(6, at: east)
    let back = watched.second
    watched.fixes(5, at: .zero)
    #expect(watched.moves.count == 2)
    #expect(try #require(watched.moves.last).at - back <= 2)
  }

  /// Fixes that drift come past any place where a navigator would be without them.
  @Test func aDriftIsNoReturn() {
    func moves(_ place: @escaping (Double) -> Vector3) -> Int {
      var watched = Watched()
      watched.isInertial = true
      watched.fixes(60, at: .zero)
      let begin = watched.second
      watched.evidence = 0
      watched.fixes(6) { place($0 - begin) }
      watched.evidence = 6
      watched.fixes(3) { place($0 - begin) }
      return watched.moves.count
    }
    #expect(moves { Vector3(0, 9 + 5 * $0, 0) } == 0)
    #expect(moves { _ in Vector3(0, 40, 0) } == 1)
  }
}
