import LinearAlgebra
import Navigation

// Of the live engine only: written for every recorder, each answer would cost a copy of the covariance.

extension Navigator where Recorder == NoRecorder {
  /// Accelerations beyond the newest sample are unknown: standard deviation in m/s². [chosen]
  private static var unknownAcceleration: Double { 1 }
  /// So are turns: standard deviation of the angular acceleration in rad/s². [chosen]
  private static var unknownTurning: Double { 0.2 }
  /// Longest time to predict over, s. [chosen]
  private static var longestPrediction: Double { 60 }

  /// What is known, predicted to `time` at constant velocity and rate of turn.
  @inline(__always) func solution(at time: Timestamp) -> NavigationSolution {
    // Nobody asks for more than a moment; a clock that leapt may.
    let ahead = max(-Self.longestPrediction, min(Self.longestPrediction, time.seconds(since: self.time)))
    let navFromVehicle = self.navFromVehicle
    let rate = filter.state.vehicleFromBody * filter.state.angularRate
    let cross = filter.covariance[StateBlock.position, StateBlock.velocity] * ahead
    let growth = Self.unknownAcceleration * ahead * ahead / 2
    let speedGrowth = Self.unknownAcceleration * ahead
    let turn = Self.unknownTurning * ahead * ahead / 2
    let error = settings.modelError
    return NavigationSolution(
      time: time, mode: mode(at: time),
      position: filter.state.position.moved(
        byNED: filter.state.velocity * ahead, by: filter.nearbyCurvature.value(at: filter.state.position)),
      velocityNED: filter.state.velocity,
      navFromVehicle: navFromVehicle * Quaternion(rotationVector: rate * ahead),
      angularRate: rate,
      positionCovariance: error.position(
        filter.covariance[StateBlock.position, StateBlock.position]
          + filter.covariance[StateBlock.velocity, StateBlock.velocity] * (ahead * ahead)
          + cross + cross.transpose + Matrix3(scalar: growth * growth)
          + Matrix3(diagonal: receiver.unknownVariance + doubtVariance)),
      velocityCovariance: error.velocity(filter.covariance[StateBlock.velocity, StateBlock.velocity])
        + Matrix3(scalar: speedGrowth * speedGrowth),
      attitudeCovariance: error.attitude(vehicleAttitudeCovariance(navFromVehicle.matrix))
        + Matrix3(scalar: turn * turn),
      tailVariance: hypotheses.tailVariance + (mounting.isKnown ? filter.unaided.variance : 0),
      floor: barometer.floor.level)
  }
}

extension Navigator {
  /// What an honest accuracy has on top while the fixes speak for another place or height, m².
  @inline(__always) var doubtVariance: Vector3 {
    let horizontal = hypotheses.variance
    return Vector3(horizontal, horizontal, fixes.heightDoubt.variance + barometer.heightVariance)
  }

  /// Where the engine stands with this navigator alone.
  @inline(__always) func mode(at time: Timestamp) -> NavigationMode {
    // The IMU's heading is not the car's until the mounting is known.
    guard mounting.isKnown else { return .aligning }
    if isCarried { return .carried }
    if rest.isStanding { return .stationary }
    return time.seconds(since: fixes.last) > settings.deadReckoningAfter ? .deadReckoning : .aided
  }

  /// The attitude of the vehicle whose axes `navFromVehicle` turns into NED errs as the
  /// IMU's, and as the mounting.
  @inline(__always) func vehicleAttitudeCovariance(_ navFromVehicle: Matrix3) -> Matrix3 {
    guard mounting.isKnown else {
      return VehicleAttitude.unmounted(attitude: filter.covariance[StateBlock.attitude, StateBlock.attitude])
    }
    return VehicleAttitude.covariance(
      navFromVehicle, attitude: filter.covariance[StateBlock.attitude, StateBlock.attitude],
      cross: filter.covariance[StateBlock.attitude, StateBlock.mountingAndOdometer],
      mounting: filter.covariance[StateBlock.mountingAndOdometer, StateBlock.mountingAndOdometer])
  }
}

/// Covariance of the vehicle's attitude.
enum VehicleAttitude {
  /// It errs as the IMU's does, less the error of the mounting turned into NED: φ − N δ.
  ///
  /// - Parameters:
  ///   - cross: of the IMU's attitude with the vehicle block.
  ///   - mounting: of the vehicle block.
  @inline(__always) static func covariance(
    _ navFromVehicle: Matrix3, attitude: Matrix3, cross: Matrix3, mounting: Matrix3
  )
    -> Matrix3
  {
    // The vehicle block holds pitch and yaw first; as a rotation they are about its second and third axis.
    let (pitch, yaw) = (navFromVehicle.y, navFromVehicle.z)
    let shared = Matrix3(outer: cross.x, pitch) + Matrix3(outer: cross.y, yaw)
    let byPitch = pitch * mounting.x.x + yaw * mounting.x.y
    let byYaw = pitch * mounting.y.x + yaw * mounting.y.y
    return attitude - shared - shared.transpose + Matrix3(outer: byPitch, pitch) + Matrix3(outer: byYaw, yaw)
  }

  /// That of the IMU, level but for a tenth, where the mounting is not known.
  static func unmounted(attitude: Matrix3) -> Matrix3 {
    attitude + Matrix3(diagonal: Vector3(0.01, 0.01, 1))
  }
}
