import LinearAlgebra
import Navigation

/// Finds a height and a vertical velocity that a receiver only fills in: exactly zero since the start, as
/// where a driver or a converter knows none.
///
/// Taken for measured, the zeros are a road that never climbs: the filter bends tilt and bias of the
/// accelerometer until it does not. A zero of a receiver that has stated other values is one.
package struct DeadVertical: Sendable {
  /// Whether one has been other than exactly zero.
  private var isHeightAlive = false, isVelocityAlive = false

  package init() {}

  /// Takes a fix, and leaves out of it what has never been other than zero.
  package mutating func leaveOut(of fix: inout GNSSFix) {
    isHeightAlive = isHeightAlive || Self.isOther(fix.position.height)
    if !isHeightAlive { fix.position.height = .nan }
    guard let velocity = fix.velocityNED else { return }
    isVelocityAlive = isVelocityAlive || Self.isOther(velocity.z)
    if !isVelocityAlive { fix.velocityNED?.z = .nan }
  }

  private static func isOther(_ value: Double) -> Bool { value.isFinite && value != 0 }
}
