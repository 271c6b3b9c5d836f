import CLibrary
import LinearAlgebra
import Navigation

/// How much the IMU is shaken, against how much it is at least when the car drives as fast.
///
/// The measure is the mean square of the change from sample to sample, of specific force times that of
/// angular rate. What is usual is learned by speed: engines idle as rough as some roads are, but no
/// road is as smooth as a ship.
package struct VibrationLevel: Sendable {
  /// Lower ends of the bands of speed, m/s. [chosen]
  private static let bands: InlineArray<4, Double> = [2.5, 5, 8, 12]
  /// Part of the driving in a band that is quieter than what counts as its least. [chosen]
  private static let quantile = 0.1
  /// Driving in a band after which it counts, s. [chosen]
  private static let enough = 20.0

  private var last: InertialSample?
  private var begin: Timestamp?
  private var forceSum = 0.0
  private var rateSum = 0.0
  private var count = 0.0
  /// Logarithm of the product of the mean squares over the last seconds; nil before the first whole one.
  private var level: Double?
  private var least: InlineArray<4, Double> = [0, 0, 0, 0]
  private var heard: InlineArray<4, Double> = [0, 0, 0, 0]

  package init() {}

  /// The same while the car stands, averaged over about a minute; nil before it has stood.
  private var atRest: Double?

  /// Takes a sample; `drivingAt` is the speed in m/s where the car certainly drives.
  package mutating func add(_ sample: InertialSample, drivingAt speed: Double?, isStanding: Bool) {
    defer { last = sample }
    guard let last, let begin, sample.time.seconds(since: last.time) < 0.25 else {
      begin = sample.time
      (forceSum, rateSum, count) = (0, 0, 0)
      return
    }
    forceSum += (sample.specificForce - last.specificForce).squaredNorm
    rateSum += (sample.angularRate - last.angularRate).squaredNorm
    count += 1
    guard sample.time.seconds(since: begin) >= 1 else { return }
    let value = log(max(forceSum / count, 1e-12)) + log(max(rateSum / count, 1e-12))
    level = level.map { $0 + (value - $0) * 0.4 } ?? value
    self.begin = sample.time
    (forceSum, rateSum, count) = (0, 0, 0)
    if isStanding { atRest = atRest.map { $0 + (value - $0) / 60 } ?? value }
    if let speed { learn(value, speed: speed) }
  }

  private mutating func learn(_ value: Double, speed: Double) {
    guard let band = Self.band(speed) else { return }
    if heard[band] == 0 { least[band] = value }
    heard[band] += 1
    // A step up or down by the quantile: it rests where a tenth of the values lie below.
    let step = max(0.05, 1 / heard[band])
    least[band] += value < least[band] ? step * (Self.quantile - 1) : step * Self.quantile
  }

  private static func band(_ speed: Double) -> Int? {
    var found: Int?
    for i in 0..<4 where speed >= bands[i] { found = i }
    return found
  }

  /// Whether there is no more shaking than at a standstill.
  @inline(__always) package var isAsAtRest: Bool {
    guard let level, let atRest else { return false }
    return level < atRest + 0.5
  }

  /// Whether there is more shaking than at a standstill that is known.
  @inline(__always) var isMoreThanAtRest: Bool { atRest != nil && !isAsAtRest }

  /// Logarithm of what there is of shaking against the least at this speed, or the next lower that was
  /// driven; nil where not known.
  package func excess(at speed: Double) -> Double? {
    guard let level, let top = Self.band(speed) else { return nil }
    var band = top
    while band >= 0 {
      if heard[band] >= Self.enough { return level - least[band] }
      band -= 1
    }
    return nil
  }

  /// The same against the least of the slowest driving that is known; nil before any is.
  @inline(__always) var excessOverSlowest: Double? {
    guard let level else { return nil }
    for band in 0..<4 where heard[band] >= Self.enough { return level - least[band] }
    return nil
  }
}
