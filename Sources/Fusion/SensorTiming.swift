/// What an engine has found of the times that its samples are stamped with; it sees to all of it.
public struct SensorTiming: Sendable, Equatable {
  /// By how much the fixes hold before their stamps by the IMU's clock, s; 0 until it is clear that they do.
  public var fixOffset = 0.0
  /// By how much wheel speeds are late by that clock, s; 0 until it is clear that they are.
  public var wheelSpeedLag = 0.0
  /// About how many of the IMU's samples are stamped at once, as where a driver empties a FIFO; they are then
  /// spaced evenly. 0 until it is clear that they are, which takes about 1.5 s.
  public var inertialBurst = 0

  /// Nothing found.
  public init() {}
}
