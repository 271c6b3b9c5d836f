/// What engine and road shake into the IMU, in vehicle axes.
///
/// Broadband shaking is differenced white noise: the car does not turn or drift by it, so its integral stays
/// bounded. Wheels out of balance show as lines at whole multiples of their turns over the way that each
/// drives; the engine as lines at its turns over time.
/// Figures per sample at 100 Hz, from the differences of neighbouring samples of four real drives in
/// three cars: standing 0.08 to 0.4 m/s² and 0.001 to 0.03 rad/s, at 10 m/s 0.3 to 0.6 m/s² and 0.006
/// to 0.13 rad/s about the x and y axes, a third of that or less about z. The figures here lie in the
/// middle; `strength` moves them.
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
  /// Size of the first line of the four wheels together along each axis, m/s², at `saturationSpeed` and
  /// above; in proportion to speed below. A real car that shakes as this one has lines of 0.08 m/s², another,
  /// which shakes half as much, of 0.04; these have 0.06 on average over wheels and fading. The gyroscopes
  /// show them as the body turns by them. [measured on boulder and ontario-long]
  public var wheelForce = 0.04
  /// Relative spread of the tyres' circumferences, between the axles and, half of it, between wheels: two
  /// lines 2 % apart were seen on one real car of three, one line on the others.
  public var wheelSpread = 0.003
  /// Standard deviation of a line's size over its mean, and the way over which it changes, m: on a real drive
  /// lines stand out for hundreds of metres and are gone for as many.
  public var wheelFading = 0.7
  /// See `wheelFading`.
  public var wheelFadingLength = 150.0
  /// Random walk of a line's phase, rad/√m: lines of real drives are as narrow as windows of
  /// 100 m can tell [chosen].
  public var wheelPhaseDrift = 0.05
  /// Size of the engine's second line, m/s²; the first has half of it [chosen].
  public var engineForce = 0.05

  /// A car on a road.
  public init() {}
}
