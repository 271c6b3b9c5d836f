import LinearAlgebra
import Navigation

/// White noise of rate and force as it shows while the car stands, as power spectral densities.
///
/// Means over a second are compared with those of the second before: half the mean square of their
/// difference is the Allan variance, which of white noise is its density over the time (IEEE Std 952).
/// An engine that idles swings many times in that second, and cancels; what is left is the sensor's, which
/// is no better when the car drives.
package struct RestingNoise: Sendable {
  /// Bins of a fifth of a second in a mean. An engine that idles shows ten times the density with one, and
  /// with two or three hardly more than with five. [measured on haifa-10]
  private static let length = 5
  /// Pause after which means are compared anew, s.
  /// [chosen: a bin and a half; one that is left out breaks the row]
  private static let longestPause = 0.3
  /// Differences that count, and that what is assumed before any counts for.
  /// [chosen: 20 s at rest tell the density to a fifth; the first stop of some seconds outweighs the default]
  private static let memory = 20.0, priorCount = 1.0
  /// A difference counts up to so many times what is believed: doors that close.
  /// [chosen: white noise of three axes is beyond it once in 2,000 times]
  private static let clip = 6.0

  /// Density of the angle about an axis, rad²/s, and of the velocity along one, (m/s)²/s.
  package private(set) var gyro: Double, accel: Double
  private var count = RestingNoise.priorCount
  private var bins = 0
  private var rate = Vector3.zero, force = Vector3.zero
  private var before: (rate: Vector3, force: Vector3)?
  private var last = Timestamp(nanoseconds: .min / 2)

  /// As good as the default has it.
  package init() {
    let usual = ProcessNoise()
    let vertical = usual.gyroHorizontal * usual.gyroVerticalRatio
    (gyro, accel) = (vertical * vertical, usual.accel * usual.accel)
  }

  /// Takes the mean rate, rad/s, and specific force, m/s², of a bin in which the car stood.
  package mutating func add(rate: Vector3, force: Vector3, at time: Timestamp) {
    if time.seconds(since: last) > Self.longestPause { (bins, before) = (0, nil) }
    if bins == 0 { (self.rate, self.force) = (.zero, .zero) }
    last = time
    bins += 1
    self.rate += rate
    self.force += force
    if bins == Self.length { close() }
  }

  private mutating func close() {
    let share = 1 / Double(bins)
    let mean = (rate: rate * share, force: force * share)
    if let before {
      count = min(count + 1, Self.memory)
      // Three axes, and two means.
      let density = Double(bins) * StillnessDetector.binLength / 6
      let (turned, pushed) = (mean.rate - before.rate, mean.force - before.force)
      gyro += (min(turned.squaredNorm * density, Self.clip * gyro) - gyro) / count
      accel += (min(pushed.squaredNorm * density, Self.clip * accel) - accel) / count
    }
    before = mean
    bins = 0
  }

  /// Tells `noise` what there is of it beyond `base`.
  package func apply(to noise: inout ProcessNoise, base: ProcessNoise) {
    let horizontal = base.gyroHorizontal * base.gyroHorizontal
    let vertical = horizontal * base.gyroVerticalRatio * base.gyroVerticalRatio
    let level = max(0, gyro - horizontal)
    noise.restingGyro = Vector3(level, level, max(0, gyro - vertical))
    noise.restingAccel = max(0, accel - base.accel * base.accel)
  }
}
