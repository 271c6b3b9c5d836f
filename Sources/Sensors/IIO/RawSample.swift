import Navigation
import SensorEvents

/// A sample of a device, as its reader has it.
struct RawSample: Sendable {
  /// When it was taken, on the clock of the session.
  var time: Timestamp
  /// When it was in hand, on the host clock.
  var arrival: Timestamp
  /// How many samples of the device are missing before it.
  var missing: Int
  /// The gyroscope's axes, where this device has it.
  var rate: RawTriad?
  /// The accelerometer's axes, where this device has it.
  var force: RawTriad?
}
