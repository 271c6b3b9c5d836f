// Error equations of the strapdown in NED (Groves, 2nd edition, section 14.2.4, with the attitude error as
// the rotation in NED from the estimated to the true attitude). With f the specific force in NED:
//   δṗ = δv                      δv̇ = −f × φ − (2ω_ie + ω_en) × δv + (2 g / R) δp_D − C_b^n δb_a
//   φ̇ = −ω_in × φ − C_b^n δb_g + C_b^n d (ω·d) δs
// Rows are coupled in this order, so that each uses the ones below it as they were at the start of the step.
import LinearAlgebra
import Navigation

/// What a stretch of the strapdown does to the errors: sums over its steps.
package struct ErrorTransition: Sendable {
  /// Length, s.
  package private(set) var duration = 0.0
  /// ∫ f dt in NED, m/s.
  fileprivate var force = Vector3.zero
  /// ∫ C_b^n dt, s.
  fileprivate var navFromBody = Matrix3.zero
  /// ∫ C_b^n d (ω·d) dt, rad.
  fileprivate var vertical = Vector3.zero

  package init() {}

  /// That of one step of `dt` seconds.
  ///
  /// - Parameter state: at the end of the step: over 10 ms its attitude and force stand
  ///   for those in the middle.
  @inline(__always) package init(_ state: NavigationState, dt: Double) {
    let rotation = state.navFromBody.matrix
    duration = dt
    force = rotation * state.specificForce * dt
    navFromBody = rotation * dt
    vertical = rotation * (state.verticalAxis * (state.angularRate.dot(state.verticalAxis) * dt))
  }

  /// Goes on by `next`.
  @inline(__always) package mutating func append(_ next: ErrorTransition) {
    duration += next.duration
    force += next.force
    navFromBody += next.navFromBody
    vertical += next.vertical
  }

  /// Moves an error on: seconds and metres do without the earth's rate.
  @inline(__always) package func carry(_ error: inout ErrorState) {
    error[StateBlock.position] += error[StateBlock.velocity] * duration
    error[StateBlock.velocity] -=
      force.cross(error[StateBlock.attitude]) + navFromBody * error[StateBlock.accelBias]
    error[StateBlock.attitude] +=
      vertical * error[StateBlock.delaysAndGyroScale].z - navFromBody * error[StateBlock.gyroBias]
  }
}

/// Moves the covariance on with the strapdown.
package enum ErrorPropagation {
  /// - Parameters:
  ///   - velocity: in NED at the end of the transition, m/s.
  ///   - noise: stays as it is; but what is not `inout` is copied.
  ///   - recorder: hears of it.
  package static func step<Recorder: StepRecorder>(
    _ p: inout ErrorCovariance, _ transition: ErrorTransition, velocity v: Vector3, strapdown: Strapdown,
    noise: inout ProcessNoise, recorder: inout Recorder
  ) {
    let dt = transition.duration
    let (earth, transport) = strapdown.rates(velocity: v)
    let gravityGradient = 2 * strapdown.gravity / WGS84.semiMajorAxis

    let position = Term(StateBlock.velocity, DiagonalMatrix(scalar: dt))
    p.couple(StateBlock.position, position)
    recorder.couple(StateBlock.position, position)
    let velocity =
      Term(StateBlock.attitude, CrossProductMatrix(of: -transition.force))
      + Term(StateBlock.accelBias, -transition.navFromBody)
      + Term(StateBlock.velocity, CrossProductMatrix(of: (earth * 2 + transport) * -dt))
      + Term(StateBlock.position, LastEntryMatrix(gravityGradient * dt))
    p.couple(StateBlock.velocity, velocity)
    recorder.couple(StateBlock.velocity, velocity)
    let attitude =
      Term(StateBlock.gyroBias, -transition.navFromBody)
      + Term(StateBlock.attitude, CrossProductMatrix(of: (earth + transport) * -dt))
      + Term(StateBlock.delaysAndGyroScale, ColumnMatrix<2>(transition.vertical))
    p.couple(StateBlock.attitude, attitude)
    recorder.couple(StateBlock.attitude, attitude)
    addNoise(&p, speed: v.horizontalNorm, noise: &noise, dt: dt)
    addVerticalNoise(&p, transition.navFromBody, noise: noise.verticalAccelBias, dt: dt)
  }

  /// One step of the strapdown, without a recorder.
  package static func step(
    _ p: inout ErrorCovariance, state: NavigationState, strapdown: Strapdown, noise: ProcessNoise, dt: Double
  ) {
    var none = NoRecorder(), noise = noise
    step(
      &p, ErrorTransition(state, dt: dt), velocity: state.velocity, strapdown: strapdown, noise: &noise,
      recorder: &none)
  }

  /// Noise of the vertical gyroscope axis is apart from that of the horizontal ones;
  /// NED's down stands for it.
  private static func addNoise(
    _ p: inout ErrorCovariance, speed: Double, noise: inout ProcessNoise, dt: Double
  ) {
    let horizontal = noise.gyroHorizontal + noise.gyroHorizontalPerSpeed * speed
    let vertical = horizontal * noise.gyroVerticalRatio
    let h = horizontal * horizontal
    let learned = noise.aliasedGyro + noise.restingGyro
    p.addNoise(StateBlock.attitude, variances: (Vector3(h, h, vertical * vertical) + learned) * dt)
    let wander =
      noise.position * noise.position + noise.positionPerSpeed * noise.positionPerSpeed * speed * speed
    p.addNoise(
      StateBlock.position,
      variances: Vector3(1, 1, noise.positionVerticalShare) * (noise.trackShare * wander * dt))
    p.addNoise(
      StateBlock.velocity,
      variances: Vector3(
        repeating: (noise.accel * noise.accel + noise.aliasedAccel + noise.restingAccel) * dt))
    p.addNoise(StateBlock.gyroBias, variances: Vector3(repeating: noise.gyroBias * noise.gyroBias * dt))
    p.addNoise(StateBlock.accelBias, variances: Vector3(repeating: noise.accelBias * noise.accelBias * dt))
    let mounting = noise.mounting * noise.mounting * dt
    let scale = noise.odometerScale * noise.odometerScale * dt
    p.addNoise(StateBlock.mountingAndOdometer, variances: Vector3(mounting, mounting, scale))
  }

  /// Noise of the accelerometer's bias along gravity, in body axes.
  ///
  /// - Parameter turned: from body axes to NED, times `dt`.
  @inline(__always) private static func addVerticalNoise(
    _ p: inout ErrorCovariance, _ turned: Matrix3, noise: Double, dt: Double
  ) {
    guard noise > 0, dt > 0 else { return }
    let down = Vector3(turned.x.z, turned.y.z, turned.z.z)
    let own = p[StateBlock.accelBias, StateBlock.accelBias]
    p[StateBlock.accelBias, StateBlock.accelBias] =
      own + Matrix3(outer: down, down * (noise * noise / dt))
  }
}
