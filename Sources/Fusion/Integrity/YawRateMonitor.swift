// Over a step in which the fixes' course changes by c and the car's yaw rate turns by y, with the noise σ of
// the larger of both, half the square of what it is off by, at most FaultOdds.bound, is for
//   the car's own, late or not:   |c − y + λ Δċ|² / 2σ²
//   a scale k, −1 or π/180:       |c − k y|² / 2σ²
//   none at all:                  what is free in an angle
// and FaultOdds sum the differences to the first.
import LinearAlgebra
import Navigation

/// Finds a car's yaw rate that is not the car's: to the left, in degrees a second, or dead.
///
/// Where it stands in for a gyroscope it carries course and place on: what judges by these has gone with it.
/// The angle that it turned by is compared with the change of course of the fixes, over turns and what it
/// takes for such. Fixes that tell no course, those between towers without a velocity, say nothing.
package struct YawRateMonitor: Sendable {
  /// Whether the rate can be used.
  package private(set) var isTrusted = true
  /// Whether it has been other than exactly zero.
  package private(set) var isAlive = false
  /// Whether it is certain that the rate is none: a coarse one is zero on a straight road as well.
  package var isRefuted: Bool { !isTrusted || !isAlive && deadTurns >= Self.deadCertain }

  /// Angle of a step, rad, and the longest time for it, s.
  /// [chosen: half a street corner; what a bias of 2 deg/s turns by in 10 s is less]
  private static let angle = 0.5, longest = 10.0
  /// Longest time from sample to sample, s. [chosen: as long as a yaw rate is held where it stands in]
  private static let gap = 1.0
  /// What a change of course is off by, rad, and the part of an angle.
  /// [chosen: 0.4 m/s at 3 m/s; a body that slips, and what a step's ends do not share]
  private static let sigma = 0.15, share = 0.2
  /// What is free in an angle, as half a square. [chosen: any of a turn fits]
  private static let freedom = 1.5
  /// Largest angle of the yaw rate for its noise, rad: no car turns further in a step.
  /// [chosen: half a turn]
  private static let largest = 3.0
  /// Steps in a row in which the two agree to be believed again. [chosen: two street corners]
  private static let certain = 4
  /// Steps in which the fixes turn beside a rate that was never other than zero until it is said to be dead.
  /// [chosen: one street corner; one may be a leap]
  private static let deadCertain = 2
  /// rad in a degree. [chosen: the unit's definition]
  private static let degree = Double.pi / 180

  private struct Course {
    var time: Timestamp
    var velocity: Vector3
    /// Whether the receiver stated it.
    var isStated: Bool
    var turned: Double
  }

  private var wheel: WheelSample?
  /// By the yaw rate, and by the fixes since the step began, rad.
  private var turned = 0.0, changed = 0.0
  private var place: FixMotion.Place?, turnedAtFix = 0.0
  private var last: Course?
  /// Where the step that runs began, and how fast the fixes' course changed there, rad/s.
  private var start: Course?, startRate = 0.0, isStated = false
  private var isLeft = FaultOdds(), isInDegrees = FaultOdds(), isNone = FaultOdds()
  private var agreements = 0, deadTurns = 0

  package init() {}

  /// Takes a sample of the wheels.
  package mutating func add(_ sample: WheelSample) {
    defer { wheel = sample }
    guard let rate = sample.yawRate else { return forget() }
    isAlive = isAlive || rate != 0
    guard let wheel, let before = wheel.yawRate else { return }
    let dt = sample.time.seconds(since: wheel.time)
    guard 0..<Self.gap ~= dt else { return forget() }
    turned += before * dt
  }

  /// Takes a fix, with the standard deviation of what changes from one to the next, m.
  package mutating func add(_ fix: GNSSFix, positionSigma: Double) {
    guard let wheel, let rate = wheel.yawRate else { return }
    if let before = place, !FixMotion.isDue(fix, after: before) { return }
    let since = fix.time.seconds(since: wheel.time)
    guard since < Self.gap else { return forget() }
    let turned = turned + rate * since
    let before = place.flatMap { FixMotion.isWithin(fix.time, of: $0.time) ? $0 : nil }
    let velocity = FixMotion.velocity(of: fix, from: before, positionSigma: positionSigma)
    defer { (place, turnedAtFix) = (FixMotion.Place(fix), turned) }
    guard let velocity, let before, velocity.horizontalNorm > FixMotion.leastSpeed else { return interrupt() }
    // From fix to fix it is the mean velocity, in the middle.
    let late = fix.velocityNED == nil ? fix.time.seconds(since: before.time) / 2 : 0
    let course = Course(
      time: fix.time.advanced(bySeconds: -late), velocity: velocity, isStated: fix.velocityNED != nil,
      turned: late > 0 ? (turned + turnedAtFix) / 2 : turned)
    guard let last, FixMotion.isDriven(last.velocity, at: last.time, velocity, at: course.time) else {
      start = nil
      return last = course
    }
    go(on: course, from: last)
  }

  private mutating func go(on course: Course, from last: Course) {
    self.last = course
    let change = FixMotion.angle(from: last.velocity, to: course.velocity)
    let rate = change / course.time.seconds(since: last.time)
    if start == nil { (start, startRate, changed, isStated) = (last, rate, 0, last.isStated) }
    guard let start else { return }
    changed += change
    isStated = isStated && course.isStated
    let turned = course.turned - start.turned
    if course.time.seconds(since: start.time) > Self.longest {
      self.start = nil
    } else if max(abs(changed), abs(turned)) > Self.angle {
      self.start = nil
      compare(turned: turned, rateChange: rate - startRate)
    }
  }

  private mutating func compare(turned: Double, rateChange: Double) {
    let off = Vector3(changed - turned, 0, 0)
    let square = min(off.squaredNorm, FaultOdds.square(of: off, late: Vector3(-rateChange, 0, 0)))
    let sound = misfit(square, angle: min(abs(turned), Self.largest))
    isLeft.add(sound: sound, faulty: misfit(scale: -1, turned))
    isInDegrees.add(sound: sound, faulty: misfit(scale: Self.degree, turned))
    // Fixes that wander unsaid go any way; that they go the other way each time is no chance.
    if isStated { isNone.add(sound: sound, faulty: Self.freedom) }
    if !isAlive { deadTurns += 1 }
    if isTrusted {
      isTrusted = !(isLeft.isCertain || isInDegrees.isCertain || isNone.isCertain)
      agreements = 0
    } else {
      agreements = sound < Self.freedom ? agreements + 1 : 0
      if agreements == Self.certain {
        (isLeft, isInDegrees, isNone) = (FaultOdds(), FaultOdds(), FaultOdds())
        isTrusted = true
      }
    }
  }

  private func misfit(scale: Double, _ turned: Double) -> Double {
    let off = changed - scale * turned
    return misfit(off * off, angle: abs(scale * turned))
  }

  private func misfit(_ square: Double, angle: Double) -> Double {
    let part = Self.share * max(abs(changed), angle)
    return square / (2 * (Self.sigma * Self.sigma + part * part))
  }

  private mutating func interrupt() { (start, last) = (nil, nil) }

  private mutating func forget() {
    interrupt()
    place = nil
  }
}
