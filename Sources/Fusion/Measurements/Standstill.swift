// A car that stands has no velocity, and its gyroscope measures its bias and the Earth's rate:
//   0 = v + noise,   ω_measured − C_n^b ω_ie = b_g + noise      (Groves, 2nd edition, section 15.3)
import LinearAlgebra

/// Zero velocity and zero angular rate.
package enum Standstill {
  /// - Parameter noise: variance of the velocity of a standing car, (m/s)².
  package static func velocity(_ state: NavigationState, noise: Double) -> Measurement<some Relation> {
    Measurement(
      innovation: -state.velocity, links: Term(StateBlock.velocity, IdentityMatrix()),
      noise: Matrix3(scalar: noise), dimension: 3)
  }

  /// - Parameters:
  ///   - earthRate: of the Earth in NED, rad/s.
  ///   - noise: variance of the mean angular rate since the last such measurement, (rad/s)².
  package static func angularRate(
    _ state: NavigationState, earthRate: Vector3, noise: Double
  ) -> Measurement<some Relation> {
    // `state.angularRate` has the bias taken out, so that what is left of it is the bias's error. The Earth's
    // rate turned by an attitude error of 5° is 1e-5 rad/s: left out of the Jacobian.
    Measurement(
      innovation: state.angularRate - state.navFromBody.inverse * earthRate,
      links: Term(StateBlock.gyroBias, IdentityMatrix()), noise: Matrix3(scalar: noise), dimension: 3)
  }
}
