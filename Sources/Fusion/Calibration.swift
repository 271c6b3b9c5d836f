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
  public var sideslipGradient, pitchPerForce: Scalar
  /// The receiver's position and velocity hold this long before their stated time, s.
  public var positionDelay, velocityDelay: Scalar
  /// Relative error of the gyroscope about the vertical.
  public var gyroScale: Scalar
  /// Turns of a wheel per metre, by the lines that it shakes into the accelerometers; nil
  /// while they tell nothing.
  public var wheelTurnsPerMetre: Double?
  /// Correlated part of the receiver's position error just now, NED, m.
  public var gnssPositionBias: Vector
  /// Standard deviation of the white and of the lasting part of the receiver's position
  /// error, over the stated one.
  public var whiteSigma, lastingSigma: Double?
  /// True over stated standard deviation of the receiver's velocity.
  public var velocityScale: Double

  /// A calibration with every part given.
  public init(
    gyroBias: Vector, accelBias: Vector, vehicleFromBody: Quaternion?, mountingPitchSigma: Double,
    mountingYawSigma: Double, odometerScale: Scalar, leverArm: Vector, axleDistance: Scalar,
    sideslipGradient: Scalar, pitchPerForce: Scalar, positionDelay: Scalar, velocityDelay: Scalar,
    gyroScale: Scalar, gnssPositionBias: Vector, whiteSigma: Double?, lastingSigma: Double?,
    velocityScale: Double
  ) {
    self.gyroBias = gyroBias
    self.accelBias = accelBias
    self.vehicleFromBody = vehicleFromBody
    self.mountingPitchSigma = mountingPitchSigma
    self.mountingYawSigma = mountingYawSigma
    self.odometerScale = odometerScale
    self.leverArm = leverArm
    self.axleDistance = axleDistance
    self.sideslipGradient = sideslipGradient
    self.pitchPerForce = pitchPerForce
    self.positionDelay = positionDelay
    self.velocityDelay = velocityDelay
    self.gyroScale = gyroScale
    self.gnssPositionBias = gnssPositionBias
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
    func vector(_ learned: LearnedState) -> Calibration.Vector {
      learned.known(filter.state, filter.covariance)
    }
    func scalar(_ learned: LearnedState) -> Calibration.Scalar {
      let known = vector(learned)
      return .init(value: known.value.x, sigma: known.sigma.x)
    }
    return Calibration(
      gyroBias: vector(.gyroBias), accelBias: vector(.accelBias),
      vehicleFromBody: mounting.isKnown ? filter.state.vehicleFromBody : nil,
      mountingPitchSigma: scalar(.mountingPitch).sigma, mountingYawSigma: scalar(.mountingYaw).sigma,
      odometerScale: scalar(.odometerScale), leverArm: vector(.leverArm),
      axleDistance: scalar(.axleDistance), sideslipGradient: scalar(.sideslipGradient),
      pitchPerForce: scalar(.pitchPerForce), positionDelay: scalar(.positionDelay),
      velocityDelay: scalar(.velocityDelay), gyroScale: scalar(.gyroScale),
      gnssPositionBias: vector(.gnssPositionBias),
      whiteSigma: receiver.learnedSigmas?.white, lastingSigma: receiver.learnedSigmas?.lasting,
      velocityScale: receiver.velocityScale)
  }
}
