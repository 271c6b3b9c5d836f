/// What is known at the start.
public struct StartConfiguration: Sendable {
  /// The heading is known from this standard deviation on, rad. [chosen: 7°]
  public var alignmentSigma = 0.12
  /// Tilt from the mean force of a steady car, and of one that may be accelerating, rad.
  /// [chosen: 0.3 and 1.5 m/s²]
  public var tiltSigmaSteady = 0.03, tiltSigmaMoving = 0.15
  /// Standard deviation of the gyroscope bias, rad/s.
  /// [data sheet: 3 °/s, a consumer part nothing is known of]
  public var gyroBiasSigma = 0.05
  /// Standard deviation of the accelerometer bias, m/s². [data sheet: 30 mg, a consumer part]
  public var accelBiasSigma = 0.3
  /// Standard deviation of the gyroscope's scale. [data sheet: 1 %]
  public var gyroScaleSigma = 0.01
  /// Standard deviation of a height of which no fix has told anything, m. [chosen: roads are under 6000 m]
  public var unknownHeightSigma = 2000.0
  /// Standard deviation of the antenna's lever arm where it is not told, m. [chosen: a roof or a dashboard]
  public var leverArmSigma = 0.3
  /// Standard deviation of a lever arm that was measured, m. [chosen: a folding rule]
  public var measuredArmSigma = 0.02
  /// Standard deviation of the lag of a receiver's position, s. [chosen]
  public var positionDelaySigma = 0.03
  /// Standard deviation of the lag of a receiver's velocity, s: some difference their positions, and a phone
  /// was 1.2 s late. [chosen]
  public var velocityDelaySigma = 0.4
  /// A car without an IMU drives this far before its heading is believed, m.
  /// [chosen: ten times the error of urban fixes]
  public var odometryBaseline = 100.0

  /// The defaults.
  public init() {}
}
