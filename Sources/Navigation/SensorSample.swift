@_exported import LinearAlgebra

/// One measurement of one sensor, with its own time.
public enum SensorSample: Sendable, Equatable {
  /// Gyroscope and accelerometer together.
  case inertial(InertialSample)
  /// A receiver's position, with velocity where it has one.
  case gnss(GNSSFix)
  /// Speed from the wheels, with yaw rate where the car reports one.
  case wheel(WheelSample)
  /// Air pressure.
  case pressure(PressureSample)

  /// When the measured quantity held.
  @inlinable public var time: Timestamp {
    switch self {
    case .inertial(let sample): sample.time
    case .gnss(let fix): fix.time
    case .wheel(let sample): sample.time
    case .pressure(let sample): sample.time
    }
  }

  /// Which kind of sensor it is of.
  @inlinable public var kind: SensorKind {
    switch self {
    case .inertial: .inertial
    case .gnss: .gnss
    case .wheel: .wheel
    case .pressure: .pressure
    }
  }

  /// When it reached the engine: its own time unless the source knows better.
  @inlinable public var arrival: Timestamp {
    if case .gnss(let fix) = self { return fix.received ?? fix.time }
    return time
  }
}

/// Angular rate and specific force in the IMU's own axes.
public struct InertialSample: Sendable, Equatable {
  /// When the rate and force held.
  public var time: Timestamp
  /// Angular rate of the body against inertial space, in body axes, rad/s.
  public var angularRate: Vector3
  /// Specific force in body axes, m/s²: at rest with FRD axes about (0, 0, −9.81).
  public var specificForce: Vector3

  /// A sample of gyroscope (rad/s) and accelerometer (m/s²) at `time`.
  @inlinable public init(time: Timestamp, angularRate: Vector3, specificForce: Vector3) {
    self.time = time
    self.angularRate = angularRate
    self.specificForce = specificForce
  }
}

/// A receiver's solution at the antenna. What the receiver did not say is nil.
public struct GNSSFix: Sendable, Equatable {
  /// Time of validity.
  public var time: Timestamp
  /// Time of arrival.
  public var received: Timestamp?
  /// Position of the antenna; a height of NaN means that none is known (a 2D fix).
  public var position: GeodeticPosition
  /// Stated standard deviations north, east and down in metres.
  public var positionSigma: Vector3?
  /// Velocity north, east, down in m/s; the last is NaN where only horizontal velocity is known.
  public var velocityNED: Vector3?
  /// Stated standard deviation of the speed in m/s.
  public var speedSigma: Double?
  /// Stated standard deviation of the course in radians: kept in drives and recordings, not fused. How sure
  /// the velocity is comes from `speedSigma` and from how the velocities scatter.
  public var courseSigma: Double?

  /// A fix of the antenna's position at `time`.
  @inlinable public init(
    time: Timestamp, received: Timestamp? = nil, position: GeodeticPosition,
    positionSigma: Vector3? = nil, velocityNED: Vector3? = nil
  ) {
    self.time = time
    self.received = received
    self.position = position
    self.positionSigma = positionSigma
    self.velocityNED = velocityNED
  }
}

/// What the car itself reports of its motion.
public struct WheelSample: Sendable, Equatable {
  /// When the speed held.
  public var time: Timestamp
  /// Speed over ground in m/s from the wheels; many cars report no sign.
  public var speed: Double
  /// Rate of turn in rad/s, positive to the right.
  public var yawRate: Double?

  /// A wheel speed, with the car's yaw rate where it is known.
  @inlinable public init(time: Timestamp, speed: Double, yawRate: Double? = nil) {
    self.time = time
    self.speed = speed
    self.yawRate = yawRate
  }
}
