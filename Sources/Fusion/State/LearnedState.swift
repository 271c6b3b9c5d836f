import LinearAlgebra

/// A state beside position, velocity and attitude, which the filter learns on the way: what is
/// said of it, in one place.
///
/// From these follow the covariance that a navigator starts with, what is reported as learned,
/// what of a saved state is believed, and the table of states in the documentation. A state of one
/// axis keeps its number in x.
package struct LearnedState: Sendable {
  /// What a state waits for: its error is none before.
  package enum Event: Sendable {
    /// A first fix.
    case fix
    /// The heading is found.
    case heading
    /// The car is seen to drive, and with it how the IMU is mounted.
    case mounting
  }

  /// SI unit; empty for a ratio.
  package let unit: String
  /// Index of its block.
  package let block: Int
  /// Its axis in the block; nil for all three.
  package let axis: Int?
  /// What it waits for, in a car with an IMU; in one without, all but the error of the
  /// fixes wait for the heading.
  package let from: Event
  /// Standard deviation at the start; nil where the receiver says it.
  package let start: (@Sendable (FusionConfiguration) -> Double)?
  /// The same for a car without an IMU; nil where that is no other.
  package let startWithoutIMU: Double?
  /// Its random walk, units/√s; nil for what stays, or fades by the receiver's correlation time.
  /// `ErrorPropagation` writes these out, for speed: a test holds it to them.
  package let walk: (@Sendable (ProcessNoise) -> Double)?
  /// The part of the engine without which it stays as it is; nil where there is none.
  package let model: FusionModel?
  /// Largest size that can have been learned, far beyond any sensor in a car (biases five times those of the
  /// worst consumer parts); nil for what is a rotation, or is not taken up from a saved state.
  package let limit: Double?
  /// What a saved state beyond it is told to be out of.
  package let quantity: SavedState.Fault.Quantity
  /// The estimate of it.
  package let value: @Sendable (NavigationState) -> Vector3
  /// What was learned of it.
  package let learned: @Sendable (Calibration) -> Calibration.Vector

  init(
    unit: String = "", _ block: Int, axis: Int? = nil, from: Event = .heading,
    start: (@Sendable (FusionConfiguration) -> Double)?, withoutIMU: Double? = nil,
    walk: (@Sendable (ProcessNoise) -> Double)? = nil, model: FusionModel? = nil, limit: Double?,
    _ quantity: SavedState.Fault.Quantity,
    value: @escaping @Sendable (NavigationState) -> Vector3,
    learned: @escaping @Sendable (Calibration) -> Calibration.Vector
  ) {
    (self.unit, self.block, self.axis, self.from) = (unit, block, axis, from)
    (self.start, startWithoutIMU, self.walk, self.model) = (start, withoutIMU, walk, model)
    (self.limit, self.quantity, self.value, self.learned) = (limit, quantity, value, learned)
  }

  /// A state of one axis.
  init(
    unit: String = "", _ block: Int, axis: Int, from: Event = .heading,
    start: @escaping @Sendable (FusionConfiguration) -> Double, withoutIMU: Double? = nil,
    walk: (@Sendable (ProcessNoise) -> Double)? = nil, model: FusionModel? = nil, limit: Double?,
    _ quantity: SavedState.Fault.Quantity,
    scalar: @escaping @Sendable (NavigationState) -> Double,
    learned: @escaping @Sendable (Calibration) -> Calibration.Scalar
  ) {
    self.init(
      unit: unit, block, axis: axis, from: from, start: start, withoutIMU: withoutIMU, walk: walk,
      model: model, limit: limit, quantity, value: { Vector3(scalar($0), 0, 0) },
      learned: {
        let scalar = learned($0)
        return .init(value: Vector3(scalar.value, 0, 0), sigma: Vector3(scalar.sigma, 0, 0))
      })
  }
}

// MARK: The states

