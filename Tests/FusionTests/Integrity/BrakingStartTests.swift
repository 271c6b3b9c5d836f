import Fusion
import LinearAlgebra
import Navigation
import Simulation
import Testing

/// An engine that is started while the car brakes: what it feels from the first sample on is no gravity.
@Suite struct BrakingStartTests {
  /// Largest error of the positions from the fourth second on, m, of a car that brakes at `braking` m/s² from
  /// 32 m/s for 12 s, and then goes on.
  private func worst(braking: Double) -> Double {
    var random = RandomSource(seed: 5, stream: "braking start")
    var engine = FusionEngine()
    let origin = GeodeticPosition(latitudeDegrees: 47, longitudeDegrees: 8, height: 400)
    var (along, speed, worst) = (0.0, 32.0, 0.0)
    for i in 0..<2000 {
      let t = Double(i) / 100
      let force = t < 12 ? -braking : 0
      let noise = Vector3(normal: &random)
      engine.process(
        .inertial(
          InertialSample(
            time: Timestamp(seconds: t), angularRate: noise * 0.002,
            specificForce: Vector3(force, 0, -9.81) + noise * 0.02)))
      if i % 25 == 0 {
        let place = origin.moved(byNED: Vector3(along, 0, 0) + Vector3(normal: &random) * 0.8)
        engine.process(
          .gnss(
            GNSSFix(
              time: Timestamp(seconds: t), position: place, positionSigma: Vector3(1.5, 1.5, 3))))
        if t > 4, let solution = engine.solution(at: Timestamp(seconds: t)) {
          let error = solution.position.ned(from: origin) - Vector3(along, 0, 0)
          worst = max(worst, error.horizontalNorm)
        }
      }
      along += speed / 100
      speed += force / 100
    }
    return worst
  }

  @Test func theFixesAreFollowed() {
    let (steady, braking) = (worst(braking: 0), worst(braking: 2.3))
    #expect(steady < 4, "\(steady) m")
    #expect(braking < 6, "\(braking) m")
  }
}
