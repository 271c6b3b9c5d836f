/// Why the engine holds that the car moves without driving: its mounting, heading, wheels and chassis are not
/// learned from such motion.
public enum CarriedReason: String, Sendable, CaseIterable {
  /// The wheels stand while the fixes move: a ferry or a flatbed.
  case wheelsStand = "wheels_stand"
  /// The IMU is as quiet as no road is at the speed of the fixes: a ferry, for a car without wheel speed.
  case quiet
  /// It goes backward faster than anyone drives: towed by its tail.
  case tailFirst = "tail_first"
  /// It moves where its nose does not point: towed with an axle in the air.
  case askew
  /// It turns on the spot: a turntable.
  case turned
  /// It rises or sinks at a standstill: a lift for cars.
  case lifted
}
