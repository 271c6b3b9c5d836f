/// What engine and road shake into the IMU, in vehicle axes.
///
/// Broadband shaking is differenced white noise: the car does not turn or drift by it, so its integral stays bounded.
/// Wheels out of balance show as lines at whole multiples of the wheel's turns, in the distance domain.
/// Figures per sample at 100 Hz from a real drive (low-cost MEMS in a car, walks of 0.002 + 0.0003 v rad/√s about the x
/// and y axes, a third of it about z, and 0.02 m/s/√s), unless marked [chosen].
public struct VibrationModel: Sendable, Equatable {
  /// Multiplies everything; 0 is a car on rubber.
  public var strength = 1.0
  /// Standing with the engine running: accelerometer, m/s² [chosen].
  public var idleForce = 0.03
  /// The same, gyroscope, rad/s [chosen].
  public var idleRate = 0.002
  /// Driving: accelerometer, m/s² at 10 m/s and above; in proportion to speed below.
  public var drivingForce = 0.2
  /// Driving: gyroscope, rad/s per m/s.
  public var ratePerSpeed = 0.003
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
