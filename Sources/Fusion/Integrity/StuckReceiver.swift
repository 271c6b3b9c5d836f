import LinearAlgebra
import Navigation

/// Finds a receiver that has stuck while the car drove: its fixes go on with new times, and each has the
/// position of the one before to the last digit.
///
/// So are those of a standing car, of many receivers. But no car that drives is at rest at once; and until
/// the position changes it tells no place, wherever the car stops meanwhile. Neither IMU nor filter is asked.
package struct StuckReceiver: Sendable {
  /// Speed of the last second or so from which no car is at rest at once, m/s.
  /// [chosen: brakes of 1 g take half the window, and a phone's velocity is a second late]
  private static let unstoppable = 8.0
  /// Time over which that speed is taken, s. [chosen: over less the noise of positions is a motion]
  private static let window = 0.5
  /// A velocity that repeats itself with the position is none from this on, m/s.
  /// [chosen: what is stated of a standing car is less, and may be rounded]
  private static let leastSpeed = 1.0
  /// Part of the last step for which the car has to have gone on since.
  /// [chosen: a position that is rounded changes after half a step]
  private static let ownShare = 0.5

  private struct Point {
    var time: Timestamp
    var position: GeodeticPosition
  }

  /// The newest fix whose position was new, the position before that, and the velocity that it stated, m/s.
  private var newest: Point?
  private var before: GeodeticPosition?
  private var stated: Vector3?
  private var last: Timestamp?
  private var lastVelocity: Vector3?
  /// Where the window of the speed began, and the speed over it and over the one before, m/s: a leap of
  /// the position is in one of them.
  private var mark: Point?
  private var pace = 0.0, paceBefore = 0.0
  private var nearbyCurvature = NearbyCurvature()
  private var isStuck = false

  package init() {}

  /// Takes a fix; returns whether nothing of it was measured.
  package mutating func add(_ fix: GNSSFix) -> Bool {
    let elapsed = last.map { fix.time.seconds(since: $0) } ?? .infinity
    let velocityBefore = lastVelocity
    (last, lastVelocity) = (fix.time, fix.velocityNED)
    guard let newest, 0..<FixMotion.gap ~= elapsed else {
      begin(at: fix)
      return false
    }
    guard
      fix.position.latitude == newest.position.latitude, fix.position.longitude == newest.position.longitude
    else {
      if isStuck { begin(at: fix) } else { goOn(to: fix) }
      return false
    }
    let speed = fix.velocityNED?.horizontalNorm ?? 0
    // Not every velocity has a vertical part.
    let isRepeated = fix.velocityNED?.x == velocityBefore?.x && fix.velocityNED?.y == velocityBefore?.y
    if isRepeated, speed > Self.leastSpeed {
      isStuck = true
    } else if !isStuck, let before {
      let last = max(min(pace, paceBefore), stated?.horizontalNorm ?? 0)
      let step = distance(newest.position, from: before)
      isStuck = last > Self.unstoppable && last * fix.time.seconds(since: newest.time) > Self.ownShare * step
    }
    // A receiver may go on to measure its velocity.
    return isStuck && (isRepeated || speed == 0)
  }

  private mutating func goOn(to fix: GNSSFix) {
    let point = Point(time: fix.time, position: fix.position)
    before = newest?.position
    newest = point
    stated = fix.velocityNED
    guard let mark, case let passed = fix.time.seconds(since: mark.time), passed >= Self.window else {
      return
    }
    (pace, paceBefore) = (distance(fix.position, from: mark.position) / passed, pace)
    self.mark = point
  }

  private mutating func begin(at fix: GNSSFix) {
    newest = Point(time: fix.time, position: fix.position)
    (mark, before, stated) = (newest, nil, nil)
    (pace, paceBefore, isStuck) = (0, 0, false)
  }

  private mutating func distance(_ a: GeodeticPosition, from b: GeodeticPosition) -> Double {
    a.ned(from: b, by: nearbyCurvature.at(b)).horizontalNorm
  }
}
