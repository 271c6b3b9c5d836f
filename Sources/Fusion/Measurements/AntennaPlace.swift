// The antenna's place in the car, measured by hand in vehicle axes. The error of the
// mounting is in its noise:
//   z = C_v^b l_v = l + white noise
import LinearAlgebra

/// Place of the antenna from the IMU as it was told.
package enum AntennaPlace {
  /// - Parameters:
  ///   - place: in vehicle axes, m.
  ///   - noise: variance per axis, m².
  package static func measurement(
    _ state: NavigationState, place: Vector3, noise: Double
  ) -> Measurement<some Relation> {
    let arm = state.vehicleFromBody.inverse * place
    return Measurement(
      innovation: arm - state.leverArm, links: Term(StateBlock.leverArm, IdentityMatrix()),
      noise: Matrix3(scalar: noise), dimension: 3)
  }
}
