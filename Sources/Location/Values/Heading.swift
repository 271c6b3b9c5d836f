import Navigation

/// Which way the car's nose points: as Core Location's `CLHeading`.
public struct Heading: Sendable, Hashable {
  /// Degrees from true north through east, 0 ..< 360; it does not turn round in reverse.
  public var trueHeadingDegrees: Double
  /// Half the width in degrees that holds the truth with 68 %.
  public var headingAccuracyDegrees: Double
  /// When it holds, on the host's clock that never steps (nanoseconds since boot).
  public var timestamp: Timestamp
  /// The same in UTC, nanoseconds since 1970; nil as long as nobody has told the time.
  public var utc: Timestamp?

  /// A heading at `timestamp`.
  public init(
    trueHeadingDegrees: Double, headingAccuracyDegrees: Double, timestamp: Timestamp, utc: Timestamp? = nil
  ) {
    self.trueHeadingDegrees = trueHeadingDegrees
    self.headingAccuracyDegrees = headingAccuracyDegrees
    (self.timestamp, self.utc) = (timestamp, utc)
  }

  /// That of `location`; nil while it is not known.
  public init?(_ location: Location) {
    guard location.headingAccuracyDegrees >= 0, location.headingDegrees.isFinite else { return nil }
    self.init(
      trueHeadingDegrees: location.headingDegrees, headingAccuracyDegrees: location.headingAccuracyDegrees,
      timestamp: location.timestamp, utc: location.utc)
  }

  /// Degrees to turn from one to the other, 0 to 180.
  public func turn(to other: Heading) -> Double {
    let turn = (other.trueHeadingDegrees - trueHeadingDegrees).truncatingRemainder(dividingBy: 360).magnitude
    return min(turn, 360 - turn)
  }
}
