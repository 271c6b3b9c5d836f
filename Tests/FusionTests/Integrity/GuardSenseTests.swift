import Fusion
import Testing

/// Which of the two ways along its axis the car goes, where the receiver states no velocity.
@Suite struct GuardSenseTests {
  private static let origin = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)

  /// The guard, and metres that the car has gone north of the origin.
  private struct Drive {
    var planar: PlanarNavigator
    var time = 0.0
    var place = 0.0

    /// Five fixes a second that state no velocity and lie `error` metres beside the car, and ten steps.
    mutating func go(_ seconds: Double, acceleration: Double, error: (Double) -> Double, wheels: Bool) {
      var speed = 0.0
      let start = time
      for k in 1...Int((seconds * 10).rounded()) {
        let now = Timestamp(seconds: start + Double(k) * 0.1)
        place += (speed + acceleration * 0.05) * 0.1
        speed += acceleration * 0.1
        time = now.seconds
        planar.propagate(to: now, turn: (0, 0.1), acceleration: acceleration)
        planar.keepToHeading()
        if wheels { planar.update(WheelSample(time: now, speed: speed)) }
        guard k % 2 == 0 else { continue }
        planar.update(GuardSenseTests.fix(at: now, place + error(time - start)))
      }
    }
  }

  private static func fix(at time: Timestamp, _ north: Double, velocity: Vector3? = nil) -> GNSSFix {
    var fix = GNSSFix(
      time: time, position: origin.moved(byNED: Vector3(north, 0, 0)), positionSigma: Vector3(1, 1, 2))
    (fix.velocityNED, fix.speedSigma) = (velocity, velocity.map { _ in 0.1 })
    return fix
  }

  /// Fixes wander back as the car pulls away: wheels, which count turns either way, made a certain motion of
  /// the little that they had gone (of 5 m/s, which it went on with beside the fixes).
  @Test func wheelsDoNotTellWhichWayTheCarPullsAway() {
    let start = Timestamp(seconds: 0)
    var drive = Drive(
      planar: PlanarNavigator(
        fix: Self.fix(at: start, 0, velocity: .zero), receiver: ReceiverModel(),
        settings: FusionConfiguration()))
    drive.go(20, acceleration: 0, error: { _ in 0 }, wheels: false)
    drive.go(8, acceleration: 0.7, error: { max(-2, -1.5 * $0) }, wheels: true)
    #expect(drive.planar.velocity.x > 0, "\(drive.planar.velocity.x) m/s")
    let off = drive.planar.position.ned(from: Self.origin).x - drive.place
    #expect(abs(off) < 5, "\(off) m off")
  }

  /// Fixes that go as a car goes, but at 9 m/s against the guard, are followed, whether they are left out or
  /// weighed down one after the other.
  @Test func whoGoesTheOtherWayIsBroughtBack() {
    let start = Timestamp(seconds: 0)
    var drive = Drive(
      planar: PlanarNavigator(
        fix: Self.fix(at: start, 0, velocity: Vector3(-9, 0, 0)), receiver: ReceiverModel(),
        settings: FusionConfiguration()))
    drive.go(20, acceleration: 0, error: { _ in 0 }, wheels: false)
    let off = drive.planar.position.ned(from: Self.origin).x
    #expect(abs(off) < 5, "\(off) m off")
    #expect(drive.planar.velocity.norm < 3, "\(drive.planar.velocity.norm) m/s")
  }
}
