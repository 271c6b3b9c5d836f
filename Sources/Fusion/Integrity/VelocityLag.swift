// With velocities v that are late by d, positions p, and what these wander by meanwhile, n: over a window
//   Δp − ∫ v dt = d Δv + n,
// a regression through the origin, with a normal prior of d and a learned variance of n.
import CLibrary
import LinearAlgebra
import Navigation

/// By how much a receiver's velocity lags behind its own positions.
///
/// Neither IMU nor filter is asked: one that is drawn to a late velocity finds it on time, and takes the way
/// that it is short by for an error of the positions.
package struct VelocityLag: Sendable {
  /// Length of a window, s: a car brakes about as long, and what a lag that is not known hides lasts so.
  /// [chosen: positions wander little in it]
  static let window = 5.0
  /// Longest time from fix to fix, s.
  /// [chosen: the velocities between are on a line for no longer]
  private static let longestGap = 4.0
  /// Memory of what was learned, s.
  /// [chosen: a receiver's lag is the same all day]
  private static let memory = 1800.0
  /// Standard deviation of the lag before anything is known, s.
  /// [chosen: phones have 1.2 s, receivers next to none]
  private static let priorSigma = 0.5
  /// Variance per component of what positions wander by in a window before any is seen, m², and the
  /// components that it counts for. [chosen: 2 m in the open, for two windows]
  private static let priorNoise = 4.0, priorCount = 4.0
  /// Normalized square per component beyond which a window counts for less.
  /// [chosen: three sigma; a jump of the positions is no lag]
  private static let outlier = 9.0
  /// A lag that makes a difference, s, and what one is off by besides its variance, s.
  /// [chosen: a car that brakes is off by 0.6 m/s, and less than the wheels of it tell]
  static let least = 0.2
  private static let error = 0.1

  private struct Point {
    var time: Timestamp
    /// At no height: one that is not known is none.
    var position: GeodeticPosition
    var velocity: Vector3

    /// Nil without a velocity.
    init?(_ fix: GNSSFix) {
      guard let velocity = fix.velocityNED else { return nil }
      (time, position) = (fix.time, fix.position)
      position.height = 0
      self.velocity = Vector3(velocity.x, velocity.y, 0)
    }
  }

  /// The lag, s.
  /// [chosen: on time until the fixes say otherwise]
  package private(set) var value = 0.0
  /// Its variance, s².
  package private(set) var variance = VelocityLag.priorSigma * VelocityLag.priorSigma
  private var start: Point?, last: Point?
  /// The way that the velocities say since `start`, m.
  private var way = Vector3.zero
  /// Weighted sums over the windows: of Δv², of Δv times the difference of the ways, of its square, and of
  /// the components.
  private var squares = 0.0, products = 0.0, differences = 0.0, count = 0.0

  package init() {}

  /// The lag, s, and its variance, where it is more than a little by two standard deviations.
  package var clear: (value: Double, variance: Double)? {
    guard value > Self.least + 2 * variance.squareRoot() else { return nil }
    return (value, variance + Self.error * Self.error)
  }

  /// Most that a lag which is clear may be, by two standard deviations, s; 0 where none is.
  package var most: Double { clear.map { $0.value + 2 * $0.variance.squareRoot() } ?? 0 }

  /// Takes a fix as the receiver gave it; true where it ended a window.
  package mutating func add(_ fix: GNSSFix) -> Bool {
    guard let point = Point(fix) else { return false }
    guard let start, let last, 0..<Self.longestGap ~= point.time.seconds(since: last.time) else {
      begin(at: point)
      return false
    }
    way += (last.velocity + point.velocity) * (point.time.seconds(since: last.time) / 2)
    self.last = point
    let elapsed = point.time.seconds(since: start.time)
    // Stamps are rounded.
    guard elapsed > Self.window - 0.001 else { return false }
    learn(
      point.position.ned(from: start.position) - way, change: point.velocity - start.velocity,
      elapsed: elapsed)
    begin(at: point)
    return true
  }

  private mutating func begin(at point: Point) {
    (start, last, way) = (point, point, .zero)
  }

  private mutating func learn(_ difference: Vector3, change: Vector3, elapsed: Double) {
    let fade = exp(-elapsed / Self.memory)
    (squares, products) = (squares * fade, products * fade)
    (differences, count) = (differences * fade, count * fade)
    let horizontal = Vector3(difference.x, difference.y, 0)
    let share = (horizontal - change * value).squaredNorm / (2 * noise)
    let weight = share > Self.outlier ? (Self.outlier / share).squareRoot() : 1
    squares += weight * change.squaredNorm
    products += weight * horizontal.dot(change)
    differences += weight * horizontal.squaredNorm
    count += 2 * weight
    let noise = noise
    variance = 1 / (squares / noise + 1 / (Self.priorSigma * Self.priorSigma))
    value = products / noise * variance
  }

  /// Variance per component of what positions wander by in a window, m².
  private var noise: Double {
    let left = differences - 2 * value * products + value * value * squares
    return (max(0, left) + Self.priorCount * Self.priorNoise) / (count + Self.priorCount)
  }
}
