import Fusion
import Testing

/// Fixes that come back to a place that was left, and navigators.
@Suite struct PositionReturnTests {
  private let east = Vector3(0, 50, 0)

  /// After so many fixes that have leapt to where the navigator would be without them.
  private func leapt(fixes count: Int) -> WatchedPlace {
    var watched = WatchedPlace()
    watched.isInertial = true
    watched.fixes(100, at: .zero)
    watched.evidence = 6
    watched.fixes(count, at: east)
    watched.evidence = 0
    return watched
  }

  @Test func aFormerPlaceIsKnownAgain() {
    var watched = WatchedPlace()
    watched.fixes(120, at: .zero)
    watched.fixes(50, at: east)
    #expect((watched.believed - east).norm < 1)
    let variance = watched.hypotheses.variance
    #expect(variance > 0, "the place that was left may be the right one")
    watched.fixes(3, at: .zero)
    #expect(watched.believed.norm < 3, "\(watched.believed)")
  }

  @Test func whatTheUnaidedNavigatorForeseesWinsAtTheSecondFix() throws {
    var watched = leapt(fixes: 2)
    #expect(watched.moves.count == 1 && watched.believed.y > 40)
    // The place that was left stays in the accuracy while the fixes may go back to it.
    #expect(watched.hypotheses.variance > 0)
    watched.fixes(62, at: east)
    #expect(watched.hypotheses.variance == 0)
  }

  /// Less evidence is worth seconds of fixes: those of the place that is told do not have to be heard for as
  /// long. It counts as it was when they leapt there.
  @Test func whatTheUnaidedNavigatorHalfForeseesWinsSooner() throws {
    let waits = try [(0.0, 0.0), (1.5, 0), (0, 1.5)].map { first, later in
      var watched = WatchedPlace()
      watched.isInertial = true
      watched.fixes(100, at: .zero)
      let begin = watched.second
      watched.evidence = first
      watched.fixes(1, at: east)
      watched.evidence = later
      watched.fixes(80, at: east)
      return try #require(watched.moves.first).at - begin
    }
    #expect(waits[0] > 33 && waits[2] == waits[0], "\(waits)")
    #expect((10...20).contains(waits[1]), "\(waits)")
  }

  /// A fault that drifted took place and velocity along; fixes that are back where they were take both back.
  @Test func whoComesBackMovesAgainAsBefore() throws {
    var watched = WatchedPlace()
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
      var watched = WatchedPlace()
      watched.fixes(heard, at: .zero)
      watched.hypotheses.leave(
        Vector3(0, 10, 0), rate: Vector3(0, 5, 0), variance: 1, at: Timestamp(seconds: watched.second - 1),
        after: 1)
      watched.fixes(10, at: .zero)
      doubts.append(watched.hypotheses.variance)
    }
    #expect(doubts[0] < 0.2 * doubts[1], "\(doubts) m²")
  }

  /// Who was left for moving otherwise does not move on while the car is felt to stand.
  @Test func aPlaceThatWasLeftPartsNoFurtherFromACarThatStands() {
    let doubts = [true, false].map { isStanding in
      var hypotheses = PositionHypotheses()
      func judge(_ second: Int, isStanding: Bool) {
        var fix = SightedFix(
          .zero, innovation: .zero, at: Timestamp(seconds: Double(second)), own: Matrix3(scalar: 1),
          white: 1, velocitySigma: 0.1, isVelocityBorneOut: nil, isInertial: true)
        fix.isStanding = isStanding
        _ = hypotheses.judge(fix)
      }
      for second in 0..<60 { judge(second, isStanding: false) }
      hypotheses.leave(
        Vector3(0, 10, 0), rate: Vector3(0, 5, 0), variance: 1, at: Timestamp(seconds: 59), after: 5)
      for second in 60..<70 { judge(second, isStanding: isStanding) }
      return hypotheses.variance
    }
    // 15 and 60 m away, the one of them in doubt for the longer.
    #expect(doubts[0] < 0.2 * doubts[1], "\(doubts) m²")
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

  /// A place that fixes leapt to once has begun with a leap, whichever other place is believed meanwhile.
  @Test func whoMovesLeavesTheOtherPlacesWhereTheyLie() throws {
    let west = Vector3(0, -50, 0)
    var watched = WatchedPlace()
    watched.isInertial = true
    watched.fixes(100, at: .zero)
    watched.fixes(3, at: Vector3(0, 40, 0))
    while watched.moves.isEmpty, watched.second < 160 { watched.fixes(1, at: west) }
    try #require(watched.moves.count == 1 && (watched.believed - west).norm < 1)
    watched.evidence = 6
    watched.fixes(2, at: Vector3(0, 40, 0))
    #expect(watched.moves.count == 2 && watched.believed.y > 30, "\(watched.believed)")
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

  /// The place was taken from the guard, which drifting fixes had led 30 m astray at 3 m/s; when they end,
  /// they are back where the navigator would have been.
  @Test func fixesThatComeBackToAPlaceThatWasLeftAreBelieved() {
    func movesAfterReturn(isRemembered: Bool) -> Double? {
      var watched = WatchedPlace()
      watched.isInertial = true
      watched.fixes(60, at: .zero)
      if isRemembered {
        watched.hypotheses.leave(
          Vector3(0, -30, 0), rate: Vector3(0, -3, 0), variance: 1,
          at: Timestamp(seconds: watched.second), after: 8)
      }
      watched.fixes(10, at: .zero)
      let end = watched.second
      watched.fixes(30, at: Vector3(0, -61, 0))
      return watched.moves.first.map { $0.at - end }
    }
    #expect(movesAfterReturn(isRemembered: true).map { $0 <= 2 } == true)
    #expect(movesAfterReturn(isRemembered: false) == nil)
  }

  /// That fixes leap to where the navigator would be without them may be chance: they go back,
  /// and are followed at once.
  @Test func whoWasLedElsewhereByALeapComesBackWithTheFixes() throws {
    var watched = leapt(fixes: 3)
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
      var watched = WatchedPlace()
      watched.isInertial = true
      watched.fixes(60, at: .zero)
      let begin = watched.second
      watched.fixes(6) { place($0 - begin) }
      watched.evidence = 6
      watched.fixes(3) { place($0 - begin) }
      return watched.moves.count
    }
    #expect(moves { Vector3(0, 9 + 5 * $0, 0) } == 0)
    #expect(moves { _ in Vector3(0, 40, 0) } == 1)
  }
}
