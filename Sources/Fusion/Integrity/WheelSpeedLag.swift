// A wheel speed w that is late by d, and the sum S of what rate and force have added to the speed: over a
// window
//   Δw = (1 + κ) (S(t − d) − S(t₀ − d)) + n.
// The sum J of n² over the windows is kept for each of some lags, and a normal prior added. A parabola
// through the least J and its neighbours has the lag at its foot; J of no lag, less that, over the variance
// of n says how certain it is (a likelihood ratio: χ² of one degree of freedom).
import CLibrary
import LinearAlgebra
import Navigation

/// By how much a wheel speed is late by the IMU's clock: a gateway is asked for it, and a bus carries it on.
///
/// What the filter corrects is left out of the change of speed: one that is drawn to late wheels finds them
/// on time.
package struct WheelSpeedLag: Sendable {
  /// The lags that are tried, s: those below 0 are of an IMU that is late itself.
  /// [chosen: a gateway that is asked ten times a second answers within one]
  private static let first = -0.4, step = 0.1
  /// How many, and which of them is none. [chosen: up to 1 s]
  private static let count = 15, none = 4
  /// Length of a window, s, and its longest where wheel speeds are seldom.
  /// [chosen: a car brakes and lets go in a second; a tilt of 0.3° is 0.05 m/s by then]
  private static let window = 1.0, longestWindow = 2.5
  /// Memory of what was learned, s. [chosen: a car's lag is the same all day]
  private static let memory = 1800.0
  /// Standard deviation of the lag before anything is known, s.
  /// [measured on seven drives with wheels 0 to 1 s late: 0.1, 0.2, 0.4 do alike]
  private static let priorSigma = 0.2
  /// Variance of n before any is seen, (m/s)², and the windows that it counts for.
  /// [chosen: 0.1 m/s, for a few seconds]
  private static let priorNoise = 0.01, priorCount = 4.0
  /// Normalized square beyond which a window counts for less. [chosen: three sigma; a wheel that spins]
  private static let outlier = 9.0
  /// A lag that makes a difference, s.
  /// [measured on seven drives with wheels 0 to 1 s late: 0.05, 0.1 do alike]
  private static let least = 0.05
  /// What J of no lag is larger by where a lag is certain, in variances of n.
  /// [measured on seven drives with wheels 0 to 1 s late: 16, 25, 36 do alike; sound wheels have none]
  private static let certain = 16.0
  /// Speed from which a wheel counts, m/s. [chosen: many sensors give no pulses below it]
  private static let leastSpeed = 0.3

  private typealias PerLag = InlineArray<15, Double>

  private var history = SpeedHistory()
  /// A wheel speed whose surroundings are not known yet, and that of the window's start with the sums S of
  /// each lag, m/s.
  private var pending: (time: Double, speed: Double)?
  private var start: (time: Double, speed: Double, sums: PerLag)?
  /// J of each lag, (m/s)², and the windows that it is of, fading.
  private var squares = PerLag(repeating: 0)
  private var windows = 0.0
  /// The lag, s.
  /// [chosen: on time until the wheels say otherwise]
  package private(set) var value = 0.0
  /// What J of no lag is larger by, in variances of n.
  private var evidence = 0.0

  package init() {}

  /// The lag in s where it is certain; 0 where it is not, and where the wheels are not late.
  package var clear: Double { value > Self.least && evidence > Self.certain ? value : 0 }

  /// Takes the sum of what rate and force have added to the speed so far, m/s.
  package mutating func note(_ sum: Double, at time: Timestamp) {
    if !history.add(sum, at: time) { (pending, start) = (nil, nil) }
  }

  /// Takes a wheel speed and the scale that is believed of it; returns by how much the speed has grown since
  /// it was measured, m/s, forward or backward.
  package mutating func growth(since wheel: WheelSample, sum: Double, scale: Double) -> Double {
    let now = history.seconds(wheel.time), speed = abs(wheel.speed)
    if let pending, now - pending.time > Self.window / 2 {
      learn(pending, scale: scale)
      self.pending = nil
    }
    if pending == nil { pending = (now, speed) }
    let lag = clear
    guard lag > 0, let then = history.sum(at: now - lag) else { return 0 }
    let growth = (sum - then) * (1 + scale)
    // Wheels that still stand say so until the car has clearly driven off.
    return speed > WheelSpeedMonitor.zero || growth > WheelSpeedMonitor.zero ? growth : 0
  }

  private mutating func learn(_ wheel: (time: Double, speed: Double), scale: Double) {
    if let start, wheel.time - start.time < Self.window - 0.001 { return }
    guard wheel.speed > Self.leastSpeed, let sums = sums(about: wheel.time) else {
      start = nil
      return
    }
    defer { start = (wheel.time, wheel.speed, sums) }
    guard let start, wheel.time - start.time < Self.longestWindow else { return }
    let best = least(squares)
    func error(_ k: Int) -> Double {
      wheel.speed - start.speed - (1 + scale) * (sums[k] - start.sums[k])
    }
    let share = error(best) * error(best) / noise(squares[best])
    let weight = share > Self.outlier ? (Self.outlier / share).squareRoot() : 1
    let fade = exp((start.time - wheel.time) / Self.memory)
    for k in 0..<Self.count { squares[k] = squares[k] * fade + weight * error(k) * error(k) }
    windows = windows * fade + weight
    estimate()
  }

  /// S of each lag before a time; nil where not all are known.
  private func sums(about time: Double) -> PerLag? {
    var sums = PerLag(repeating: 0)
    for k in 0..<Self.count {
      guard let sum = history.sum(at: time - Self.lag(k)) else { return nil }
      sums[k] = sum
    }
    return sums
  }

  private static func lag(_ k: Int) -> Double { first + Double(k) * step }

  private func least(_ squares: PerLag) -> Int {
    var best = 1
    for k in 1..<(Self.count - 1) where squares[k] < squares[best] { best = k }
    return best
  }

  /// Variance of n by the sum of its squares, (m/s)².
  private func noise(_ sum: Double) -> Double {
    (sum + Self.priorCount * Self.priorNoise) / (windows + Self.priorCount)
  }

  private mutating func estimate() {
    let noise = noise(squares[least(squares)])
    var sums = squares
    for k in 0..<Self.count {
      let lag = Self.lag(k) / Self.priorSigma
      sums[k] += noise * lag * lag
    }
    let best = least(sums)
    let slope = (sums[best + 1] - sums[best - 1]) / 2
    let curvature = sums[best + 1] - 2 * sums[best] + sums[best - 1]
    let foot = curvature > 0 ? min(max(-slope / curvature, -1), 1) : 0
    value = Self.lag(best) + foot * Self.step
    evidence = (sums[Self.none] - sums[best] - foot * (slope + foot * curvature / 2)) / noise
  }
}

extension WheelSample {
  /// The sample where the speed has grown by so many m/s, forward or backward as it goes.
  @inline(__always) func grown(by speed: Double) -> WheelSample {
    if speed == 0 { return self }
    var wheel = self
    wheel.speed = self.speed < 0 ? min(0, self.speed - speed) : max(0, self.speed + speed)
    return wheel
  }
}
