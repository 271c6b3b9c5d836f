/// What engine and road shake into the IMU, in vehicle axes.
///
/// Broadband shaking is differenced white noise: the car does not turn or drift by it, so its integral stays bounded.
/// Wheels out of balance show as lines at whole multiples of the wheel's turns, in the distance domain.
/// Figures per sample at 100 Hz, from the differences of neighbouring samples of four real drives in three cars:
/// standing 0.08 to 0.4 m/s² and 0.001 to 0.03 rad/s, at 10 m/s 0.3 to 0.6 m/s² and 0.006 to 0.13 rad/s about the x and
/// y axes, a third of that or less about z. The figures here lie in the middle; `strength` moves them.
public struct VibrationModel: Sendable, Equatable {
  /// Multiplies everything; 0 is a car on rubber.
  public var strength = 1.0
  /// Standing with the engine running: accelerometer, m/s².
  public var idleForce = 0.1
  /// The same, gyroscope, rad/s.
  public var idleRate = 0.005
  /// Driving: accelerometer, m/s² at 10 m/s and above; in proportion to speed below.
  public var drivingForce = 0.4
  /// Driving: gyroscope, rad/s per m/s.
  public var ratePerSpeed = 0.0025
  /// Speed in m/s above which shaking grows no more [chosen].
  public var saturationSpeed = 15.0
  /// Unbounded part: times by which the accelerometers' own white noise grows while the engine runs.
  public var noiseFactor = 3.0
  /// Turns of a wheel per metre, from the lines in the accelerometers of a real drive.
  public var wheelTurnsPerMetre = 0.531
  /// Size of the first line at 10 m/s, m/s²; harmonics 2 to 5 fall off as one over their number [chosen].
  public var wheelForce = 0.06

  /// A car on a road.
  public init() {}
}
