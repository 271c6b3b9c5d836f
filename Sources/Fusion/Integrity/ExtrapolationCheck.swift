import LinearAlgebra
import Navigation

/// Finds fixes that a receiver did not measure: in a tunnel some go on for seconds on their last velocity, or
/// repeat their last position, with an accuracy as if nothing had happened.
///
/// Measured velocities never repeat to the last digit while a car moves, and measured positions never lie on
/// a straight line to the centimetre. A position that stays to the last digit while the fix's own velocity
/// says that the car moves, or stays to the last digit too, is none, however long.
package struct ExtrapolationCheck: Sendable {
  /// What of a fix is not measured.
  package struct Finding: Sendable, Equatable {
    package var position = false
    package var velocity = false

    package init(position: Bool = false, velocity: Bool = false) {
      self.position = position
      self.velocity = velocity
    }
  }

  /// A speed in m/s under which equal fixes are a standing car's. [chosen]
  private static let leastSpeed = 1.0
  /// Metres of a position from where the velocity before would have carried it. [chosen]
  private static let tolerance = 0.02

  /// A receiver that has no satellites goes on for some seconds; one that holds its position at a standstill,
  /// while the filter is wrong in thinking that the car moves, would be refused for good. [chosen]
  private static let longestCarriedOn = 15.0, longestHeld = 2.0

  /// What counts of the newest fix.
  private var last: (time: Timestamp, position: GeodeticPosition, velocityNED: Vector3?)?
  private var isFrozen = false
  private var since: Timestamp?

  package init() {}

  /// Looks at a fix, with the speed that the filter believes in.
  package mutating func examine(_ fix: GNSSFix, speed: Double) -> Finding {
    let finding = compare(fix, speed: speed)
    last = (fix.time, fix.position, fix.velocityNED)
    guard finding.position || finding.velocity else {
      since = nil
      return finding
    }
    let start = since ?? fix.time
    since = start
    let longest = fix.velocityNED == nil ? Self.longestHeld : isFrozen ? .infinity : Self.longestCarriedOn
    return fix.time.seconds(since: start) > longest ? Finding() : finding
  }

  private mutating func compare(_ fix: GNSSFix, speed: Double) -> Finding {
    let stated = fix.velocityNED?.horizontalNorm ?? 0
    isFrozen = false
    guard let last, max(speed, stated) > Self.leastSpeed else { return Finding() }
    let elapsed = fix.time.seconds(since: last.time)
    guard elapsed > 0, elapsed < FixMotion.gap else { return Finding() }
    let stays =
      fix.position.latitude == last.position.latitude && fix.position.longitude == last.position.longitude
    guard let velocity = fix.velocityNED, let before = last.velocityNED else {
      return Finding(position: stays)
    }
    // A receiver may measure velocity less often than position: each is judged for itself.
    let isRepeated = velocity.x == before.x && velocity.y == before.y && velocity.horizontalNorm > 0
    isFrozen = stays && (stated > Self.leastSpeed || isRepeated)
    guard isRepeated else { return Finding(position: stays) }
    let moved = horizontal(fix.position.ned(from: last.position))
    let isStraight = (moved - horizontal(before) * elapsed).norm < Self.tolerance
    return Finding(position: stays || isStraight, velocity: true)
  }

  private func horizontal(_ v: Vector3) -> Vector3 { Vector3(v.x, v.y, 0) }
}
