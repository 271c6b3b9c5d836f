import Navigation

/// How well one estimator did on one drive; what cannot be had is nil.
public struct EstimatorScore: Sendable {
  /// Number of positions scored.
  public var count = 0
  /// Horizontal distance from the truth in metres.
  public var horizontal: ErrorStatistics?
  /// Metres ahead (+) or behind along the true direction of motion, where the true speed is above 0.5 m/s.
  public var along: ErrorStatistics?
  /// Metres to the right (+) or left of it.
  public var cross: ErrorStatistics?
  /// Metres too high (+) or too low.
  public var height: ErrorStatistics?
  /// Horizontal speed, m/s too fast (+) or too slow.
  public var speed: ErrorStatistics?
  /// Course in degrees, clockwise (+), where the true speed is above 2 m/s.
  public var courseDegrees: ErrorStatistics?
  /// Heading in degrees, clockwise (+), where truth has yaw and the estimator says that it knows its heading.
  public var headingDegrees: ErrorStatistics?
  /// Share of the scored positions with the truth inside the 68 % radius.
  public var coverage68: Double?
  /// Share of the scored positions with the truth inside the 95 % radius.
  public var coverage95: Double?
  /// Share of the scored positions off by over 5 m and over twice the 95 % radius.
  public var misleading: Double?
  /// Mean of eᵀP⁻¹e / 2 of the horizontal position: 1 where the covariance is right.
  public var positionNEES: Double?
  /// Seconds by which the track lags the truth (+) or leads it, from the regression of the along-track error
  /// on speed. Reported, never removed.
  public var lag: Double?
  /// Share of the scoring times with a position.
  public var availability: Double?
  /// Seconds from the first sample until heading is known.
  public var alignedAfter: Double?
  /// Horizontal wander in metres while the car stands, a value a stop of at least 5 s.
  public var standstillDrift: ErrorStatistics?
  /// Seconds from a true stop until the estimator says that the car stands, and from
  /// moving off until it does not.
  public var standFoundAfter: ErrorStatistics?, standReleasedAfter: ErrorStatistics?
  /// Seconds for which a car faster than 0.5 m/s was said to stand.
  public var falseStop: Double?
  /// Seconds by which the course lags (+) the true one in turns faster than 5 °/s.
  public var courseDelay: Double?
  /// When the heading error came within 5° to stay for 10 s.
  public var headingSettled: Timestamp?
  /// When the tilt error came within 1° to stay for 10 s, where truth has roll and pitch.
  public var tiltSettled: Timestamp?

  /// No figures yet.
  public init() {}
}
