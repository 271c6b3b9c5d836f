// What the wheels say of the velocity u = C_b^v C_n^b v in vehicle axes. With r the IMU's place ahead of the rear axle
// and ω, f the rate and force in vehicle axes, the rear axle neither slides nor hops, but for tyres and springs:
//   u_y − ω_z r + c_s f_y u_x = 0,   u_z + ω_y r − c_p f_x u_x = 0
// (non-holonomic constraint; Groves, 2nd edition, section 15.4.1, with slip angle and body pitch proportional to the
// force added). A wheel speed measures (1 + κ) u_x, mostly without its sign. Mounting errors turn u: δu = −u × δ.
import LinearAlgebra

/// Wheel speed along the car, and no slip across it.
package enum VehicleVelocity {
  /// - Parameters:
  ///   - wheelSpeed: m/s, or nil where only the constraint is applied.
  ///   - hasSign: whether a positive speed means forward; otherwise its sign is taken from the state.
  ///   - noise: variances of the wheel speed, and of the velocity to the right and down, (m/s)².
  package static func measurement(
    _ state: NavigationState, wheelSpeed: Double?, hasSign: Bool = false, noise: Vector3
  ) -> Measurement<4> {
    let bodyFromNav = state.navFromBody.inverse.matrix
    let vehicleFromBody = state.vehicleFromBody.matrix
    let vehicleFromNav = vehicleFromBody * bodyFromNav
    let u = vehicleFromNav * state.velocity
    let rate = vehicleFromBody * state.smoothRate
    let force = vehicleFromBody * state.smoothForce
    let scale = 1 + state.odometerScale
    let slip = state.slipPerForce * force.y
    let pitch = state.pitchPerForce * force.x
    let predicted = Vector3(
      scale * u.x,
      u.y - rate.z * state.axleDistance + slip * u.x,
      u.z + rate.y * state.axleDistance - pitch * u.x)
    let signed = wheelSpeed.map { hasSign ? $0 : u.x < 0 ? -abs($0) : abs($0) }
    // Rate and force enter by small factors: what mounting and biases change in them is left out.
    let rows = Matrix3(rows: Vector3(scale, 0, 0), Vector3(slip, 1, 0), Vector3(-pitch, 0, 1))
    let turned = rows * Matrix3(crossProductOf: -u)
    let measurement = Measurement<4>(
      innovation: Vector3(signed ?? 0, 0, 0) - predicted,
      links: [
        Link(StateBlock.velocity, rows * vehicleFromNav),
        Link(StateBlock.attitude, rows * vehicleFromNav * Matrix3(crossProductOf: state.velocity)),
        Link(StateBlock.vehicle, Matrix3(columns: turned.y, turned.z, Vector3(u.x, 0, 0))),
        Link(
          StateBlock.chassis,
          Matrix3(
            columns: Vector3(0, -rate.z, rate.y), Vector3(0, force.y * u.x, 0), Vector3(0, 0, -force.x * u.x))
        ),
      ],
      noise: Matrix3(diagonal: noise), dimension: 3)
    return wheelSpeed == nil ? measurement.withoutFirst() : measurement
  }
}
