import LinearAlgebra
import Navigation

/// How much the gyroscope's horizontal axes err on this road, learned from what fixes and rear
/// axle correct of the tilt.
///
/// White noise, vibration, scale and cross-axis errors of one consumer part are a tenth of another's. Over a
/// window the tilt errs by what it was corrected by and what is still not known of it: the step of
/// expectation and maximization for the density of a random walk (Shumway and Stoffer, "An approach to time
/// series smoothing and forecasting using the EM algorithm"), without its smoother. In an outage that density
/// says how far gyroscope and rear axle are believed.
package struct TiltNoise: Sendable {
  /// Length of a window, s, and the longest time without a fix in it.
  /// [chosen: several times what a fix remembers of tilt]
  private static let window = 20.0, longestGap = 2.5
  /// Speed from which the car drives, m/s. [chosen]
  private static let leastSpeed = 2.0
  /// Windows that the default counts for, the newest that count, and the most that one may say.
  /// [chosen: a rough road of seconds is no reason to doubt a gyroscope for the day, but to trust it no more]
  private static let priorCount = 3.0, memory = 30.0, largest = 9.0
  /// Bounds of the factor of the density. [measured on twelve cars: 0.1 to 2]
  private static let bounds = 0.1...4.0

  /// Density of the tilt over the default, which is the most cautious of them.
  /// [measured on twelve cars: the median]
  private var factor = 0.4
  private var count = TiltNoise.priorCount
  private var start = Vector3.zero
  private var last = Timestamp(nanoseconds: .min / 2)
  private var elapsed = 0.0, expected = 0.0, distance = 0.0

  package init() {}

  /// Takes a fix that was used.
  ///
  /// - Parameters:
  ///   - corrected: sum of all corrections of the attitude, NED, rad.
  ///   - variance: of the tilt per axis, rad².
  ///   - density: of the tilt by default, rad²/s.
  ///   - speed: m/s.
  /// - Returns: whether there is more known than before.
  package mutating func add(
    _ time: Timestamp, corrected: Vector3, variance: Double, density: Double, speed: Double
  ) -> Bool {
    let dt = time.seconds(since: last)
    last = time
    guard dt > 0, dt < Self.longestGap else {
      begin(corrected)
      return false
    }
    elapsed += dt
    expected += density * dt
    distance += speed * dt
    guard elapsed >= Self.window else { return false }
    let change = corrected - start
    let isDriving = distance > Self.leastSpeed * elapsed
    let ratio = ((change.x * change.x + change.y * change.y) / 2 + variance) / expected
    // A tilt that is not known yet is corrected for its own sake.
    let isKnown = variance < expected
    begin(corrected)
    guard isDriving, isKnown else { return false }
    count = min(count + 1, Self.memory)
    factor += (min(ratio, Self.largest) - factor) / count
    return true
  }

  private mutating func begin(_ corrected: Vector3) {
    start = corrected
    (elapsed, expected, distance) = (0, 0, 0)
  }

  /// Changes what is learned in `noise` from `base`: that about the vertical is another matter.
  package func apply(to noise: inout ProcessNoise, base: ProcessNoise) {
    let scale = min(max(factor, Self.bounds.lowerBound), Self.bounds.upperBound).squareRoot()
    noise.gyroHorizontal = base.gyroHorizontal * scale
    noise.gyroHorizontalPerSpeed = base.gyroHorizontalPerSpeed * scale
    noise.gyroVerticalRatio = base.gyroVerticalRatio / scale
  }
}
