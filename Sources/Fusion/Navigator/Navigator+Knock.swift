import LinearAlgebra
import Navigation

/// An IMU that is turned in the car, by a knock or a hand.
extension Navigator {
  /// From the vehicle's axes to NED: where the nose points. While the IMU seems to be turned in the car, as
  /// the car went on without.
  @inline(__always) var navFromVehicle: Quaternion {
    (mounting.knock.undisturbed ?? filter.state.navFromBody) * filter.state.vehicleFromBody.inverse
  }

  /// Looks whether the IMU turns in the car, `interval` seconds after the last time.
  mutating func watchKnock(interval: Double) {
    guard !isOdometry, !isDisabled(.carriage) else { return }
    let state = filter.state
    let variance = filter.covariance[StateBlock.velocity, StateBlock.velocity].diagonal
    let motion = KnockWatch.Motion(
      navFromBody: state.navFromBody, rate: state.navFromBody * state.smoothRate,
      acceleration: state.acceleration, velocity: state.velocity,
      speedSigma: max(variance.x, variance.y, 0).squareRoot())
    guard let found = mounting.knock.add(motion, elapsed: interval) else { return }
    switch found.finding {
    case .knocked: turnMounting(expected: found.expected)
    case .spinning: mounting.isSpinning = true
    }
  }

  /// Takes the IMU to be turned in the car: it is the mounting that is another, and where the antenna lies in
  /// the IMU's axes. The bias of an IMU is its own.
  ///
  /// - Parameter navFromBody: the attitude of an IMU that was not turned.
  private mutating func turnMounting(expected navFromBody: Quaternion) {
    let newFromOld = filter.state.navFromBody.inverse * navFromBody
    let angle = newFromOld.rotationVector.norm
    let sigma = Self.knockSigma + Self.knockShare * angle
    let known = filter.covariance[StateBlock.mountingAndOdometer, StateBlock.mountingAndOdometer].diagonal
    filter.reset(
      mounting: (filter.state.vehicleFromBody * newFromOld.inverse).normalized,
      odometerScale: filter.state.odometerScale,
      covariance: Matrix3(diagonal: Vector3(sigma * sigma, sigma * sigma, known.z)))
    let turn = newFromOld.matrix
    let arm = filter.covariance[StateBlock.leverArm, StateBlock.leverArm]
    filter.reset(
      StateBlock.leverArm, value: turn * filter.state.leverArm, covariance: turn * arm * turn.transpose)
    filter.inflate(
      StateBlock.attitude,
      variances: Vector3(repeating: Self.knockShare * Self.knockShare * angle * angle))
    rest.last.force = turn * rest.last.force
    forgetCarriage()
    mounting.isRecalled = false
  }

  /// What a knock leaves of the mounting to be seen again, rad, besides a part of the angle, which is what
  /// the gyroscope may be wrong by too. [chosen: what the car turns by meanwhile]
  private static var knockSigma: Double { 0.05 }
  private static var knockShare: Double { 0.02 }

  /// Takes the mounting to be another where the motion leaves the nose and the IMU may have been knocked.
  mutating func forgetMountingIfKnocked() -> Bool {
    guard mounting.knock.isSuspected else { return false }
    forgetMounting()
    return true
  }

  /// The IMU has been turned in the car, nobody knows how: the motion has to show it again.
  mutating func forgetMounting() {
    mounting.isKnown = false
    forgetCarriage()
  }
}
