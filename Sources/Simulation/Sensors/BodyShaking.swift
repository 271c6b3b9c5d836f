import CLibrary
import LinearAlgebra

/// What a force that swings shakes into a car's body at the IMU, in vehicle axes.
struct BodyShaking: Sendable {
  /// m/s².
  var force = Vector3.zero
  /// rad/s.
  var rate = Vector3.zero

  /// One over the squares of the radii of gyration, 0.55, 1.3 and 1.35 m about the forward, right and
  /// down axes, 1/m² [chosen: a middle-sized car].
  private static let mobility = Vector3(3.3, 0.6, 0.55)
  /// Below this frequency the springs hold the body, Hz [chosen: a car's ride frequency].
  private static let ride = 1.5

  /// Nothing.
  init() {}

  /// Of a force over the car's mass of `size` (m/s²) along each axis, that swings with `frequency` (Hz)
  /// and now is at `phase` (rad), at `place` (m) from the centre of mass.
  ///
  /// A rigid body turns by the force's moment. Its first line at 23 m/s comes out as 0.0024, 0.0029 and
  /// 0.0008 rad/s in `open-sky-commute`; two real cars have 0.003 to 0.007, 0.001 and 0.0006 to 0.001.
  init(size: Vector3, phase: Vector3, frequency: Double, at place: Vector3) {
    force = size.scaled(by: Vector3(sin(phase.x), sin(phase.y), sin(phase.z)))
    let integral = size.scaled(by: Vector3(-cos(phase.x), -cos(phase.y), -cos(phase.z)))
    let (angular, held) = (2 * .pi * frequency, 2 * .pi * Self.ride)
    rate = place.cross(integral).scaled(by: Self.mobility) * (angular / (angular * angular + held * held))
  }

  static func += (left: inout BodyShaking, right: BodyShaking) {
    left.force += right.force
    left.rate += right.rate
  }
}
