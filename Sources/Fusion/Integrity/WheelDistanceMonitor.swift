// From a fix to one at least B away, by its place or by the wheels: the chord d between them, and the way
//   s = |∫ w (cos ψ, sin ψ) dt|
// of the wheel speed w along what the gyroscope turns by, ψ. Wheels are wrong where
//   |s − d| > a max(s, d) + k √(σ₁² + σ₂²) + q T
// with a share a, the variances of both fixes, and what a step q hides in the time T. Where a is larger, a
// shorter B will do.
import CLibrary
import LinearAlgebra
import Navigation

/// Finds wheels that are grossly wrong in scale, as in km/h or mph: places tell it of any receiver.
///
/// Speeds are compared elsewhere, where the receiver states one. What is right to a tenth is never refused,
/// late and coarse or not; and neither heading nor mounting is asked, which wrong wheels would spoil.
package struct WheelDistanceMonitor: Sendable {
  /// Least distance over which is compared, m: a fix errs by 3 to 15.
  /// [measured on 16 drives in km/h or mph: mean P95 3.5, 3.6, 3.7, 3.5 m with 50, 70, 100, 150]
  private static let baseline = 100.0
  /// Part of the distance that wheels may be off by: a scale of a tenth, late and coarse.
  /// [measured on the 16 drives: mean P95 3.6, 3.6, 3.7, 4.2 m with 0.1, 0.15, 0.2, 0.3]
  private static let share = 0.2
  /// Least distance that shows another unit, m: wheels that are late by a second are off by 15.
  /// [measured on the 16 drives: mean P95 3.5, 3.7, 6.3, 7.3 m with 15, 25, 50, 80]
  private static let clear = 25.0
  /// What it is off by at least as a part of it: knots and mph are by 0.49 and 0.55.
  /// [measured on the 16 drives: mean P95 2.6, 3.7, 6.0 m with 0.3, 0.4, 0.5]
  private static let clearShare = 0.4
  /// Standard deviations of the fixes that a difference has to be, besides: a receiver may state half.
  /// [measured on the 16 drives: mean P95 2.8, 3.7, 7.4 m with 2, 3, 5]
  private static let gate = 3.0
  /// Least mean speed, m/s: below 7 km/h some sensors read zero.
  /// [measured on the 16 drives: mean P95 3.7, 3.7, 5.9, 6.6 m with 2, 4, 6, 8]
  private static let leastSpeed = 4.0
  /// Part of the distance that wheels have to have turned for: of a car that is carried they stand.
  /// [chosen: m/s for km/h is 0.28; measured on the 16 drives: 0.01, 0.1 and 0.4 do alike]
  private static let standing = 0.1
  /// Shortest time for a distance, s: a speed that is not available is 182 m/s on a bus, for 2 s at a time.
  /// [measured on the 16 drives: mean P95 3.7, 4.0, 5.7, 8.7 m with 1.1, 1.6, 2.5, 4]
  private static let shortest = 1.1
  /// What a wheel speed leaps by, m/s, and what it gathers besides, m/s². [chosen: a full stop, in km/h]
  private static let leap = 10.0, hardest = 36.0
  /// Longest time for a distance, s, and between two wheel speeds.
  /// [chosen: a gyroscope turns by 10° unseen; wheels of 1 Hz]
  private static let longest = 120.0, gap = 1.2
  /// Distances by which more speak against the wheels than for them to refuse them, and in a row for them to
  /// believe them again: one may be a leap of the fixes, and one its way back. Of wheels that are not
  /// available for 2 s of each 30, a half is refused with 2, a third with 3.
  /// [measured on the 16 drives: mean P95 2.6, 3.7, 9.8 m with 2, 3, 5]
  private static let certain = 3
  /// The most that ever count for them. [chosen: a receiver that reckons through a tunnel of 1 km]
  private static let most = 20

  /// Whether the wheels can be used.
  package private(set) var isTrusted = true
  private var last: WheelSample?
  /// Angle that the car has turned by, rad, and its way by the wheels along that, m.
  private var angle = 0.0, way = Vector3.zero
  private var start: (fix: GNSSFix, variance: Double, way: Vector3)?
  /// Distances for the wheels, less those against; in a row for them once they are refused.
  private var balance = 0

  package init() {}

  /// Takes the angle that the car turned by, rad.
  package mutating func turn(by angle: Double) { self.angle += angle }

  /// Begins anew: wheels or turns are missing.
  package mutating func interrupt() { (last, start) = (nil, nil) }

  /// Takes a wheel speed.
  package mutating func add(_ wheel: WheelSample) {
    defer { last = wheel }
    guard let last else { return }
    let dt = wheel.time.seconds(since: last.time)
    guard 0..<Self.gap ~= dt, abs(wheel.speed - last.speed) < Self.leap + Self.hardest * dt else {
      return interrupt()
    }
    way += ahead((last.speed + wheel.speed) / 2 * dt)
  }

  /// Takes a fix, the variance per axis of its place, m², and the sensor's step, m/s; returns whether wheels
  /// that were trusted are refused by it.
  package mutating func add(_ fix: GNSSFix, variance: Double, resolution: Double) -> Bool {
    guard let last, 0..<Self.gap ~= fix.time.seconds(since: last.time) else {
      start = nil
      return false
    }
    let way = way + ahead(last.speed * fix.time.seconds(since: last.time))
    let here = (fix: fix, variance: variance, way: way)
    guard let start, fix.time.seconds(since: start.fix.time) < Self.longest else {
      self.start = here
      return false
    }
    let elapsed = fix.time.seconds(since: start.fix.time)
    let distance = fix.position.ned(from: start.fix.position).horizontalNorm
    let reckoned = (way - start.way).horizontalNorm
    // While they stand it begins anew.
    guard reckoned > WheelSpeedMonitor.zero * elapsed else {
      self.start = here
      return false
    }
    let noise = Self.gate * (variance + start.variance).squareRoot()
    let longer = max(distance, reckoned)
    let off = abs(reckoned - distance) - noise - resolution * elapsed
    let isClear = longer > Self.clear && off > Self.clearShare * longer
    guard elapsed > Self.shortest, isClear || longer > max(Self.baseline, noise / Self.share) else {
      return false
    }
    self.start = here
    guard longer > Self.leastSpeed * elapsed, reckoned > Self.standing * distance else { return false }
    return weigh(isOff: off > Self.share * longer)
  }

  private mutating func weigh(isOff: Bool) -> Bool {
    guard isTrusted else {
      balance = isOff ? 0 : balance + 1
      isTrusted = balance >= Self.certain
      return false
    }
    balance = isOff ? balance - 1 : min(balance + 1, Self.most)
    guard balance <= -Self.certain else { return false }
    (isTrusted, balance) = (false, 0)
    return true
  }

  private func ahead(_ distance: Double) -> Vector3 { Vector3(cos(angle), sin(angle), 0) * distance }
}
