import Fusion
import Testing

@Suite struct ReckonedStepTests {
  private let origin = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)

  private func fix(_ ned: Vector3) -> GNSSFix {
    GNSSFix(time: Timestamp(nanoseconds: 0), position: origin.moved(byNED: ned))
  }

  @Test func theFirstFixTellsNoStep() {
    var reckoned = ReckonedStep()
    #expect(reckoned.step(to: fix(Vector3(9, 9, 9)), from: origin) == .zero)
  }

  /// Whatever the errors of fix and position were before, only what has come on since is in the step.
  @Test func aStepIsWhatTheFixesWentMoreThanTheReckoning() {
    var reckoned = ReckonedStep()
    reckoned.note(fix(Vector3(3, 4, 5)), at: origin.moved(byNED: Vector3(-7, 1, 2)))
    let next = fix(Vector3(13, 6, 4))
    let step = reckoned.step(to: next, from: origin.moved(byNED: Vector3(2, 1, 2)))
    // The fixes went by (10, 2, −1), the navigator by (9, 0, 0).
    #expect((step - Vector3(1, 2, -1)).norm < 1e-4)
    reckoned.note(next, at: origin.moved(byNED: Vector3(2.5, 1.5, 2)))
    let still = reckoned.step(to: next, from: origin.moved(byNED: Vector3(2.5, 1.5, 2)))
    #expect(still.norm < 1e-9)
  }
}
