// The receiver's position of the antenna, which lags and has a correlated error e of its own:
//   z = p + C_b^n l − v d + e + white noise      (Groves, 2nd edition, section 14.3.1, with d and e added)
import LinearAlgebra
import Navigation

/// Position of the antenna by the receiver.
package enum GNSSPosition {
  /// - Parameters:
  ///   - position: measured, of the antenna; a height of NaN leaves the vertical out.
  ///   - noise: covariance of the white part of the error in NED, m².
  ///   - curvature: at the state's position, where it is known.
  @inline(__always) package static func measurement(
    _ state: NavigationState, position: GeodeticPosition, noise: Matrix3, by curvature: Curvature? = nil
  ) -> Measurement<some Relation> {
    let navFromBody = state.navFromBody.matrix
    let arm = navFromBody * state.leverArm
    let measurement = Measurement(
      innovation: innovation(
        state, position: position, arm: arm, by: curvature ?? Curvature(at: state.position)),
      links: Term(StateBlock.position, IdentityMatrix())
        + Term(StateBlock.attitude, CrossProductMatrix(of: -arm))
        + Term(StateBlock.gnssPositionBias, IdentityMatrix())
        + Term(StateBlock.leverArm, navFromBody)
        + Term(StateBlock.delaysAndGyroScale, ColumnMatrix<0>(-state.velocity)),
      noise: noise, dimension: 3)
    // −d · δv is left out of the velocity's column: d is under 0.3 s and δv under 1 m/s where this
    // matters; the velocity measurement bears on δv a hundred times more.
    return position.height.isFinite ? measurement : measurement.keeping(first: 2)
  }

  /// The innovation alone, m; 0 down where no height is measured.
  @inline(__always) package static func innovation(
    _ state: NavigationState, position: GeodeticPosition, by curvature: Curvature
  ) -> Vector3 {
    let innovation = innovation(
      state, position: position, arm: state.navFromBody.matrix * state.leverArm, by: curvature)
    return position.height.isFinite ? innovation : Vector3(innovation.x, innovation.y, 0)
  }

  /// - Parameter arm: from the IMU to the antenna in NED, m.
  @inline(__always) private static func innovation(
    _ state: NavigationState, position: GeodeticPosition, arm: Vector3, by curvature: Curvature
  ) -> Vector3 {
    var measured = position
    if !measured.height.isFinite { measured.height = state.position.height }
    let predicted = arm - state.velocity * state.positionDelay + state.gnssPositionBias
    return measured.ned(from: state.position, by: curvature) - predicted
  }
}
