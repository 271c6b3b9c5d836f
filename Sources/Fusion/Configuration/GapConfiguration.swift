/// Which gaps in the samples are bridged, and what is lost over those that are not.
public struct GapConfiguration: Sendable {
  /// A gap between IMU samples up to this is bridged by a straight line between them, s: some
  /// log at 10 Hz only. [chosen]
  public var inertial = 0.25
  /// A gap in the IMU's samples up to this length is bridged, s.
  /// [chosen: a car's rate and force are smooth over it]
  public var longestBridge = 1.5
  /// After a gap of this length the attitude is lost and the start begins anew, s.
  /// [chosen: a car may have turned round]
  public var longestCoast = 5.0
  /// After a gap of this length nothing is known any more, s. [chosen]
  public var longest = 600.0
  /// The gaps that are bridged where the car's own speed and yaw rate stand in for an IMU, s. [chosen]
  public var odometry = 1.0

  /// The defaults.
  public init() {}
}
