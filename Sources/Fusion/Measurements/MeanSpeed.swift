// Speed along the track, seen as it was on average some time ago. A velocity error grows by
// tilt and accelerometer bias,
//   δv̇ = −f × φ − C_b^n δb_a   with f = (0, 0, −g): across the direction of motion û the wheels do not slip,
// so that a lag τ before now the error along û was
//   û·δv − τ [g (û_E φ_N − û_N φ_E) − û·C_b^n δb_a].
import LinearAlgebra

/// The mean speed over a window that has just passed.
package enum MeanSpeed {
  /// - Parameters:
  ///   - excess: measured speed less what inertial navigation back from now makes of it, m/s.
  ///   - lag: time from the middle of the window to now, s.
  ///   - gravity: m/s².
  ///   - variance: of the measurement, (m/s)².
  package static func measurement(
    _ state: NavigationState, excess: Double, lag: Double, gravity: Double, variance: Double
  ) -> Measurement<some Relation> {
    let u = state.velocity / max(state.velocity.norm, 1e-6)
    let fall = gravity * lag
    let tilt = Vector3(-u.y, u.x, 0) * fall
    let force = (state.navFromBody.inverse * u) * lag
    func row(_ v: Vector3) -> Matrix3 { Matrix3(rows: v, .zero, .zero) }
    return Measurement(
      innovation: Vector3(excess, 0, 0),
      links: Term(StateBlock.velocity, row(u)) + Term(StateBlock.attitude, row(tilt))
        + Term(StateBlock.accelBias, row(force)),
      noise: Matrix3(diagonal: Vector3(variance, 1, 1)), dimension: 1)
  }
}
