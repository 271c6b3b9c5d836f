import Drives
import Navigation

/// A simulated drive in memory.
public struct SimulatedDrive: Sendable {
  /// What goes into drive.json.
  public var description: DriveDescription
  /// Measurements in order of arrival.
  public var samples: [SensorSample]
  /// Truth at the antenna, with the attitude of the vehicle, ten times a second.
  public var truth: [TruthSample]
}
