// The receiver's velocity of the antenna, which lags by d:
//   z = v + C_b^n (ω × l) − a d + white noise      (Groves, 2nd edition, section 14.3.1, with d added)
// with ω and a averaged: the noise of a single rate would pass for swinging, and the arm for well observed.
// What a velocity that is known to lag lacks errs with what a is made of, tilt φ and accelerometer bias b:
//   δ(a d) = a δd − d (f × φ + C_b^n δb)
import LinearAlgebra
import Navigation
import Navigation

/// Velocity of the antenna by the receiver.
package enum GNSSVelocity {
  /// - Parameters:
  ///   - velocity: measured, of the antenna in NED, m/s; a last component of NaN leaves the vertical out.
  ///   - noise: covariance of its error in NED, (m/s)².
  ///   - knownLag: d where it is known to matter, s.
  @inline(__always) package static func measurement(
    _ state: NavigationState, velocity: Vector3, noise: Matrix3, knownLag: Double = 0
  ) -> Measurement<some Relation> {
    let navFromBody = state.navFromBody.matrix
    let swing = navFromBody * state.smoothRate.cross(state.leverArm)
    var measured = velocity
    let predicted = state.velocity + swing - state.acceleration * state.velocityDelay
    let hasVertical = measured.z.isFinite
    if !hasVertical { measured.z = predicted.z }
    let arm =
      navFromBody
      * (Term(StateBlock.gyroBias, CrossProductMatrix(of: state.leverArm))
        + Term(StateBlock.leverArm, CrossProductMatrix(of: state.smoothRate)))
    let force = state.acceleration - Vector3(0, 0, Gravity.standard)
    let body =
      Term(StateBlock.velocity, IdentityMatrix())
      + Term(StateBlock.attitude, CrossProductMatrix(of: force * knownLag - swing))
      + Term(StateBlock.accelBias, MatrixOrNothing(knownLag == 0 ? nil : navFromBody * knownLag))
    let antenna = body + arm
    let measurement = Measurement(
      innovation: measured - predicted,
      links: antenna + Term(StateBlock.delaysAndGyroScale, ColumnMatrix<1>(-state.acceleration)),
      noise: noise, dimension: 3)
    return hasVertical ? measurement : measurement.keeping(first: 2)
  }
}
