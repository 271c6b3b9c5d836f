// What the wheels say of the velocity u = C_b^v C_n^b v in vehicle axes. The rear axle neither slides nor hops:
//   u_y = 0, u_z = 0                              (non-holonomic constraint; Groves, 2nd edition, section 15.4.1)
// and a wheel speed measures (1 + κ) u_x, mostly without its sign. Mounting errors turn u: δu = −u × δ.
import LinearAlgebra

/// Wheel speed along the car, and no slip across it.
package enum VehicleVelocity {
  /// - Parameters:
  ///   - wheelSpeed: m/s, or nil where only the constraint is applied. Its sign is taken from the state.
  ///   - noise: variances of the wheel speed, and of the velocity to the right and down, (m/s)².
  package static func measurement(
    _ state: NavigationState, wheelSpeed: Double?, noise: Vector3
  ) -> Measurement<3> {
    let bodyFromNav = state.navFromBody.inverse.matrix
    let vehicleFromNav = state.vehicleFromBody.matrix * bodyFromNav
    let u = vehicleFromNav * state.velocity
    let scale = 1 + state.odometerScale
    let signed = wheelSpeed.map { u.x < 0 ? -abs($0) : abs($0) }
    let rows = Matrix3(diagonal: Vector3(scale, 1, 1))
    let turned = Matrix3(crossProductOf: -u)
    let measurement = Measurement<3>(
      innovation: Vector3((signed ?? 0) - scale * u.x, -u.y, -u.z),
      links: [
        Link(StateBlock.velocity, rows * vehicleFromNav),
        Link(StateBlock.attitude, rows * vehicleFromNav * Matrix3(crossProductOf: state.velocity)),
        Link(
          StateBlock.vehicle,
          rows * Matrix3(columns: turned.y, turned.z, Vector3(u.x / scale, 0, 0))),
      ],
      noise: Matrix3(diagonal: noise), dimension: 3)
    return wheelSpeed == nil ? measurement.keeping(Vector3(0, 1, 1)) : measurement
  }
}
