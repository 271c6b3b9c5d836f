import Navigation

/// What the loop says at one moment.
public struct LiveOutput: Sendable, Equatable {
  /// When it holds, on the host clock.
  public var time: Timestamp
  /// UTC, where anything tells.
  public var utc: UTCReading?
  /// The position of the IMU, predicted to `time`; nil before the first fix.
  public var solution: NavigationSolution?
  /// Arrival of the newest event that it rests on.
  public var newestArrival: Timestamp?

  /// What an engine says at `time`.
  public init(time: Timestamp, utc: UTCReading?, solution: NavigationSolution?, newestArrival: Timestamp?) {
    (self.time, self.utc, self.solution, self.newestArrival) = (time, utc, solution, newestArrival)
  }
}
