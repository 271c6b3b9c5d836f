import LinearAlgebra
import Navigation

/// A fix as seen from the place that a navigator believes in.
package struct SightedFix: Sendable {
  package var time: Timestamp
  /// Where it lies from the believed position, level, m.
  package var distance: Vector3
  /// The same less the lasting error that is believed of the fixes, in NED, m.
  package var innovation: Vector3
  /// Covariance of the believed position with the lasting error of the fixes, m².
  package var own: Matrix3
  /// Variance per axis of what changes from fix to fix, m².
  package var white: Double
  /// Standard deviation of the navigator's velocity, m/s.
  package var velocitySigma: Double
  /// Whether the receiver's own velocity agrees with the navigator's; nil where it states none.
  package var isVelocityBorneOut: Bool?
  /// Whether rate and force alone tell how the car moves, so that fixes that move otherwise are wrong.
  package var isInertial: Bool
  /// Logarithm of the odds that the navigator would be where the fix is had it believed no fix for a while.
  package var evidence = 0.0
  /// Whether the car is felt to stand.
  package var isStanding = false
  /// Whether the car moves otherwise than its nose points: a tow, or fixes that drift and take it along.
  package var isAskew = false
  /// Whether another navigator, which believes less, has long been where the fixes are.
  package var isGuardThere = false

  package init(
    _ distance: Vector3, innovation: Vector3, at time: Timestamp, own: Matrix3, white: Double,
    velocitySigma: Double, isVelocityBorneOut: Bool?, isInertial: Bool
  ) {
    self.time = time
    self.distance = Vector3(distance.x, distance.y, 0)
    self.innovation = innovation
    self.own = own
    self.white = white
    self.velocitySigma = velocitySigma
    self.isVelocityBorneOut = isVelocityBorneOut
    self.isInertial = isInertial
  }

  /// Whether it tells the place more than so many times as well, by variance, as that is believed in.
  @inline(__always) func isWorth(_ times: Double) -> Bool { own.x.x + own.y.y > 2 * times * white }
}