// `scripts/constants` makes Fusion.docc/States.md of these and of the comments above them.
extension LearnedState {
  /// Bias of the gyroscope in the IMU's axes.
  package static var gyroBias: LearnedState {
    .init(
      unit: "rad/s", StateBlock.gyroBias, start: { $0.start.gyroBiasSigma }, withoutIMU: 0.003,
      walk: { $0.gyroBias }, limit: 0.35, .gyroBias, value: { $0.gyroBias }, learned: { $0.gyroBias })
  }
  /// Bias of the accelerometer in the IMU's axes.
  package static var accelBias: LearnedState {
    .init(
      unit: "m/s²", StateBlock.accelBias, start: { $0.start.accelBiasSigma }, withoutIMU: 0.001,
      walk: { $0.accelBias }, limit: 3, .accelBias, value: { $0.accelBias }, learned: { $0.accelBias })
  }
  /// The part of the receiver's position error that lasts, north, east, down: a Gauss-Markov process.
  package static var gnssPositionBias: LearnedState {
    .init(
      unit: "m", StateBlock.gnssPositionBias, from: .fix, start: nil, limit: nil, .receiverNoise,
      value: { $0.gnssPositionBias }, learned: { $0.gnssPositionBias })
  }
  /// Pitch of the IMU against the vehicle.
  package static var mountingPitch: LearnedState {
    .init(
      unit: "rad", StateBlock.mountingAndOdometer, axis: 0, from: .mounting,
      start: { $0.vehicle.mountingSigma }, withoutIMU: 0.001, walk: { $0.mounting }, limit: nil, .mounting,
      scalar: { _ in 0 }, learned: { .init(value: 0, sigma: $0.mountingPitchSigma) })
  }
  /// Yaw of the IMU against the vehicle.
  package static var mountingYaw: LearnedState {
    .init(
      unit: "rad", StateBlock.mountingAndOdometer, axis: 1, from: .mounting,
      start: { $0.vehicle.mountingSigma }, withoutIMU: 0.001, walk: { $0.mounting }, limit: nil, .mounting,
      scalar: { _ in 0 }, learned: { .init(value: 0, sigma: $0.mountingYawSigma) })
  }
  /// Relative error of the wheel speed.
  package static var odometerScale: LearnedState {
    .init(
      StateBlock.mountingAndOdometer, axis: 2, from: .mounting, start: { $0.wheel.scaleSigma },
      walk: { $0.odometerScale }, limit: 0.15, .odometerScale, scalar: { $0.odometerScale },
      learned: { $0.odometerScale })
  }
  /// The antenna from the IMU in the IMU's axes. One that was measured is told in vehicle axes: it helps
  /// once the mounting is known.
  package static var leverArm: LearnedState {
    .init(
      unit: "m", StateBlock.leverArm,
      start: { max($0.start.leverArmSigma, $0.antennaLeverArm?.norm ?? 0) }, model: .leverArm, limit: 10,
      .leverArm, value: { $0.leverArm }, learned: { $0.leverArm })
  }
  /// Lag of the receiver's position.
  package static var positionDelay: LearnedState {
    .init(
      unit: "s", StateBlock.delaysAndGyroScale, axis: 0,
      start: { $0.start.positionDelaySigma }, model: .receiverLag, limit: 1, .delay,
      scalar: { $0.positionDelay }, learned: { $0.positionDelay })
  }
  /// Lag of the receiver's velocity.
  package static var velocityDelay: LearnedState {
    .init(
      unit: "s", StateBlock.delaysAndGyroScale, axis: 1,
      start: { $0.start.velocityDelaySigma }, model: .receiverLag, limit: 1, .delay,
      scalar: { $0.velocityDelay }, learned: { $0.velocityDelay })
  }
  /// Relative error of the gyroscope about the vertical.
  package static var gyroScale: LearnedState {
    .init(
      StateBlock.delaysAndGyroScale, axis: 2, start: { $0.start.gyroScaleSigma }, limit: 0.1, .gyroScale,
      scalar: { $0.gyroScale }, learned: { $0.gyroScale })
  }
  /// Distance of the IMU ahead of the rear axle. A car without an IMU is level, and its
  /// speed is the rear axle's own.
  package static var axleDistance: LearnedState {
    .init(
      unit: "m", StateBlock.vehicleDynamics, axis: 0,
      start: { $0.vehicle.axleDistanceSigma }, withoutIMU: 0, model: .chassis, limit: 20,
      .chassis, scalar: { $0.axleDistance }, learned: { $0.axleDistance })
  }
  /// Slip angle of the rear tyres per lateral force.
  package static var sideslipGradient: LearnedState {
    .init(
      unit: "rad per m/s²", StateBlock.vehicleDynamics, axis: 1,
      start: { $0.vehicle.sideslipGradientSigma }, withoutIMU: 0, model: .chassis, limit: 0.1, .chassis,
      scalar: { $0.sideslipGradient }, learned: { $0.sideslipGradient })
  }
  /// Angle that the nose rises per longitudinal force.
  package static var pitchPerForce: LearnedState {
    .init(
      unit: "rad per m/s²", StateBlock.vehicleDynamics, axis: 2,
      start: { $0.vehicle.pitchPerForceSigma }, withoutIMU: 0, model: .chassis, limit: 0.1, .chassis,
      scalar: { $0.pitchPerForce }, learned: { $0.pitchPerForce })
  }

  /// All of them.
  package static let all: InlineArray<13, LearnedState> = [
    gyroBias, accelBias, gnssPositionBias, mountingPitch, mountingYaw, odometerScale, leverArm, positionDelay,
    velocityDelay, gyroScale, axleDistance, sideslipGradient, pitchPerForce,
  ]
}

// MARK: What follows from them

extension LearnedState {
  /// Variances of the errors of a block once `event` has come; nil where it waits for another.
  static func startVariances(
    of block: Int, once event: Event, _ settings: FusionConfiguration, isOdometry: Bool
  ) -> Vector3? {
    var variances: Vector3?
    for i in all.indices where all[i].block == block {
      let state = all[i]
      guard let start = state.start, event == (isOdometry ? .heading : state.from) else { return nil }
      let isOff = state.model.map(settings.disabled.contains) ?? false
      let sigma = isOff ? 0 : (isOdometry ? state.startWithoutIMU : nil) ?? start(settings)
      if let axis = state.axis {
        variances = variances ?? .zero
        variances?[axis] = sigma * sigma
      } else {
        variances = Vector3(repeating: sigma * sigma)
      }
    }
    return variances
  }

  /// What the filter knows of it.
  func known(_ state: NavigationState, _ covariance: ErrorCovariance) -> Calibration.Vector {
    func root(_ variance: Double) -> Double { max(0, variance).squareRoot() }
    let variance = covariance[block, block].diagonal
    let sigma =
      axis.map { Vector3(root(variance[$0]), 0, 0) }
      ?? Vector3(root(variance.x), root(variance.y), root(variance.z))
    return .init(value: value(state), sigma: sigma)
  }
}
