/// A point of the car that a track can be of.
public enum TrackCarPoint: String, CaseIterable, Sendable {
  /// The IMU, as our own tracks are.
  case imu
  /// The one that the truth is of.
  case truth
}
