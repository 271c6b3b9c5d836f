import CLibrary
import LinearAlgebra
import Navigation

/// How a car goes by the fixes alone, looked at once a second.
enum FixMotion {
  /// Seconds from one fix that is looked at to the next, and what stamps are rounded by, s.
  /// [chosen: beyond the noise of positions, below a turn]
  static let spacing = 1.0, rounding = 0.01
  /// Longest time from one to the next, s: what was before tells nothing of after a longer pause.
  /// [chosen: at 1 Hz one may be missing]
  static let gap = 2.5
  /// Least speed, m/s, at which a course is one. [chosen: a receiver's velocity errs by 0.1 to 0.5]
  static let leastSpeed = 2.5
  /// What no car accelerates by for a second, m/s²: fixes that do have leapt.
  /// [chosen: brakes reach 9 for less]
  private static let hardest = 6.0
  /// A step from fix to fix tells a course where it is this many standard deviations of a fix long.
  /// [chosen: then the change of course over some seconds is known to a quarter of a radian]
  private static let clearStep = 8.0

  /// A fix that was looked at.
  struct Place {
    var time: Timestamp
    var position: GeodeticPosition
    /// Whether the car drove there.
    var isDriven = false

    init(_ fix: GNSSFix) { (time, position) = (fix.time, fix.position) }
  }

  static func isDue(_ fix: GNSSFix, after before: Place) -> Bool {
    fix.time.seconds(since: before.time) >= spacing - rounding
  }

  /// Whether what was seen at `before` tells of `time`.
  static func isWithin(_ time: Timestamp, of before: Timestamp) -> Bool { time.seconds(since: before) < gap }

  /// The velocity of a fix; a receiver that states none went from fix to fix, where that is further than its
  /// noise.
  static func velocity(of fix: GNSSFix, from before: Place?, positionSigma: Double) -> Vector3? {
    if let stated = fix.velocityNED { return stated }
    guard let before else { return nil }
    let step = fix.position.ned(from: before.position)
    return step.horizontalNorm > clearStep * positionSigma
      ? step * (1 / fix.time.seconds(since: before.time)) : nil
  }

  /// Whether a car can change its velocity so.
  static func isDriven(_ a: Vector3, at start: Timestamp, _ b: Vector3, at end: Timestamp) -> Bool {
    (b - a).horizontalNorm < hardest * end.seconds(since: start)
  }

  /// Angle to the right from one level direction to another, rad.
  static func angle(from a: Vector3, to b: Vector3) -> Double {
    atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
  }
}
