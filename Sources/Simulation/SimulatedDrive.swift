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
  /// The satellites that the receiver heard, every 2 s, in order of time; no sample depends on them.
  public var sky: [SatelliteSample] = []

  /// Writes a drive folder, whole or not at all. Throws `DriveError.alreadyExists` where one is, unless
  /// `overwriting`.
  public func write(to path: String, overwriting: Bool = false) throws(DriveError) {
    var hasYawRate = false
    for case .wheel(let sample) in samples where sample.yawRate != nil {
      hasYawRate = true
      break
    }
    try DriveFolder.replace(path, overwriting: overwriting) { folder throws(DriveError) in
      var writer = try DriveWriter(path: folder, description: description, hasWheelYawRate: hasYawRate)
      for sample in samples { try writer.write(sample) }
      for sample in truth { try writer.write(sample) }
      for sample in sky { try writer.write(sample) }
      try writer.finish()
    }
  }
}
