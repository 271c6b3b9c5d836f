/// One finished outage.
package struct OutageResult: Sendable, Equatable {
  /// How the car moved in it.
  package enum Motion: String, Sendable, CaseIterable {
    /// True speed fell below 0.5 m/s.
    case stopAndGo = "stop_and_go"
    /// It did not, and the true course turned by more than 45° in all.
    case curve
    /// Neither.
    case steady
  }
  /// Seconds on the drive's time line when the fixes stopped.
  package var start: Double
  /// Horizontal distance from the truth at its end, metres.
  package var endError: Double
  /// Metres truly driven in it.
  package var distance: Double
  /// Whether the truth lies inside the radius stated at its end.
  package var inside68: Bool
  package var inside95: Bool
  package var motion: Motion

  package init(
    start: Double, endError: Double, distance: Double, inside68: Bool, inside95: Bool, motion: Motion
  ) {
    self.start = start
    self.endError = endError
    self.distance = distance
    self.inside68 = inside68
    self.inside95 = inside95
    self.motion = motion
  }

  /// Error in percent of the distance; nil below 20 m, where percent means nothing.
  package var percent: Double? { distance >= 20 ? 100 * endError / distance : nil }
}
