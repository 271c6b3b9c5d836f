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
  ///   - recorder: hears of the transition.
  package static func step<Recorder: StepRecorder>(
    _ p: inout ErrorCovariance, state: NavigationState, strapdown: Strapdown, noise: ProcessNoise, dt: Double,
    recorder: inout Recorder
  ) {
    let navFromBody = state.navFromBody.matrix
    let force = navFromBody * state.specificForce
    let (earth, transport) = strapdown.rates(velocity: state.velocity)
    let gravityGradient = 2 * strapdown.gravity / WGS84.semiMajorAxis

    let position = Term(StateBlock.velocity, DiagonalMatrix(scalar: dt))
    p.couple(StateBlock.position, position)
    recorder.couple(StateBlock.position, position)
    let velocity =
      Term(StateBlock.attitude, CrossProductMatrix(of: -force * dt))
      + Term(StateBlock.accelBias, navFromBody * -dt)
      + Term(StateBlock.velocity, CrossProductMatrix(of: (earth * 2 + transport) * -dt))
      + Term(StateBlock.position, DiagonalMatrix(Vector3(0, 0, gravityGradient * dt)))
    p.couple(StateBlock.velocity, velocity)
    recorder.couple(StateBlock.velocity, velocity)
    let scaleColumn = navFromBody * (state.verticalAxis * (state.angularRate.dot(state.verticalAxis) * dt))
    let attitude =
      Term(StateBlock.gyroBias, navFromBody * -dt)
      + Term(StateBlock.attitude, CrossProductMatrix(of: (earth + transport) * -dt))
      + Term(StateBlock.timing, ThirdColumnMatrix(scaleColumn))
    p.couple(StateBlock.attitude, attitude)
    recorder.couple(StateBlock.attitude, attitude)
    addNoise(&p, state: state, noise: noise, dt: dt)
  }

  /// The same without a recorder.
  package static func step(
    _ p: inout ErrorCovariance, state: NavigationState, strapdown: Strapdown, noise: ProcessNoise, dt: Double
  ) {
    var none = NoRecorder()
    step(&p, state: state, strapdown: strapdown, noise: noise, dt: dt, recorder: &none)
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
