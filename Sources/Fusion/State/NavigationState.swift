import LinearAlgebra
import Navigation

/// The estimate itself: what the error state is an error of.
package struct NavigationState: Sendable {
  /// The IMU's position.
  package var position: GeodeticPosition
  /// The IMU's velocity against the Earth in NED, m/s.
  package var velocity: Vector3
  /// Attitude C_b^n.
  package var navFromBody: Quaternion
  /// Gyroscope bias in body axes, rad/s.
  package var gyroBias = Vector3.zero
  /// Accelerometer bias in body axes, m/s².
  package var accelBias = Vector3.zero
  /// Correlated part of the receiver's position error in NED, metres.
  package var gnssPositionBias = Vector3.zero
  /// Mounting C_b^v.
  package var vehicleFromBody = Quaternion.identity
  /// Wheel speed = (1 + odometerScale) · true speed.
  package var odometerScale = 0.0
  /// Antenna from the IMU in body axes, metres.
  package var leverArm = Vector3.zero
  /// Metres that the IMU sits ahead of the rear axle.
  package var axleDistance = 0.0
  /// Slip angle of the rear tyres per force to the right, rad per m/s²: they drift outward.
  package var sideslipGradient = 0.0
  /// Angle that the nose rises above the direction of motion per force forward, rad per m/s².
  package var pitchPerForce = 0.0
  /// The receiver's position holds this many seconds before its stated time.
  package var positionDelay = 0.0
  /// The receiver's velocity holds this many seconds before its stated time.
  package var velocityDelay = 0.0
  /// What the velocity lacks is the acceleration of so much of its lag on average before: half of what is
  /// late, all of what is smoothed.
  package var lagShare = LagShape.late
  /// True rate about the vertical axis = (1 + gyroScale) · measured rate.
  package var gyroScale = 0.0
  /// Direction of gravity in body axes when the attitude was first found: the axis that `gyroScale` is about.
  package var verticalAxis = Vector3(0, 0, 1)

  /// Angular rate against inertial space in body axes, corrected, rad/s.
  package var angularRate = Vector3.zero
  /// Specific force in body axes, corrected, m/s².
  package var specificForce = Vector3.zero
  /// Angular rate and specific force as above, averaged over about the last tenth of a second.
  package var smoothRate = Vector3.zero, smoothForce = Vector3.zero
  /// Acceleration against the Earth in NED, m/s², averaged over about the last tenth of a second, or the lag
  /// of the receiver's velocity.
  package var acceleration = Vector3.zero

  package init(position: GeodeticPosition, velocity: Vector3, navFromBody: Quaternion) {
    self.position = position
    self.velocity = velocity
    self.navFromBody = navFromBody
  }

  /// Adds an error to the estimate: true = estimated ⊞ error.
  ///
  /// - Parameter curvature: the Earth's at the position, where it is known.
  package mutating func inject(_ error: ErrorState, by curvature: Curvature? = nil) {
    position = position.moved(byNED: error[StateBlock.position], by: curvature ?? Curvature(at: position))
    velocity += error[StateBlock.velocity]
    navFromBody = (Quaternion(rotationVector: error[StateBlock.attitude]) * navFromBody).normalized
    gyroBias += error[StateBlock.gyroBias]
    accelBias += error[StateBlock.accelBias]
    gnssPositionBias += error[StateBlock.gnssPositionBias]
    let vehicle = error[StateBlock.mountingAndOdometer]
    vehicleFromBody =
      (Quaternion(rotationVector: Vector3(0, vehicle.x, vehicle.y)) * vehicleFromBody).normalized
    odometerScale += vehicle.z
    leverArm += error[StateBlock.leverArm]
    let timing = error[StateBlock.delaysAndGyroScale]
    positionDelay += timing.x
    velocityDelay += timing.y
    gyroScale += timing.z
    let chassis = error[StateBlock.vehicleDynamics]
    axleDistance += chassis.x
    sideslipGradient += chassis.y
    pitchPerForce += chassis.z
  }

  /// What leads from here to `other` of what is navigated, biased and lasting.
  package func separation(to other: NavigationState) -> ErrorState {
    var change = ErrorState()
    change[StateBlock.position] = other.position.ned(from: position)
    change[StateBlock.velocity] = other.velocity - velocity
    change[StateBlock.attitude] = (other.navFromBody * navFromBody.inverse).rotationVector
    change[StateBlock.gyroBias] = other.gyroBias - gyroBias
    change[StateBlock.accelBias] = other.accelBias - accelBias
    change[StateBlock.gnssPositionBias] = other.gnssPositionBias - gnssPositionBias
    return change
  }

  /// Gives a block another value: position, attitude and mounting are no vectors, and have none.
  mutating func set(_ block: Int, _ value: Vector3) {
    switch block {
    case StateBlock.velocity: velocity = value
    case StateBlock.gyroBias: gyroBias = value
    case StateBlock.accelBias: accelBias = value
    case StateBlock.gnssPositionBias: gnssPositionBias = value
    case StateBlock.leverArm: leverArm = value
    case StateBlock.delaysAndGyroScale:
      (positionDelay, velocityDelay, gyroScale) = (value.x, value.y, value.z)
    case StateBlock.vehicleDynamics:
      (axleDistance, sideslipGradient, pitchPerForce) = (value.x, value.y, value.z)
    default: preconditionFailure("block \(block) is no vector")
    }
  }

  /// A measured angular rate with bias and scale taken out.
  @inline(__always) func corrected(angularRate measured: Vector3) -> Vector3 {
    let rate = measured - gyroBias
    return rate + verticalAxis * (gyroScale * rate.dot(verticalAxis))
  }

  /// A measured sample with biases and scale taken out.
  @inline(__always) func corrected(_ sample: InertialSample) -> InertialRates {
    InertialRates(
      angularRate: corrected(angularRate: sample.angularRate), specificForce: sample.specificForce - accelBias
    )
  }

  /// Whether every part is a finite number.
  @inline(__always) package var isFinite: Bool {
    position.isValid && position.longitude.isFinite && velocity.isFinite && navFromBody.vector.isFinite
      && gyroBias.isFinite && accelBias.isFinite && gnssPositionBias.isFinite && leverArm.isFinite
      && (odometerScale + positionDelay + velocityDelay + gyroScale).isFinite
  }
}
