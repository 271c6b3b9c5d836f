// What the wheels say of the velocity u = C_b^v C_n^b v in vehicle axes. With r the IMU's place ahead
// of the rear axle and ω, f the rate and force in vehicle axes, the rear axle neither slides nor hops,
// but for tyres and springs:
//   u_y − ω_z r + c_s f_y u_x = 0,   u_z + ω_y r − c_p f_x u_x = 0
// (non-holonomic constraint; Groves, 2nd edition, section 15.4.1, with slip angle and body pitch
// proportional to the force added). A wheel speed measures (1 + κ) u_x, mostly without its sign. Mounting
// errors turn u: δu = −u × δ.
import CLibrary
import LinearAlgebra

/// Wheel speed along the car, and no slip across it.
package struct VehicleVelocity {
  private let vehicleFromNav: Matrix3
  /// u.
  private let along: Vector3
  private let rate: Vector3
  private let force: Vector3
  /// What is measured of u, by tyres, springs and wheel.
  private let rows: Matrix3
  /// The measurement as it is expected.
  private let predicted: Vector3

  @inline(__always) package init(_ state: NavigationState) {
    let vehicleFromBody = state.vehicleFromBody.matrix
    vehicleFromNav = vehicleFromBody * state.navFromBody.inverse.matrix
    along = vehicleFromNav * state.velocity
    rate = vehicleFromBody * state.smoothRate
    force = vehicleFromBody * state.smoothForce
    let slip = state.sideslipGradient * force.y
    let pitch = state.pitchPerForce * force.x
    rows = Matrix3(
      rows: Vector3(1 + state.odometerScale, 0, 0), Vector3(slip, 1, 0), Vector3(-pitch, 0, 1))
    predicted = rows * along + Vector3(0, -rate.z, rate.y) * state.axleDistance
  }

  /// Velocity to the right and down that tyres and springs do not account for, m/s.
  package var slip: (right: Double, down: Double) { (predicted.y, predicted.z) }

  /// Specific force along the car, m/s².
  package var forceAlong: Double { force.x }

  /// What rate and force make of the errors of axle distance, slip and pitch per force.
  @inline(__always) private var chassis: Matrix3 {
    Matrix3(
      columns: Vector3(0, -rate.z, rate.y), Vector3(0, force.y * along.x, 0),
      Vector3(0, 0, -force.x * along.x))
  }

  /// The same of the constraint alone.
  @inline(__always) private var chassisAcross: TwoEntryRowsMatrix {
    TwoEntryRowsMatrix(Vector3(-rate.z, rate.y, 0), force.y * along.x, -force.x * along.x)
  }

  /// Log odds of forward against backward before anything is known of the motion. [chosen: nine times in ten]
  private static let forward = 2.2

  /// What a wheel speed without its sign says of the speed forward: the mean of both signs by how likely each
  /// of them is, and the variance that not knowing adds, m/s and (m/s)². (Moments of a mixture of two, as
  /// probabilistic data association has them.)
  ///
  /// - Parameter variance: of the wheel speed against the one that is expected, (m/s)².
  package func sensed(_ wheelSpeed: Double, variance: Double) -> (speed: Double, variance: Double) {
    let odds = 2 * abs(wheelSpeed) * predicted.x / variance + Self.forward
    let share = 2 / (1 + exp(-odds)) - 1
    return (abs(wheelSpeed) * share, wheelSpeed * wheelSpeed * (1 - share * share))
  }

  /// Variance of the speed forward by that of the velocity in NED, (m/s)².
  package func alongVariance(_ velocity: Matrix3) -> Double {
    let ahead = vehicleFromNav.transpose * Vector3(1, 0, 0)
    return ahead.dot(velocity * ahead)
  }

  /// Variances of the velocity to the right and down besides what is linear in the errors, (m/s)²: products
  /// of the errors of speed and angle, and to the right what the line leaves out of the sine of the
  /// heading's error, ψ³ / 6 of the speed. (Terms of second and third order of the expansion; Jazwinski,
  /// "Stochastic Processes and Filtering Theory", section 9.3; Zanetti, DeMars and Bishop, "Underweighting
  /// nonlinear measurements".)
  ///
  /// - Parameters:
  ///   - velocity: covariance of the velocity in NED, (m/s)².
  ///   - attitude: of the attitude, rad².
  package func nonlinearity(velocity: Matrix3, attitude: Matrix3) -> (right: Double, down: Double) {
    let speed = max(0, alongVariance(velocity))
    let tilt = max(0, attitude.x.x + attitude.y.y) / 2
    let heading = max(0, attitude.z.z)
    let sine = 15.0 / 36 * heading * heading * heading * (along.x * along.x + along.y * along.y)
    return (speed * (tilt + heading) + sine, speed * tilt)
  }

  /// A wheel speed, and the constraint.
  ///
  /// - Parameters:
  ///   - wheelSpeed: m/s, forward.
  ///   - noise: variances of the wheel speed, and of the velocity to the right and down, (m/s)².
  ///   - isRolling: whether the car moves enough to tell of its axle, tyres and springs.
  package static func measurement(
    _ state: NavigationState, wheelSpeed: Double, noise: Vector3, isRolling: Bool = true
  ) -> Measurement<some Relation> {
    let vehicle = VehicleVelocity(state)
    let u = vehicle.along
    // Rate and force enter by small factors: what mounting and biases change in them is left out.
    let turned = vehicle.rows * Matrix3(crossProductOf: -u)
    let rows = vehicle.rows * vehicle.vehicleFromNav
    let motion = rows * vehicleLinks(state.velocity)
    let mounting = Term(
      StateBlock.mountingAndOdometer, Matrix3(columns: turned.y, turned.z, Vector3(u.x, 0, 0)))
    let both = motion + mounting
    return Measurement(
      innovation: Vector3(wheelSpeed, 0, 0) - vehicle.predicted,
      links: both + Term(StateBlock.vehicleDynamics, isRolling ? vehicle.chassis : .zero),
      noise: Matrix3(diagonal: noise), dimension: 3)
  }

  /// The constraint alone, of two components: to the right and down.
  ///
  /// - Parameters:
  ///   - velocity: in NED, m/s.
  ///   - noise: variances as above, of which the first is of no account.
  ///   - isRolling: as above.
  @inline(__always) package func constraint(
    velocity: Vector3, noise: Vector3, isRolling: Bool = true
  ) -> Measurement<some Relation> {
    let rows = rows.withoutFirstRow
    let turned = rows * Matrix3(crossProductOf: -along)
    return Measurement(
      innovation: Vector3(-predicted.y, -predicted.z, 0),
      links: TwoRowMatrix(rows * vehicleFromNav) * Self.vehicleLinks(velocity)
        + Term(StateBlock.mountingAndOdometer, TwoByTwoMatrix(columns: turned.y, turned.z))
        + Term(StateBlock.vehicleDynamics, isRolling ? chassisAcross : TwoEntryRowsMatrix(.zero, 0, 0)),
      noise: Matrix3(diagonal: Vector3(noise.y, noise.z, 1)), dimension: 2)
  }

  /// The error of the velocity in NED, as the attitude turns it.
  @inline(__always) private static func vehicleLinks(_ velocity: Vector3) -> some Relation {
    Term(StateBlock.velocity, IdentityMatrix()) + Term(StateBlock.attitude, CrossProductMatrix(of: velocity))
  }
}

extension Matrix3 {
  /// The second row, the third, and zeros.
  @inline(__always) fileprivate var withoutFirstRow: Matrix3 {
    Matrix3(columns: Vector3(x.y, x.z, 0), Vector3(y.y, y.z, 0), Vector3(z.y, z.z, 0))
  }
}
