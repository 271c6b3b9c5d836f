import Fusion
import LinearAlgebra
import Navigation
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

  @Test func aPositionThatIsHeldIsRefusedForTwoSecondsOnly() {
    var check = ExtrapolationCheck()
    var refused: [Double] = []
    for i in 0..<40 where check.examine(fix(Double(i) * 0.25, 0, velocity: nil), speed: 5).position {
      refused.append(Double(i) * 0.25)
    }
    #expect(refused.first == 0.25 && refused.last == 2.25)
  }
}
