import Fusion
import Testing

@Suite struct GuardAgreementTests {
  /// Takes a fix a second.
  private func take(
    _ agreement: inout GuardAgreement, seconds: Int, isAtFixes: Bool = true, moves: Int = 0,
    isStanding: Bool = false
  ) {
    for _ in 0..<seconds {
      agreement.observe(isAtFixes: isAtFixes, moves: moves, isStanding: isStanding, elapsed: 1)
    }
  }

  @Test func halfAMinuteOfDrivingIsFirm() {
    var agreement = GuardAgreement()
    take(&agreement, seconds: 29)
    #expect(!agreement.isFirm)
    take(&agreement, seconds: 1)
    #expect(agreement.isFirm)
  }

  @Test func aDoubtEndsIt() {
    var agreement = GuardAgreement()
    take(&agreement, seconds: 100)
    take(&agreement, seconds: 1, isAtFixes: false)
    #expect(!agreement.isFirm)
    take(&agreement, seconds: 30)
    #expect(agreement.isFirm)
  }

  @Test func aGuardThatWasLedElsewhereBeginsAnew() {
    var agreement = GuardAgreement()
    take(&agreement, seconds: 100)
    take(&agreement, seconds: 1, moves: 1)
    #expect(!agreement.isFirm)
  }

  /// At a stand fixes drift unnoticed; a stop at lights leaves what was driven before.
  @Test func standingSpeaksForNothing() {
    var agreement = GuardAgreement()
    take(&agreement, seconds: 100, isStanding: true)
    #expect(!agreement.isFirm)
    take(&agreement, seconds: 60)
    take(&agreement, seconds: 20, isStanding: true)
    #expect(agreement.isFirm)
    take(&agreement, seconds: 20, isStanding: true)
    #expect(!agreement.isFirm)
  }

  @Test func aLongPauseCountsLittle() {
    var agreement = GuardAgreement()
    agreement.observe(isAtFixes: true, moves: 0, isStanding: false, elapsed: 120)
    #expect(!agreement.isFirm)
  }
}
