import LinearAlgebra
import Navigation

extension FusionState {
  /// What is known, predicted to `time` at constant velocity and rate of turn.
  func solution(at time: Timestamp) -> NavigationSolution? {
    if isNavigating { return navigator.solution(at: time) }
    if let result = match?.result, let bank { return result.solution(at: time, holding: bank.time) }
    return bank?.solution(at: time)
  }
}

extension Navigator {
  /// Accelerations beyond the newest sample are unknown: standard deviation in m/s².
  private static let unknownAcceleration = 1.0
  /// Longest time to predict over, s.
  private static let longestPrediction = 60.0

  func solution(at time: Timestamp) -> NavigationSolution {
    let state = filter.state
    // Nobody asks for more than a moment; a clock that leapt may.
    let ahead = max(-Self.longestPrediction, min(Self.longestPrediction, time.seconds(since: self.time)))
    let navFromVehicle = state.navFromBody * state.vehicleFromBody.inverse
    let rate = state.vehicleFromBody * state.angularRate
    let cross = filter.covariance[StateBlock.position, StateBlock.velocity] * ahead
    let growth = Self.unknownAcceleration * ahead * ahead / 2
    let speedGrowth = Self.unknownAcceleration * ahead
    return NavigationSolution(
      time: time, mode: mode(at: time),
      position: state.position.moved(byNED: state.velocity * ahead),
      velocityNED: state.velocity,
      navFromVehicle: navFromVehicle * Quaternion(rotationVector: rate * ahead),
      angularRate: rate,
      positionCovariance: filter.covariance[StateBlock.position, StateBlock.position]
        + filter.covariance[StateBlock.velocity, StateBlock.velocity] * (ahead * ahead)
        + cross + cross.transpose + Matrix3(scalar: growth * growth)
        + Matrix3(diagonal: receiver.constantVariance),
      velocityCovariance: filter.covariance[StateBlock.velocity, StateBlock.velocity]
        + Matrix3(scalar: speedGrowth * speedGrowth),
      attitudeCovariance: vehicleAttitudeCovariance(navFromVehicle.matrix))
  }

  private func mode(at time: Timestamp) -> NavigationMode {
    // The IMU's heading is not the car's until the mounting is known.
    guard isMountingKnown else { return .aligning }
    if isStandingStill { return .stationary }
    return time.seconds(since: lastFix) > settings.deadReckoningAfter ? .deadReckoning : .aided
  }

  /// The vehicle's attitude errs as the IMU's does, less the error of the mounting turned into NED: φ − N δ.
  private func vehicleAttitudeCovariance(_ n: Matrix3) -> Matrix3 {
    guard isMountingKnown else {
      return filter.covariance[StateBlock.attitude, StateBlock.attitude]
        + Matrix3(diagonal: Vector3(0.01, 0.01, 1))
    }
    // The vehicle block holds pitch and yaw first; as a rotation they are its second and third component.
    let mounting = n * Matrix3(columns: Vector3(0, 1, 0), Vector3(0, 0, 1), .zero)
    let cross = filter.covariance[StateBlock.attitude, StateBlock.vehicle] * mounting.transpose
    return filter.covariance[StateBlock.attitude, StateBlock.attitude] - cross - cross.transpose
      + mounting * filter.covariance[StateBlock.vehicle, StateBlock.vehicle] * mounting.transpose
  }
}
