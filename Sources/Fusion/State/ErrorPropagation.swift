// Error equations of the strapdown in NED (Groves, 2nd edition, section 14.2.4, with the attitude error as the
// rotation in NED from the estimated to the true attitude). With f the specific force in NED:
//   δṗ = δv                      δv̇ = −f × φ − (2ω_ie + ω_en) × δv + (2 g / R) δp_D − C_b^n δb_a
//   φ̇ = −ω_in × φ − C_b^n δb_g + C_b^n d (ω·d) δs
// Rows are coupled in this order, so that each uses the ones below it as they were at the start of the step.
import LinearAlgebra
import Navigation

/// Moves the covariance on by one step of the strapdown.
package enum ErrorPropagation {
  /// - Parameters:
  ///   - state: at the end of the step: over 10 ms its attitude and velocity stand for those in the middle.
  ///   - dt: length of the step in s.
  package static func step(
    _ p: inout ErrorCovariance, state: NavigationState, strapdown: Strapdown, noise: ProcessNoise, dt: Double
  ) {
    let navFromBody = state.navFromBody.matrix
    let force = navFromBody * state.specificForce
    let (earth, transport) = strapdown.rates(velocity: state.velocity)
    let gravityGradient = 2 * strapdown.gravity / WGS84.semiMajorAxis

    p.couple(StateBlock.position, [Link(StateBlock.velocity, Matrix3(scalar: dt))])
    p.couple(
      StateBlock.velocity,
      [
        Link(StateBlock.attitude, Matrix3(crossProductOf: -force * dt)),
        Link(StateBlock.accelBias, navFromBody * -dt),
        Link(StateBlock.velocity, Matrix3(crossProductOf: (earth * 2 + transport) * -dt)),
        Link(StateBlock.position, Matrix3(diagonal: Vector3(0, 0, gravityGradient * dt))),
      ])
    let scaleColumn = navFromBody * (state.verticalAxis * (state.angularRate.dot(state.verticalAxis) * dt))
    p.couple(
      StateBlock.attitude,
      [
        Link(StateBlock.gyroBias, navFromBody * -dt),
        Link(StateBlock.attitude, Matrix3(crossProductOf: (earth + transport) * -dt)),
        Link(StateBlock.timing, Matrix3(columns: .zero, .zero, scaleColumn)),
      ])
    addNoise(&p, state: state, noise: noise, dt: dt)
  }

  /// Noise of the vertical gyroscope axis is apart from that of the horizontal ones; NED's down stands for it.
  private static func addNoise(
    _ p: inout ErrorCovariance, state: NavigationState, noise: ProcessNoise, dt: Double
  ) {
    let horizontal = noise.gyroHorizontal + noise.gyroHorizontalPerSpeed * state.velocity.horizontalNorm
    let vertical = horizontal * noise.gyroVerticalRatio
    let h = horizontal * horizontal * dt
    p.addNoise(StateBlock.attitude, variances: Vector3(h, h, vertical * vertical * dt))
    p.addNoise(StateBlock.velocity, variances: Vector3(repeating: noise.accel * noise.accel * dt))
    p.addNoise(StateBlock.gyroBias, variances: Vector3(repeating: noise.gyroBias * noise.gyroBias * dt))
    p.addNoise(StateBlock.accelBias, variances: Vector3(repeating: noise.accelBias * noise.accelBias * dt))
    let mounting = noise.mounting * noise.mounting * dt
    let scale = noise.odometerScale * noise.odometerScale * dt
    p.addNoise(StateBlock.vehicle, variances: Vector3(mounting, mounting, scale))
  }
}
