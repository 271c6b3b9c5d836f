import LinearAlgebra

/// Indices of the error state's blocks of three, in the order of the covariance. An
/// error is true − estimated.
package enum StateBlock {
  /// Position error north, east, down in metres.
  package static let position = 0
  /// Velocity error north, east, down in m/s.
  package static let velocity = position + 1
  /// Rotation in NED axes that turns the estimated attitude into the true one, rad.
  package static let attitude = velocity + 1
  /// Gyroscope bias in body axes, rad/s.
  package static let gyroBias = attitude + 1
  /// Accelerometer bias in body axes, m/s².
  package static let accelBias = gyroBias + 1
  /// Correlated error of the receiver's position north, east, down in metres.
  package static let gnssPositionBias = accelBias + 1
  /// Mounting pitch and yaw in vehicle axes, rad; relative scale of the wheel speed.
  package static let mountingAndOdometer = gnssPositionBias + 1
  /// Antenna from the IMU in body axes, metres.
  package static let leverArm = mountingAndOdometer + 1
  /// Lag of the receiver's position and of its velocity in s; relative scale of the
  /// gyroscope about the vertical.
  package static let delaysAndGyroScale = leverArm + 1
  /// Distance of the IMU ahead of the rear axle in m; slip angle and body pitch per lateral and
  /// longitudinal force in rad per m/s².
  package static let vehicleDynamics = delaysAndGyroScale + 1
  /// Number of blocks.
  package static let count = vehicleDynamics + 1

  /// The blocks behind position, velocity and attitude: those of ``LearnedState``.
  package static let learned = gyroBias..<count
}

// The language wants a literal for the number of blocks: it stands in these four, and a test holds
// it to `StateBlock.count`.
package typealias ErrorState = StateVector<10>
package typealias ErrorCovariance = Covariance<10>
package typealias ErrorProjection = Projection<10>
/// A thing for each block.
package typealias PerBlock<Element> = InlineArray<10, Element>
