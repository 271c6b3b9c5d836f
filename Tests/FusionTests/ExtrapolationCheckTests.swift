import Fusion
import Testing

@Suite struct ExtrapolationCheckTests {
  private let origin = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)

  private func fix(_ time: Double, _ north: Double, velocity: Double?) -> GNSSFix {
    GNSSFix(
      time: Timestamp(seconds: time), position: origin.moved(byNED: Vector3(north, 0, 0)),
      velocityNED: velocity.map { Vector3($0, 0.1, 0) })
  }

  @Test func aVelocityThatCarriesThePositionOnIsFoundOut() {
    var check = ExtrapolationCheck()
    #expect(check.examine(fix(0, 0, velocity: 10), speed: 10) == .init())
    // 0.1 m/s to the east is on the way, too.
    var carried = fix(1, 10, velocity: 10)
    carried.position = origin.moved(byNED: Vector3(10, 0.1, 0))
    #expect(check.examine(carried, speed: 10) == .init(position: true, velocity: true))
  }

  @Test func measuredFixesPass() {
    var check = ExtrapolationCheck()
    _ = check.examine(fix(0, 0, velocity: 10), speed: 10)
    #expect(check.examine(fix(1, 10.3, velocity: 10.02), speed: 10) == .init())
    // Velocity at half the rate of position: the position is measured all the same.
    #expect(check.examine(fix(2, 20.6, velocity: 10.02), speed: 10) == .init(position: false, velocity: true))
  }

  @Test func aStandingCarMayRepeatItself() {
    var check = ExtrapolationCheck()
    _ = check.examine(fix(0, 0, velocity: nil), speed: 0.1)
    #expect(check.examine(fix(1, 0, velocity: nil), speed: 0.1) == .init())
  }

  @Test(arguments: [20, 0.3]) func aReceiverThatHasStuckIsRefusedForGood(velocity: Double) {
    var check = ExtrapolationCheck()
    _ = check.examine(fix(0, 0, velocity: velocity), speed: 10)
    for i in 1..<400 {
      #expect(check.examine(fix(Double(i) * 0.25, 0, velocity: velocity), speed: 10).position)
    }
    // The position alone, while the velocity goes on.
    for i in 400..<800 {
      let finding = check.examine(fix(Double(i) * 0.25, 0, velocity: 20 + 0.01 * Double(i)), speed: 10)
      #expect(finding == .init(position: true, velocity: false))
    }
    #expect(check.examine(fix(200, 9, velocity: 20), speed: 10) == .init())
  }

  /// It may be the filter that is wrong.
  @Test func aReceiverThatHoldsItsPlaceAtRestIsBelievedInTheEnd() {
    var check = ExtrapolationCheck()
    let refused = (0..<40).count { i in
      var held = fix(Double(i), 0, velocity: nil)
      held.velocityNED = .zero
      return check.examine(held, speed: 5).position
    }
    #expect((15...16).contains(refused))
  }

  @Test func aPositionThatIsHeldIsRefusedForTwoSecondsOnly() {
    var check = ExtrapolationCheck()
    var refused: [Double] = []
    for i in 0..<40 where check.examine(fix(Double(i) * 0.25, 0, velocity: nil), speed: 5).position {
      refused.append(Double(i) * 0.25)
    }
    #expect(refused.first == 0.25 && refused.last == 2.25)
  }
}
