import Navigation
import SensorEvents

/// One entry of a recording, in the order in which the live engine took it.
public enum RecordedItem: Sendable, Equatable {
  /// A sensor's event.
  case event(SensorEvent)
  /// The engine was asked to look at the time, on the host clock.
  case tick(Timestamp)
  /// So many items are missing here.
  case lost(count: Int, reason: LossReason)
  /// All that the engine knows at this point; stands at the head of a segment.
  case snapshot(EngineImage)
  /// How the engine was set up, as text that whoever recorded understands.
  case configuration(String)

  /// Why items are missing.
  public enum LossReason: UInt8, Sendable {
    /// They came faster than the disk took them.
    case overflow = 1
    /// The disk was full, or refused.
    case disk = 2
  }
}

/// The state of an engine as bytes, of use only to the build that made it.
public struct EngineImage: Sendable, Equatable {
  /// Says which build, by the layout of the state; an image of another is not to be used.
  public var fingerprint: UInt64
  /// The state.
  public var bytes: [UInt8]

  /// The state `bytes` of a build with this `fingerprint`.
  public init(fingerprint: UInt64, bytes: [UInt8]) {
    self.fingerprint = fingerprint
    self.bytes = bytes
  }
}
