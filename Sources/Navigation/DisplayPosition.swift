import LinearAlgebra

/// A place for a map's cursor: near the estimate, and moving as a car does. Its distance
/// from the estimate is open.
public struct DisplayPosition: Sendable, Equatable {
  /// Why the display went to the estimate at once instead of driving there.
  public enum Snap: UInt8, Sendable {
    /// There was nothing to go on from.
    case start
    /// Nothing was displayed for too long.
    case pause
    /// The estimate lay further off than a correction on the way is honest.
    case farOff
    /// The display stayed outside the estimate's own 95 % radius for too long.
    case outsideRadius
  }

  /// When it holds.
  public var time: Timestamp
  /// Where to draw the cursor.
  public var position: GeodeticPosition
  /// From the estimate to the display, metres north, east, down.
  public var offsetNED: Vector3
  /// Why the display leapt; nil where it drove.
  public var snap: Snap?

  /// A displayed place.
  public init(time: Timestamp, position: GeodeticPosition, offsetNED: Vector3, snap: Snap? = nil) {
    self.time = time
    self.position = position
    self.offsetNED = offsetNED
    self.snap = snap
  }

  /// Horizontal distance from the estimate in metres.
  public var offset: Double { offsetNED.horizontalNorm }
}
