import Fusion
import Testing

/// The guard beside a receiver that says where it is every few seconds, and nothing of its velocity.
@Suite struct SlowReceiverTests {
  private static let origin = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11, height: 500)
  private static let speed = 4.0

  private static func fix(at time: Double, off: Double = 0) -> GNSSFix {
    GNSSFix(
      time: Timestamp(seconds: time), position: origin.moved(byNED: Vector3(speed * time + off, 0, 0)),
      positionSigma: Vector3(1.5, 1.5, 2.5))
  }

  /// A first fix from somewhere else is a speed that no later fix bears out: it was kept for minutes.
  @Test(arguments: [2.0, 3, 5]) func aWrongFirstFixIsLeftSoon(interval: Double) {
    var planar = PlanarNavigator(
      fix: Self.fix(at: 0, off: -40 * interval), receiver: ReceiverModel(), settings: FusionConfiguration())
    var time = 0.0
    for k in 1...Int((40 / interval).rounded()) {
      let next = Double(k) * interval
      while time < next - 1e-9 {
        time = min(next, time + 0.2)
        planar.propagate(to: Timestamp(seconds: time), turn: (0, 0.2), acceleration: 0)
      }
      planar.update(Self.fix(at: time))
    }
    let place = planar.position.ned(from: Self.origin).horizontalNorm
    #expect(abs(place - Self.speed * time) < 10, "\(place - Self.speed * time) m off")
    #expect(abs(planar.velocity.horizontalNorm - Self.speed) < 3, "\(planar.velocity.horizontalNorm) m/s")
  }
}
