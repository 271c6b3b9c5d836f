import LinearAlgebra

/// How fast each error grows between measurements: square roots of power spectral densities.
///
/// Sources: a consumer IMU in a moving car, seen on real drives; far above the data sheets' white noise,
/// which leaves out vibration, scale and cross-axis errors.
public struct ProcessNoise: Sendable {
  /// Gyroscope noise about the horizontal axes at rest, rad/√s. [measured on real drives: consumer IMUs]
  public var gyroHorizontal = 0.001
  /// Its growth with speed, rad/√s per m/s: vibration. [measured on real drives: consumer IMUs]
  public var gyroHorizontalPerSpeed = 0.0001
  /// Noise about the vertical axis as a part of that about the horizontal ones.
  /// [measured on real drives: consumer IMUs]
  public var gyroVerticalRatio = 0.33
  /// Random walk of the horizontal position, m/√s: slip, lever arms, delays and the receiver's own
  /// velocity are off for seconds at a time by what no state holds. With it the error's P95 is 0.85
  /// times that without; with twice the variances 0.81 times, but 3 % more where errors of 3 to 5 m
  /// last. [measured on 25 drives]
  public var position = 0.045
  /// Its growth with speed, m/√s per m/s. [measured on 25 drives]
  public var positionPerSpeed = 0.014
  /// Variance of the vertical walk as a part of that of the horizontal one. [chosen]
  public var positionVerticalShare = 0.1
  /// Accelerometer noise, m/s/√s. [measured on real drives: consumer IMUs]
  public var accel = 0.015
  /// What shaking that a slow IMU cannot follow adds, as power spectral densities: of the attitude, rad²/s,
  /// and of the velocity, (m/s)²/s. Learned, not chosen.
  var aliasedGyro = Vector3.zero, aliasedAccel = 0.0
  /// The same of what shows beyond the above while the car stands (``RestingNoise``).
  package var restingGyro = Vector3.zero, restingAccel = 0.0
  /// Part of the position's variance that counts: the probability that it is the track that wanders, and not
  /// the fixes. Learned; all of it until then. [chosen]
  var trackShare = 1.0
  /// Random walk of the gyroscope bias, rad/s/√s: 300 °/h over an hour, somewhat more than is tuned for an
  /// ICM-20602 in a car. [data sheet]
  public var gyroBias = 2.5e-5
  /// Rate at which it drifts one way, rad/s² in body axes. Learned, not chosen.
  var gyroBiasRate = Vector3.zero
  /// Random walk of the accelerometer bias, m/s²/√s: 1 mg over an hour, doubled for
  /// temperature. [data sheet]
  public var accelBias = 5e-4
  /// The same along gravity, besides: learned. [chosen: nothing where nobody learns it]
  package var verticalAccelBias = 0.0
  /// Random walk of the mounting angles, rad/√s: the body leans on its springs as the load shifts. [chosen]
  public var mounting = 2e-5
  /// Random walk of the wheel's scale, 1/√s: tyre temperature and wear. [chosen]
  public var odometerScale = 1e-5

  /// The defaults.
  public init() {}
}

/// How fast the errors grow of a car that no sensor tells anything of: square roots of
/// power spectral densities.
public struct CoastingNoise: Sendable {
  /// Acceleration, m/s/√s. [chosen: half a g for a second or two]
  public var acceleration = 2.0
  /// Tilt, rad/√s. [chosen: slopes]
  public var tilt = 0.05
  /// Yaw, rad/√s. [chosen: a bend]
  public var yaw = 0.3
  /// The speed that nothing is heard of fades over this time, s. [chosen]
  public var fading = 40.0

  /// The defaults.
  public init() {}

  /// Variances that attitude errors in NED of the variances `known` gain over `dt` seconds, rad²: an angle
  /// that is not known at all cannot become less known.
  func attitudeVariances(over dt: Double, known: Vector3) -> Vector3 {
    func growth(_ density: Double, _ variance: Double, _ limit: Double) -> Double {
      min(density * density * dt, max(0, limit - variance))
    }
    return Vector3(growth(tilt, known.x, 0.25), growth(tilt, known.y, 0.25), growth(yaw, known.z, 10))
  }
}

/// How a car moves in a short gap between the IMU's samples, against the line between them: rate
/// and force are random walks.
public struct BridgingNoise: Sendable {
  /// Rate of turn about the vertical and about the horizontal axes, rad/s/√s.
  /// [chosen: a bend begins within a second]
  public var turn = 0.15, tilt = 0.05
  /// Acceleration, m/s²/√s. [chosen: the brakes are pressed within a second]
  public var acceleration = 2.0

  /// The defaults.
  public init() {}

  /// Variances of attitude, rad², and velocity, (m/s)², that the part of a gap from `start` to `end`
  /// seconds after the last sample adds.
  ///
  /// - Parameter length: of the gap, s, where the sample after it is known: a bridge that is held
  ///   at both ends sways less.
  func over(_ start: Double, _ end: Double, of length: Double?) -> (attitude: Vector3, velocity: Vector3) {
    // ∫∫ of the walk's covariance: T³ / 3 of a free one, T³ / 12 of a bridge.
    let part = (end * end * end - start * start * start) / (length == nil ? 3 : 12)
    return (
      Vector3(tilt * tilt, tilt * tilt, turn * turn) * part,
      Vector3(repeating: acceleration * acceleration * part)
    )
  }
}
