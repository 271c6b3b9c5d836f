import Fusion
import Testing

/// Fixes that leave a place which is borne out excuse the navigator that stays, and only they, and not for
/// good.
@Suite struct DepartedFixesTests {
  /// Drifting fixes, seen by a navigator that knows its place and its mounting.
  private static let drifting = DepartedFixes.Sight(
    isContested: true, areAway: true, speed: 4)

  /// After so many seconds of fixes a second, with navigator and guard parting from the third on.
  private func after(_ seconds: Int, of sight: DepartedFixes.Sight, partedFor: Double = 0) -> DepartedFixes {
    var departed = DepartedFixes()
    for second in 0..<seconds {
      departed.observe(sight, partedFor: partedFor + max(0, Double(second) - 3), elapsed: 1)
    }
    return departed
  }

  @Test func aDriftExcusesForAsLongAsFaultsLast() {
    #expect(!after(0, of: Self.drifting).isExcuse)
    #expect(after(1, of: Self.drifting).isExcuse && after(29, of: Self.drifting).isExcuse)
    #expect(!after(31, of: Self.drifting).isExcuse && !after(300, of: Self.drifting).isExcuse)
  }

  @Test func whoPartsFirstIsNotExcused() {
    #expect(after(5, of: Self.drifting, partedFor: 2).isExcuse)
    #expect(!after(5, of: Self.drifting, partedFor: 3).isExcuse)
  }

  /// Each alone: a place that is not borne out, fixes that are believed, and a pace that is no receiver's.
  @Test(arguments: [
    DepartedFixes.Sight(isContested: true, areAway: false, speed: 4),
    DepartedFixes.Sight(isContested: false, areAway: false, speed: 4),
    DepartedFixes.Sight(isContested: true, areAway: true, speed: 9),
  ])
  func nothingElseExcuses(sight: DepartedFixes.Sight) {
    #expect(!after(10, of: sight).isExcuse)
    // Nor does it go on to excuse.
    var departed = after(10, of: Self.drifting)
    departed.observe(sight, partedFor: 7, elapsed: 1)
    #expect(!departed.isExcuse && departed.areBack == !sight.isContested)
  }

  @Test func whatIsBackIsSaidOnce() {
    var departed = after(10, of: Self.drifting)
    #expect(!departed.areBack)
    let back = DepartedFixes.Sight(isContested: false, areAway: false, speed: 4)
    departed.observe(back, partedFor: 7, elapsed: 1)
    #expect(departed.areBack)
    departed.observe(back, partedFor: 0, elapsed: 1)
    #expect(!departed.areBack)
  }

  /// Fixes leave a place that all the time that counts speaks for, and nothing less.
  @Test(arguments: [(60, true), (30, false)])
  func fixesAreAwayFromWhatIsBorneOut(seconds: Int, areAway: Bool) {
    var watched = WatchedPlace(isInertial: true)
    watched.fixes(seconds, at: .zero)
    #expect(!watched.hypotheses.areFixesAway)
    watched.fixes(3, at: Vector3(0, 50, 0))
    #expect(watched.hypotheses.isContested && watched.hypotheses.areFixesAway == areAway)
  }
}
