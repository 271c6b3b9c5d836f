import LinearAlgebra

/// What the filter's covariances leave out: a solution states more than they say, by factors on standard
/// deviations and by floors.
///
/// All [measured on variants of 25 drives by `reckon stress`]: with these the stated accuracies
/// hold as often as they say.
public struct ModelError: Sendable {
  /// Of the horizontal position. [measured by `reckon stress`]
  public var positionScale = 1.0
  /// Of each horizontal axis, m: antenna, IMU and what is asked for are not one place, and no car is
  /// measured to better. [chosen]
  public var positionFloor = 0.1
  /// Of the height. [measured by `reckon stress`]
  public var heightScale = 1.6
  /// Of the velocity, and m/s. [measured by `reckon stress`]
  public var velocityScale = 1.4, velocityFloor = 0.05
  /// Of the attitude, and rad: scale and cross-axis errors, slip. [measured by `reckon stress`]
  public var attitudeScale = 1.4, attitudeFloor = 0.008

  /// The measured ones.
  public init() {}

  @inline(__always) func position(_ covariance: Matrix3) -> Matrix3 {
    let s = Vector3(positionScale, positionScale, heightScale)
    let floor = positionFloor * positionFloor
    let scaled = Matrix3(
      columns: covariance.x.scaled(by: s) * s.x, covariance.y.scaled(by: s) * s.y,
      covariance.z.scaled(by: s) * s.z)
    return scaled + Matrix3(diagonal: Vector3(floor, floor, 0))
  }

  @inline(__always) func velocity(_ covariance: Matrix3) -> Matrix3 {
    covariance * (velocityScale * velocityScale) + Matrix3(scalar: velocityFloor * velocityFloor)
  }

  @inline(__always) func attitude(_ covariance: Matrix3) -> Matrix3 {
    covariance * (attitudeScale * attitudeScale) + Matrix3(scalar: attitudeFloor * attitudeFloor)
  }
}
