import Navigation

/// Where the reference point of a drive truly was; what the reference does not know is nil.
public struct TruthSample: Sendable, Equatable {
  /// When it held.
  public var time: Timestamp
  /// Position of the point that drive.json names; a height of NaN means that none is known.
  public var position: GeodeticPosition
  /// Velocity north, east, down in m/s; the last is NaN where only horizontal velocity is known.
  public var velocityNED: Vector3?
  /// Roll in radians.
  public var roll: Double?
  /// Pitch in radians.
  public var pitch: Double?
  /// Yaw in radians from north through east, in the range that the file uses.
  public var yaw: Double?

  /// The truth at `time`, angles in radians.
  public init(
    time: Timestamp, position: GeodeticPosition, velocityNED: Vector3? = nil, roll: Double? = nil,
    pitch: Double? = nil, yaw: Double? = nil
  ) {
    self.time = time
    self.position = position
    self.velocityNED = velocityNED
    self.roll = roll
    self.pitch = pitch
    self.yaw = yaw
  }
}
