/// One finished outage.
public struct OutageResult: Sendable, Equatable {
  /// How the car moved in it.
  public enum Motion: String, Sendable, CaseIterable {
    /// True speed fell below 0.5 m/s.
    case stopAndGo = "stop_and_go"
    /// It did not, and the true course turned by more than 45° in all.
    case curve
    /// Neither.
    case steady
  }
  /// Seconds on the drive's time line when the fixes stopped.
  public var start: Double
  /// Horizontal distance from the truth at its end, metres.
  public var endError: Double
  /// Part of it ahead (+) or behind along the true direction of motion, metres; nil where the car stood.
  public var along: Double?
  /// Metres truly driven in it.
  public var distance: Double
  /// Radii stated at its end, metres.
  public var accuracy68: Double, accuracy95: Double
  /// How the car moved in it.
  public var motion: Motion

  /// An outage with every part given.
  public init(
    start: Double, endError: Double, along: Double? = nil, distance: Double, accuracy68: Double,
    accuracy95: Double, motion: Motion
  ) {
    self.start = start
    self.endError = endError
    self.along = along
    self.distance = distance
    self.accuracy68 = accuracy68
    self.accuracy95 = accuracy95
    self.motion = motion
  }

  /// Whether the truth lies inside the radius stated at its end.
  var inside68: Bool { endError <= accuracy68 }
  var inside95: Bool { endError <= accuracy95 }

  /// Error in percent of the distance; nil below 20 m, where percent means nothing.
  package var percent: Double? { distance >= 20 ? 100 * endError / distance : nil }
}
