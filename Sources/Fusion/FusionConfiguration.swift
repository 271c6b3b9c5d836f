import LinearAlgebra

/// What may be told to the engine; nothing has to be.
public struct FusionConfiguration: Sendable {
  /// Antenna from the IMU in vehicle axes (forward, right, down), metres, where it has been measured.
  public var antennaLeverArm: Vector3?

  /// The defaults, the same for every drive.
  public init() {}
}
