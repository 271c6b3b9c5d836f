import LinearAlgebra
import Navigation

/// What the engine has learned of the sensors and how they are mounted, with standard deviations.
public struct Calibration: Sendable, Equatable {
  /// A value and its standard deviation.
  public struct Scalar: Sendable, Equatable {
    /// The estimate.
    public var value: Double
    /// Its standard deviation.
    public var sigma: Double

    /// A value and its standard deviation.
    public init(value: Double, sigma: Double) {
      self.value = value
      self.sigma = sigma
    }
  }
  /// A vector and the standard deviations of its components.
  public struct Vector: Sendable, Equatable {
    /// The estimate.
    public var value: Vector3
    /// Standard deviations of its components.
    public var sigma: Vector3

    /// A vector and the standard deviations of its components.
    public init(value: Vector3, sigma: Vector3) {
      self.value = value
      self.sigma = sigma
    }
  }

  /// Gyroscope bias in the IMU's axes, rad/s.
  public var gyroBias: Vector
  /// Accelerometer bias in the IMU's axes, m/s².
  public var accelBias: Vector
  /// Mounting: the rotation from the IMU's to the vehicle's axes; nil until the car has been seen to drive.
  public var vehicleFromBody: Quaternion?
  /// Standard deviations of the mounting's pitch and yaw, rad.
  public var mountingPitchSigma, mountingYawSigma: Double
  /// Relative error of the wheel speed.
  public var odometerScale: Scalar
  /// Antenna from the IMU in the IMU's axes, m.
  public var leverArm: Vector
  /// Distance of the IMU ahead of the rear axle, m.
  public var axleDistance: Scalar
  /// Slip angle per lateral and body pitch per longitudinal force, rad per m/s².
  public var slipPerForce, pitchPerForce: Scalar
  /// The receiver's position and velocity hold this long before their stated time, s.
  public var positionDelay, velocityDelay: Scalar
  /// Relative error of the gyroscope about the vertical.
  public var gyroScale: Scalar
  /// Turns of a wheel per metre, by the lines that it shakes into the accelerometers; nil while they tell nothing.
  public var wheelTurnsPerMetre: Double?
  /// Correlated part of the receiver's position error just now, NED, m.
  public var fixError: Vector
  /// Standard deviation of the white and of the lasting part of the receiver's position error, over the stated one.
  public var whiteSigma, lastingSigma: Double?
  /// True over stated standard deviation of the receiver's velocity.
  public var velocityScale: Double

  /// A calibration with every part given.
  public init(
    gyroBias: Vector, accelBias: Vector, vehicleFromBody: Quaternion?, mountingPitchSigma: Double,
    mountingYawSigma: Double, odometerScale: Scalar, leverArm: Vector, axleDistance: Scalar,
    slipPerForce: Scalar, pitchPerForce: Scalar, positionDelay: Scalar, velocityDelay: Scalar,
    gyroScale: Scalar, fixError: Vector, whiteSigma: Double?, lastingSigma: Double?, velocityScale: Double
  ) {
    self.gyroBias = gyroBias
    self.accelBias = accelBias
    self.vehicleFromBody = vehicleFromBody
    self.mountingPitchSigma = mountingPitchSigma
    self.mountingYawSigma = mountingYawSigma
    self.odometerScale = odometerScale
    self.leverArm = leverArm
    self.axleDistance = axleDistance
    self.slipPerForce = slipPerForce
    self.pitchPerForce = pitchPerForce
    self.positionDelay = positionDelay
    self.velocityDelay = velocityDelay
    self.gyroScale = gyroScale
    self.fixError = fixError
    self.whiteSigma = whiteSigma
    self.lastingSigma = lastingSigma
    self.velocityScale = velocityScale
  }
}

extension FusionEngine {
  /// What has been learned so far; nil until heading is known.
  public var calibration: Calibration? { timeLine.state.calibration }
}

extension FusionState {
  var calibration: Calibration? {
    guard isNavigating else { return nil }
    var calibration = navigator.calibration
    if vibration.lines.areTrusted { calibration.wheelTurnsPerMetre = vibration.lines.frequency }
    return calibration
  }
}

extension Navigator {
  var calibration: Calibration {
    func vector(_ block: Int, _ value: Vector3) -> Calibration.Vector {
      let variance = filter.covariance[block, block].diagonal
      return .init(
        value: value,
        sigma: Vector3(root(variance.x), root(variance.y), root(variance.z)))
    }
    let state = filter.state
    let vehicle = vector(StateBlock.vehicle, .zero).sigma
    let chassis = vector(StateBlock.chassis, .zero).sigma
    let timing = vector(StateBlock.timing, .zero).sigma
    return Calibration(
      gyroBias: vector(StateBlock.gyroBias, state.gyroBias),
      accelBias: vector(StateBlock.accelBias, state.accelBias),
      vehicleFromBody: mounting.isKnown ? state.vehicleFromBody : nil,
      mountingPitchSigma: vehicle.x, mountingYawSigma: vehicle.y,
      odometerScale: .init(value: state.odometerScale, sigma: vehicle.z),
      leverArm: vector(StateBlock.leverArm, state.leverArm),
      axleDistance: .init(value: state.axleDistance, sigma: chassis.x),
      slipPerForce: .init(value: state.slipPerForce, sigma: chassis.y),
      pitchPerForce: .init(value: state.pitchPerForce, sigma: chassis.z),
      positionDelay: .init(value: state.positionDelay, sigma: timing.x),
      velocityDelay: .init(value: state.velocityDelay, sigma: timing.y),
      gyroScale: .init(value: state.gyroScale, sigma: timing.z),
      fixError: vector(StateBlock.fixError, state.fixError),
      whiteSigma: receiver.learnedSigmas?.white, lastingSigma: receiver.learnedSigmas?.lasting,
      velocityScale: receiver.velocityScale)
  }

  private func root(_ variance: Double) -> Double { max(0, variance).squareRoot() }
}
