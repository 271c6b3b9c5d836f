import LinearAlgebra
import Navigation

/// What is known of the car's last standstill.
struct LastStandstill: Sendable {
  /// When the car last stood, and when it was last turned on the spot.
  var stoodAt = Timestamp(nanoseconds: .min / 2), turnedAt = Timestamp(nanoseconds: .min / 2)
  /// When fixes last bore out that it stood.
  var borneOutAt = Timestamp(nanoseconds: .min / 2)
  /// When it last stood by its quiet.
  var quietAt = Timestamp(nanoseconds: .min / 2)
  /// Whether nothing but its quiet has told so since.
  var isAssumed = false
  /// For how long it has stood, and has been turned, s, and whether it has rolled since it last stood.
  var stoodFor = 0.0, turnedFor = 0.0, hasRolled = false
  /// Mean force in m/s² and rate in rad/s, in body axes, and the change of force that is none.
  var force = Vector3.zero, rate = Vector3.zero, forceLimit = 0.0
  /// Whether it moved by the fixes.
  var watch = ZeroVelocityMonitor()
}
