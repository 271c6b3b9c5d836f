import Fusion
import Simulation

/// States, errors and their numbers, for tests that take derivatives.
enum States {
  /// Number of components of the error state.
  static let dimension = 3 * StateBlock.count

  /// The error that is `value` in one component and 0 in the others.
  static func error(_ component: Int, _ value: Double) -> ErrorState {
    var error = ErrorState()
    error[component / 3][component % 3] = value
    return error
  }

  /// The error e with b ⊞ e = a: the inverse of `NavigationState.inject`.
  static func difference(_ a: NavigationState, _ b: NavigationState) -> ErrorState {
    var error = ErrorState()
    error[StateBlock.position] = a.position.ned(from: b.position)
    error[StateBlock.velocity] = a.velocity - b.velocity
    error[StateBlock.attitude] = (a.navFromBody * b.navFromBody.inverse).rotationVector
    error[StateBlock.gyroBias] = a.gyroBias - b.gyroBias
    error[StateBlock.accelBias] = a.accelBias - b.accelBias
    error[StateBlock.gnssPositionBias] = a.gnssPositionBias - b.gnssPositionBias
    let mounting = (a.vehicleFromBody * b.vehicleFromBody.inverse).rotationVector
    error[StateBlock.mountingAndOdometer] = Vector3(mounting.y, mounting.z, a.odometerScale - b.odometerScale)
    error[StateBlock.leverArm] = a.leverArm - b.leverArm
    error[StateBlock.delaysAndGyroScale] = Vector3(
      a.positionDelay - b.positionDelay, a.velocityDelay - b.velocityDelay, a.gyroScale - b.gyroScale)
    error[StateBlock.vehicleDynamics] = Vector3(
      a.axleDistance - b.axleDistance, a.sideslipGradient - b.sideslipGradient,
      a.pitchPerForce - b.pitchPerForce)
    return error
  }

  /// A driving car somewhere, with every part of the state away from 0 but the gyroscope's scale.
  static func random(_ random: inout RandomSource) -> NavigationState {
    func vector(_ size: Double) -> Vector3 {
      Vector3(
        random.uniform(in: -size...size), random.uniform(in: -size...size), random.uniform(in: -size...size))
    }
    var state = NavigationState(
      position: GeodeticPosition(
        latitude: random.uniform(in: -1.2...1.2), longitude: random.uniform(in: -3...3),
        height: random.uniform(in: -50...3000)),
      velocity: vector(20), navFromBody: Quaternion(rotationVector: vector(1.8)))
    state.gyroBias = vector(0.02)
    state.accelBias = vector(0.2)
    state.gnssPositionBias = vector(4)
    state.vehicleFromBody = Quaternion(rotationVector: vector(1.8))
    state.odometerScale = random.uniform(in: -0.05...0.05)
    state.leverArm = vector(1.5)
    state.axleDistance = random.uniform(in: 0.3...2)
    state.sideslipGradient = random.uniform(in: 0.001...0.008)
    state.pitchPerForce = random.uniform(in: 0.001...0.008)
    state.positionDelay = random.uniform(in: -0.1...0.2)
    state.velocityDelay = random.uniform(in: -0.1...0.3)
    let axis = vector(1)
    state.verticalAxis = axis / axis.norm
    state.angularRate = vector(0.5)
    state.specificForce = vector(12)
    state.smoothRate = vector(0.5)
    state.smoothForce = vector(12)
    state.acceleration = vector(3)
    return state
  }
}

extension Vector3 {
  /// Three standard normal numbers.
  init(normal random: inout RandomSource) {
    self.init(random.normal(), random.normal(), random.normal())
  }
}
