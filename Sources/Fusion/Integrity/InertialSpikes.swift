import LinearAlgebra
import Navigation

/// Leaves out single samples of an IMU that no car makes: a bus that fails answers with all bits set, and one
/// such sample of ten milliseconds turns the car by twenty degrees.
///
/// What leaps from one sample to the next is held back, and the sample before goes on in its place, until it
/// has lasted: a knock does, a glitch does not.
package struct InertialSpikes: Sendable {
  /// Least leap of the rate, rad/s, and of the force, m/s², from one sample to the next.
  /// [measured on 22 real drives: the largest are 2.04 rad/s and 14.9 m/s²]
  private static let rateLeap = 2.5, forceLeap = 30.0
  /// Samples in a row that are held back. [chosen: a transfer fails once, and its repetition]
  private static let most = 2
  /// Samples further apart than this are not compared, s: by then a car may do anything.
  /// [measured on austin, 10 Hz, a gyroscope's spike a minute: 84, 17, 17, 17 m off with 0.05, 0.15, 0.25, 1]
  private static let longestGap = 0.25

  /// The newest sample that was taken as it is.
  private var last: InertialSample?
  private var held = 0

  package init() {}

  /// What is to be made of the next sample: itself, or the one before at its time.
  @inline(__always) package func heeded(_ sample: InertialSample) -> InertialSample {
    guard let last, leaps(sample, from: last) else { return sample }
    return InertialSample(
      time: sample.time, angularRate: last.angularRate, specificForce: last.specificForce)
  }

  /// Takes the next sample, and returns what is to be made of it.
  @inline(__always) package mutating func take(_ sample: InertialSample) -> InertialSample {
    guard let last, leaps(sample, from: last) else {
      (self.last, held) = (sample, 0)
      return sample
    }
    defer { held += 1 }
    return heeded(sample)
  }

  @inline(__always) private func leaps(_ sample: InertialSample, from last: InertialSample) -> Bool {
    let rate = sample.angularRate - last.angularRate, force = sample.specificForce - last.specificForce
    guard
      rate.squaredNorm > Self.rateLeap * Self.rateLeap || force.squaredNorm > Self.forceLeap * Self.forceLeap
    else { return false }
    let since = sample.time.seconds(since: last.time)
    return held < Self.most && since < Self.longestGap * Double(held + 1)
  }
}
