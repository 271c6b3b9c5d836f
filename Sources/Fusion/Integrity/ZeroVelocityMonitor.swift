import LinearAlgebra
import Navigation

/// Watches whether a car that looks still to the IMU moves by the receiver's velocity: it
/// creeps, or is on a ship.
package struct ZeroVelocityMonitor: Sendable {
  /// Memories of the two means, s: one finds a clear motion soon, the other a slow one in the end. [chosen]
  private static let short = 1.0, long = 8.0
  /// What a receiver at rest is off by besides its noise, m/s. [chosen]
  private static let shortBias = 0.15, longBias = 0.06
  /// Errors of a velocity last this long, s. [chosen]
  private static let correlation = 0.4

  private var shortMean = ExponentialMean(memory: short), longMean = ExponentialMean(memory: long)
  private var last: Timestamp?

  package init() {}

  /// Takes a velocity in a standstill, with its standard deviation per axis; true where the car moves.
  package mutating func moves(_ velocity: Vector3, sigma: Double, at time: Timestamp) -> Bool {
    defer { last = time }
    guard let last else { return false }
    let elapsed = min(max(time.seconds(since: last), 0), 1)
    let v = Vector3(velocity.x, velocity.y, 0)
    shortMean.add(v, elapsed: elapsed)
    longMean.add(v, elapsed: elapsed)
    func limit(_ bias: Double, _ memory: Double) -> Double {
      bias + 3 * sigma * (max(elapsed, Self.correlation) / (2 * memory)).squareRoot()
    }
    return shortMean.value.norm > limit(Self.shortBias, Self.short)
      || longMean.value.norm > limit(Self.longBias, Self.long)
  }
}
