/// What the car does on one stretch of its way. Lengths in metres, angles in radians, right turns positive.
public enum Manoeuvre: Sendable, Equatable {
  /// On without turning.
  case straight(length: Double)
  /// A turn by `angle` with `radius` at its tightest.
  case turn(angle: Double, radius: Double)
  /// To another lane, `offset` to the right, within `length`.
  case laneChange(offset: Double, length: Double)
  /// Backwards for `length`, turning the car's nose by `angle`.
  case reverse(length: Double, angle: Double)
  /// A standstill with the engine running.
  case stop(seconds: Double)
  /// A standstill with the engine off.
  case park(seconds: Double)
  /// A standstill on something that moves.
  case carried(Carriage)
  /// Pulled for `length`, turning by `angle`.
  case towed(Tow, length: Double, angle: Double)

  /// How a car is towed.
  public struct Tow: Sendable, Equatable {
    /// Whether the car goes tail first.
    public var isBackward = false
    /// Whether its wheels, as far as they are measured, roll; on a flatbed they stand.
    public var wheelsRoll = true
    /// Angle by which the nose is raised, rad.
    public var pitch = 0.0

    /// On a rope.
    public init() {}
  }
}
