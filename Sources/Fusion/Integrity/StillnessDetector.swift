import LinearAlgebra
import Navigation

/// Finds from the IMU alone whether rate and force are steady: a car that stands, or drives evenly.
///
/// Means over a fifth of a second are compared with the means before: the spread of single samples says
/// little, as one car idles rougher than another drives.
package struct StillnessDetector: Sendable {
  /// Length of a bin in s. [chosen]
  static let binLength = 0.2
  /// Change of the mean specific force that ends stillness, m/s², at first and at least: the spread of the
  /// means, learned while it is steady, says how small a change shows. [chosen]
  static let forceChange = 0.06, leastForceChange = 0.04
  /// The change in standard deviations of the means. [chosen]
  static let spreads = 3.0
  /// Bins after which their spread is known, and that it is taken over: a car rocks for a moment when
  /// it has stopped. [chosen]
  static let enoughBins = 6.0, longestSpread = 16.0
  /// Change of the mean angular rate that ends stillness, rad/s. [chosen]
  static let rateChange = 0.006

  private var start: Timestamp?
  private var count = 0.0
  private var rateSum = Vector3.zero
  private var forceSum = Vector3.zero
  private var forceSquares = 0.0
  private var rateSquares = 0.0
  private var reference: (rate: Vector3, force: Vector3)?
  /// Mean angular rate of the newest whole bin, rad/s.
  package private(set) var meanRate = Vector3.zero
  /// Mean specific force of the newest whole bin, m/s².
  package private(set) var meanForce = Vector3.zero
  /// Standard error of `meanRate` per axis, rad/s.
  package private(set) var rateError = 0.0
  /// Mean square of the distance of the means from the reference, (m/s²)², from so many bins.
  private var forceSpread = 0.0
  private var bins = 0.0
  /// Change of the mean specific force that is none, m/s².
  package private(set) var forceLimit = StillnessDetector.forceChange
  /// For how long rate and force have been steady, s.
  package private(set) var steadyFor = 0.0
  /// Means of rate and force over all of the steady time.
  package var steadyMeans: (rate: Vector3, force: Vector3)? { reference }

  package init() {}

  /// Takes a sample; true when it completes a bin.
  package mutating func process(_ sample: InertialSample) -> Bool {
    if let start {
      let elapsed = sample.time.seconds(since: start)
      if elapsed > 4 * Self.binLength || elapsed < 0 { self = StillnessDetector() }
    }
    if start == nil { start = sample.time }
    count += 1
    rateSum += sample.angularRate
    forceSum += sample.specificForce
    rateSquares += sample.angularRate.squaredNorm
    forceSquares += sample.specificForce.squaredNorm
    guard let start, sample.time.seconds(since: start) >= Self.binLength - 1e-3, count >= 3 else {
      return false
    }
    close(at: sample.time)
    return true
  }

  private mutating func close(at time: Timestamp) {
    meanRate = rateSum / count
    meanForce = forceSum / count
    let rateVariance = max(0, rateSquares / count - meanRate.squaredNorm) / 3
    let forceVariance = max(0, forceSquares / count - meanForce.squaredNorm) / 3
    rateError = (rateVariance / count).squareRoot()
    let forceError = (forceVariance / count).squareRoot()
    if let old = reference {
      forceLimit = Self.forceChange + 3 * forceError
      if bins >= Self.enoughBins {
        forceLimit = min(forceLimit, max(Self.leastForceChange, Self.spreads * forceSpread.squareRoot()))
      }
      let rateLimit = Self.rateChange + 3 * rateError
      if (meanForce - old.force).norm < forceLimit, (meanRate - old.rate).norm < rateLimit {
        steadyFor += Self.binLength
        bins = min(bins + 1, Self.longestSpread)
        forceSpread += ((meanForce - old.force).squaredNorm - forceSpread) / bins
        let gain = Self.binLength / min(steadyFor + Self.binLength, 10)
        reference = (old.rate + (meanRate - old.rate) * gain, old.force + (meanForce - old.force) * gain)
      } else {
        steadyFor = 0
        bins = 0
        reference = (meanRate, meanForce)
      }
    } else {
      reference = (meanRate, meanForce)
    }
    start = time
    count = 0
    rateSum = .zero
    forceSum = .zero
    rateSquares = 0
    forceSquares = 0
  }
}
